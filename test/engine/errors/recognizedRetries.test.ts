import type { INodeParameters } from 'n8n-workflow';
import type { Faults } from '../../../sandbox/options';
import type { WorkspaceState } from '../../../sandbox/records';
import type { ServiceName } from '../../../sandbox/services/names';
import { by, parametersFor, shownOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const unknown = 'This may or may not have gone through';

const contact = parametersFor('contact');

const channelOf = ({ channels }: WorkspaceState, type: string) =>
	by('id', channels.find(({ channel }) => channel === type)!.id);

/** What does something twice if a service carries it out twice. */
const operations = {
	createContact: (state: WorkspaceState) =>
		contact('create', {
			phoneNumber: '+4915112345678',
			email: 'nathan@example.com',
			gender: 'male',
			additionalFields: { inboxId: channelOf(state, 'webchat'), channel: 'webchat' },
		}),
	importContacts: (state: WorkspaceState) =>
		contact('import', {
			source: 'id',
			fileId: state.files[0].id,
			inboxId: channelOf(state, 'whatsapp'),
			channel: 'whatsapp',
			options: { phoneNumber: 'phone' },
		}),
	triggerFlow: (state: WorkspaceState) =>
		contact('triggerFlow', {
			identifier: by('id', state.contacts[0].id),
			flowId: by('id', state.flows[0].id),
		}),
};
const names = Object.keys(operations) as Array<keyof typeof operations>;

/** Runs an operation while faults apply to its request. */
async function runOn(
	name: keyof typeof operations,
	service: ServiceName,
	faults: Faults,
	requestOptions: INodeParameters = {},
) {
	const { workspace, run } = await testWorkspace({ contacts: 1, service });
	const parameters = operations[name](await workspace.state());
	await workspace.faults(faults);
	const result = await run({ ...parameters, requestOptions: { maxRetries: 3, ...requestOptions } });
	const { requests } = await workspace.journal();
	const tries = requests.filter(({ operation }) => operation === name);
	return { result, workspace, tries };
}

describe.each(names)('%s, whose answer is lost', (operation) => {
	const match = { operation };
	const lost: Array<[string, Faults]> = [
		['before the service acts', { dropBefore: { times: 1, match } }],
		['after the service has acted', { dropAfter: { times: 1, match } }],
		['while the service acts', { dropDuring: { times: 1, match }, workMs: 1500 }],
	];

	test.each(lost)(
		'is sent again if the connection breaks %s and the service recognizes the key, and happens once',
		async (_, faults) => {
			const { result, tries, workspace } = await runOn(operation, 'newer', faults);
			expect(result.error).toBeUndefined();
			expect(tries.length).toBeGreaterThan(1);
			const { flowRuns, imports } = await workspace.summary();
			const { contacts } = await workspace.counts();
			const done = {
				createContact: contacts - 1,
				importContacts: imports,
				triggerFlow: flowRuns.run,
			};
			expect(done[operation]).toBe(1);
		},
	);

	test.each(['older', 'reference'] as const)(
		'is not sent again to the %s service, which does not recognize it',
		async (service) => {
			if (service === 'older' && operation === 'importContacts') return;
			const { result, tries } = await runOn(operation, service, {
				dropBefore: { times: 1, match },
			});
			expect(shownOf(result)).toContain(unknown);
			expect(tries).toHaveLength(1);
		},
	);

	test.each([500, 502, 503, 504])(
		'is not sent again after a %d, because it may have worked',
		async (status) => {
			const fail = [{ status, body: 'html' as const, times: 1, match }];
			const { result, tries } = await runOn(operation, 'newer', { fail });
			expect(shownOf(result)).toContain(unknown);
			expect(tries).toHaveLength(1);
		},
	);

	test.each([{ retryWhenOutcomeUnknown: 'never' }, { maxRetries: 0 }])(
		'is not sent again with %j',
		async (options) => {
			const faults = { dropBefore: { times: 1, match } };
			const { result, tries } = await runOn(operation, 'newer', faults, options);
			expect(shownOf(result)).toContain(unknown);
			expect(tries).toHaveLength(1);
		},
	);
});

test('A request that the service recognizes waits until it is back before it is sent again', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 1, service: 'newer' });
	const parameters = operations.triggerFlow(await workspace.state());
	await run(contact('getAll', { limit: 1 }));
	const match = { operation: 'triggerFlow' } as const;
	await workspace.faults({
		dropBefore: { times: 1, match },
		fail: [{ status: 502, body: 'html', match: { pathPattern: 'flows|inboxes' } }],
	});
	setTimeout(() => void workspace.faults({ fail: null }), 2000);
	const result = await run({ ...parameters, requestOptions: { maxRetries: 3 } });
	expect(result.error).toBeUndefined();
	const { requests } = await workspace.journal();
	const tries = requests.filter(({ operation }) => operation === 'triggerFlow');
	expect(tries.map(({ status }) => status).at(-1)).toBe(204);
	expect(tries).toHaveLength(2);
});
