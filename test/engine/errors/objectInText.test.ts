import type { INodeParameters } from 'n8n-workflow';
import type { WorkspaceState } from '../../../sandbox/records';
import { by } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

/* An expression that puts an object into a text: JavaScript writes [object Object] there. */

const text = '=Ann {{ $json.person }}';

const textField = ({ customFields }: WorkspaceState) =>
	customFields.find(({ type }) => type === 'shortText')!;

type Row = [what: string, parameters: (state: WorkspaceState) => INodeParameters];

test.each<Row>([
	[
		'First Name',
		() => ({
			resource: 'contact',
			operation: 'create',
			phoneNumber: '+4915112345678',
			email: 'ann@example.com',
			additionalFields: { firstName: text },
		}),
	],
	['Name', () => ({ resource: 'tag', operation: 'create', name: text })],
	[
		'Message',
		({ contacts }) => ({
			resource: 'message',
			operation: 'sendAndWait',
			identifier: by('id', contacts[0].id),
			message: text,
		}),
	],
	[
		'Conditions',
		() => ({
			...{ resource: 'contact', operation: 'getAll', returnAll: true },
			conditions: { texts: [{ field: 'firstName', textOperator: 'ne', text }] },
		}),
	],
	['Keyword', () => ({ resource: 'contact', operation: 'getAll', filters: { keyword: text } })],
	[
		'Custom field',
		(state) => ({
			resource: 'contact',
			operation: 'setCustomFields',
			identifier: by('id', state.contacts[0].id),
			customFields: { mappingMode: 'defineBelow', value: { [textField(state).id]: text } },
		}),
	],
])('%s with an object in it is refused before anything is sent', async (what, parameters) => {
	const { run, workspace } = await testWorkspace({ contacts: 1 });
	const all = parameters(await workspace.state());
	await workspace.clearJournal();
	const { error } = await run(all, [{ person: { name: 'Ann' } }]);
	expect(error?.message).toMatch(
		new RegExp(
			`^${what}.* contains \\[object Object\\]\\. Point the expression at one of its fields\\.`,
		),
	);
	const { requests } = await workspace.journal();
	expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	expect(requests.filter(({ path }) => path.includes('keyword'))).toEqual([]);
});
