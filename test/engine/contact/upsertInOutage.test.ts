import type { INodeParameters } from 'n8n-workflow';
import type { Faults } from '../../../sandbox/options';
import type { ServiceName } from '../../../sandbox/services/names';
import { by, received } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const unknown = 'This may or may not have gone through';

/** The requests that create a contact, by either endpoint. */
const creations = '^/api/v1/contacts(/[^/]+/upsert)?$';
const match = { method: 'POST', pathPattern: creations };

const services: ServiceName[] = ['reference', 'older', 'newer'];

interface Case {
	service: ServiceName;
	faults: Faults;
	options?: INodeParameters;
	requestOptions?: INodeParameters;
}

/** Creates a contact on a channel, while the faults apply. */
async function createDuring({ service, faults, options = {}, requestOptions = {} }: Case) {
	const { run, workspace } = await testWorkspace({ contacts: 0, service });
	const { channels } = await workspace.state();
	const webchat = channels.find(({ channel }) => channel === 'webchat')!;
	const onChannel = service !== 'reference' && {
		inboxId: by('id', webchat.id),
		channel: 'webchat',
	};
	await workspace.faults(faults);
	const result = await run({
		resource: 'contact',
		operation: 'upsert',
		email: 'ann@example.com',
		phoneNumber: '+4915100000001',
		additionalFields: { firstName: 'Ann', ...onChannel },
		options,
		requestOptions,
	});
	const { requests } = await workspace.journal();
	const tries = requests.filter(
		({ method, path }) => method === 'POST' && new RegExp(creations).test(path),
	);
	const { contacts } = await workspace.counts();
	return { ...result, workspace, tries, contacts };
}

const everywhere = services.flatMap((service) =>
	([502, 503] as const).map((status) => [service, status] as const),
);

