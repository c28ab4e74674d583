import type { INodeParameters, INodeType } from 'n8n-workflow';
import type { WorkspaceState } from '../sandbox/types';
import { compiledNode } from './engine';
import type { RunOptions } from './engine';
import { by, fromItem, received } from './helpers';
import { testWorkspace } from './workspace';

/*
 * n8n runs the node through its own declarative loop where it knows nothing of custom operations, as when an agent has
 * it as a tool. Both ways must do the same.
 */

const declarative = {
	name: 'test.declarative',
	type: Object.assign(Object.create(compiledNode) as INodeType, { customOperations: undefined }),
};

type Case = (state: WorkspaceState) => INodeParameters;

const contact = (operation: string, parameters: INodeParameters = {}) => ({
	resource: 'contact',
	operation,
	...parameters,
});
const of = ({ contacts }: WorkspaceState) => by('id', contacts[0].id);

const cases: Record<string, Case> = {
	'contact create': () =>
		contact('create', {
			phoneNumber: fromItem('phone'),
			email: 'nathan@example.com',
			gender: 'male',
			additionalFields: { firstName: 'Nathan', lastName: fromItem('name') },
		}),
	'contact get': (state) => contact('get', { identifier: of(state), simplify: false }),
	'contact get simplified': (state) => contact('get', { identifier: of(state) }),
	'contact get many': ({ channels }) =>
		contact('getAll', {
			limit: 3,
			filters: {
				channels: ['webchat'],
				inboxIds: [channels[1].id],
				contactFilter: '{"a":{"b":[1]}}',
				keyword: fromItem('letter'),
			},
			options: { perPage: 2, page: 1, sort: { fields: [{ field: 'createdAt', order: 'asc' }] } },
		}),
	'contact update': (state) =>
		contact('update', { identifier: of(state), updateFields: { lastName: fromItem('name') } }),
	'contact import': ({ files, channels, tags, customFields }) =>
		contact('import', {
			fileId: files[0].id,
			channel: 'webchat',
			inboxId: by('list', channels[0].id),
			options: {
				phoneNumber: 'Phone',
				countryCode: '+49',
				tagId: by('id', tags[0].id),
				fieldMapping: { columns: [{ column: 'Notes', customFieldId: customFields[0].id }] },
			},
		}),
	'contact send message': (state) =>
		contact('sendMessage', {
			identifier: of(state),
			text: fromItem('name'),
			options: {
				files: '[{"id":"1"}]',
				flowId: by('id', state.flows[0].id),
				inboxId: by('list', state.channels[0].id),
				clientId: '12',
			},
		}),
	'contact add tags': (state) =>
		contact('addTags', { identifier: of(state), tagIds: [state.tags[0].id, state.tags[1].id] }),
	'contact remove tags': (state) =>
		contact('removeTags', { identifier: of(state), tagIds: state.tags[0].id }),
	'tag create': () => ({
		resource: 'tag',
		operation: 'create',
		name: fromItem('name'),
		additionalFields: { folderId: '' },
	}),
	'tag get many': () => ({ resource: 'tag', operation: 'getAll', returnAll: true }),
	'custom field update': ({ customFields }) => ({
		resource: 'customField',
		operation: 'update',
		customFieldId: by('id', customFields[0].id),
		name: fromItem('name'),
		updateFields: { description: '', folderId: '' },
	}),
	'broadcast get': () => ({
		resource: 'broadcast',
		operation: 'get',
		broadcastId: by('name', 'Angebote 50 % / Größe XL & más'),
	}),
	'workspace get': () => ({ resource: 'workspace', operation: 'get' }),
	'refused by us': (state) =>
		contact('update', { identifier: of(state), updateFields: { phoneNumber: fromItem('name') } }),
	'refused by the service': () => contact('get', { identifier: by('id', '4711') }),
};

const item = { name: 'Ångström', phone: 4915112345678, letter: 'a' };

async function runBoth(make: Case, items = [item], more: Partial<RunOptions> = {}) {
	return await Promise.all(
		[undefined, declarative].map(async (node) => {
			const { workspace, run } = await testWorkspace({ contacts: 20 });
			const parameters = make(await workspace.state());
			const { outputs, error } = await run(parameters, items, { node, ...more });
			// When something was created differs between the two.
			const text = JSON.stringify({
				outputs: outputs.map((output) => output.map(({ json, pairedItem }) => ({ json, pairedItem }))),
				error: error?.message,
				description: error?.description,
				itemIndex: error?.context?.itemIndex,
				requests: await received(workspace),
			});
			return JSON.parse(text.replace(/"(created|updated)At":"[^"]*"/g, '"$1At":""')) as {
				requests: unknown[];
			};
		}),
	);
}

test.each(Object.entries(cases))('%s', async (_, make) => {
	const [own, declared] = await runBoth(make);
	expect(declared).toEqual(own);
});

test.each([undefined, 'continueRegularOutput', 'continueErrorOutput'] as const)(
	'several items of which two are not valid, On Error %p',
	async (onError) => {
		const items = ['a', '', 'c', 'x'.repeat(256)].map((name) => ({ ...item, name }));
		const [own, declared] = await runBoth(cases['tag create'], items, { onError });
		expect(declared).toEqual(own);
		expect(own.requests).toHaveLength(onError ? 2 : 0);
	},
);