describe('Create or Update whose request to create a contact fails', () => {
	test.each(everywhere)(
		'creates the contact once more on the %s service after a %d, once the service has answered twice, a second apart',
		async (service, status) => {
			const fail = [{ status, body: 'html' as const, times: 1, match }];
			const result = await createDuring({ service, faults: { fail } });
			expect(result.error).toBeUndefined();
			expect(result.json).toMatchObject([{ outcome: 'created', firstName: 'Ann' }]);
			expect(result.contacts).toBe(1);
			const [first, second, ...others] = result.tries;
			expect(others).toEqual([]);
			expect(second.at - first.at).toBeGreaterThanOrEqual(1000);
			expect(result.hints.join(' ')).toContain('1 request was retried.');
		},
	);

	test.each(everywhere)(
		'completes the contact that exists on the %s service although the answer was a %d',
		async (service, status) => {
			const fail = [{ status, body: 'html' as const, times: 1, after: true, match }];
			const result = await createDuring({ service, faults: { fail } });
			expect(result.json).toMatchObject([{ outcome: 'created', firstName: 'Ann' }]);
			expect([result.tries.length, result.contacts]).toEqual([1, 1]);
		},
	);

	const mayBeUnderWay: Array<[string, Faults]> = [
		['a 504', { fail: [{ status: 504, body: 'html', times: 1, match }] }],
		['a connection that breaks', { dropBefore: { times: 1, match } }],
	];

	test.each(mayBeUnderWay)(
		'creates the contact once more after %s only if the service recognizes the key',
		async (_, faults) => {
			const [newer, ...others] = await Promise.all(
				(['newer', 'older', 'reference'] as const).map(
					async (service) => await createDuring({ service, faults }),
				),
			);
			expect(newer.error).toBeUndefined();
			expect(newer.json).toMatchObject([{ outcome: 'created' }]);
			expect([newer.tries.length, newer.contacts]).toEqual([2, 1]);
			for (const { error, tries } of others) {
				expect(error?.message).toContain(unknown);
				expect(tries).toHaveLength(1);
			}
		},
	);

	test.each<[string, Faults, INodeParameters]>([
		['the connection breaks', { dropDuring: { times: 1, match }, workMs: 4000 }, {}],
		['the time is over', { workMs: 4000 }, { timeout: 500 }],
	])(
		'gets the one contact that a service that recognizes the key still works on when %s',
		async (_, faults, requestOptions) => {
			const service = 'newer';
			const { error, json, tries, contacts } = await createDuring({
				service,
				faults,
				requestOptions,
			});
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ outcome: 'created', firstName: 'Ann' }]);
			expect(contacts).toBe(1);
			expect(tries.map(({ status }) => status)).toContain(409);
		},
	);

	test.each(services)(
		'has created the contact on the %s service if the second request fails because the first one has created it after all',
		async (service) => {
			const fail = [
				{ status: 502, body: 'html' as const, times: 1, match },
				{ status: 409, times: 1, after: true, match },
			];
			const { json, tries, contacts } = await createDuring({ service, faults: { fail } });
			expect(json).toMatchObject([{ outcome: 'created', firstName: 'Ann' }]);
			expect([tries.length, contacts]).toEqual([2, 1]);
		},
	);

	test.each(services)(
		'does not create the contact again on the %s service after a 500',
		async (service) => {
			const fail = [{ status: 500, times: 1, match }];
			const { error, tries } = await createDuring({ service, faults: { fail } });
			expect(error?.message).toContain(unknown);
			expect(tries).toHaveLength(1);
		},
	);

	test.each([{ retryWhenOutcomeUnknown: 'never' }, { maxRetries: 0 }])(
		'does not create the contact again with %j',
		async (requestOptions) => {
			const fail = [{ status: 502, body: 'html' as const, times: 1, match }];
			const faults = { fail };
			const { error, tries } = await createDuring({ service: 'newer', faults, requestOptions });
			expect(error?.message).toContain(unknown);
			expect(tries).toHaveLength(1);
		},
	);

	test('creates the contact only once more, and its outcome is unknown if that fails, too', async () => {
		const fail = [{ status: 502, body: 'html' as const, match }];
		const { error, tries } = await createDuring({ service: 'reference', faults: { fail } });
		expect(error?.message).toContain(unknown);
		expect(tries).toHaveLength(2);
	});

	test('has an unknown outcome if the contact can no longer be looked for', async () => {
		const { run, workspace } = await testWorkspace({ contacts: 0 });
		await workspace.faults({ fail: [{ status: 502, body: 'empty', times: 1, match }] });
		const running = run({
			resource: 'contact',
			operation: 'upsert',
			email: 'ann@example.com',
			phoneNumber: '+4915100000001',
		});
		while ((await workspace.summary()).byOperation.createContact === undefined) continue;
		await workspace.faults({ fail: [{ status: 403, match: { operation: 'getContact' } }] });
		const { error } = await running;
		expect(error?.message).toContain(`isn't available (502). ${unknown}`);
	});

	test.each(services)(
		'sends the upsert of the %s service once more after a 502',
		async (service) => {
			const fail = [{ status: 502, body: 'html' as const, times: 1, match }];
			const options = { serverUpsert: true };
			const result = await createDuring({ service, faults: { fail }, options });
			expect(result.json).toMatchObject([{ outcome: 'createdOrUpdated', firstName: 'Ann' }]);
			expect([result.tries.length, result.contacts]).toEqual([2, 1]);
		},
	);

	test('sends the upsert of the service once more after a lost answer if the contact exists, because that changes nothing twice', async () => {
		const options = { serverUpsert: true };
		const faults = { dropAfter: { times: 1, match } };
		const result = await createDuring({ service: 'older', faults, options });
		expect(result.json).toMatchObject([{ outcome: 'createdOrUpdated', firstName: 'Ann' }]);
		expect([result.tries.length, result.contacts]).toEqual([2, 1]);
	});
});

test.each(services)(
	'Create or Update loses no row in an outage of the %s service of two seconds, and creates nobody twice',
	async (service) => {
		const { run, workspace } = await testWorkspace({ contacts: 0, service });
		const { channels } = await workspace.state();
		const webchat = channels.find(({ channel }) => channel === 'webchat')!;
		await workspace.faults({ latencyMs: 100 });
		const rows = Array.from({ length: 60 }, (_, n) => ({ n: 10_000 + n }));
		const running = run(
			{
				resource: 'contact',
				operation: 'upsert',
				email: '=row{{ $json.n }}@example.com',
				phoneNumber: '=+49151000{{ $json.n }}',
				additionalFields:
					service === 'reference' ? {} : { inboxId: by('id', webchat.id), channel: 'webchat' },
				requestOptions: { batching: { batch: { batchSize: 20, batchInterval: 300 } } },
			},
			rows,
			{ onError: 'continueRegularOutput' },
		);
		const created = async () =>
			(await received(workspace)).filter(({ method }) => method === 'POST').length;
		while ((await created()) < 5) continue;
		await workspace.faults({ fail: [{ status: 502, body: 'html' }] });
		setTimeout(() => void workspace.faults({ fail: null }), 2000);
		const { json } = await running;
		expect(json.filter(({ error }) => error !== undefined)).toEqual([]);
		expect((await workspace.counts()).contacts).toBe(60);
	},
);
