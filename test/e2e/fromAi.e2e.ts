import type { INodeProperties } from 'n8n-workflow';
import { toolDescription } from '../support/n8n/description';
import { DEFAULT_N8N_VERSION } from '../../scripts/n8n/install';
import { n8nModule } from '../support/n8n/modules';

/*
 * Which fields of the tool a model may fill in, by n8n's own check of agents' tools. n8n takes
 * every field with a list for one that is chosen when the agent is built.
 */
const describeForAgents = DEFAULT_N8N_VERSION.startsWith('1.') ? describe.skip : describe;

interface AgentConfig {
	rejectIfDynamicSelectorUsesFromAi(
		config: object,
		previous: null,
		nodeTypes: object,
		messages: object,
	): Array<{ message: string }> | null;
}

const fromAi = (key: string) => `={{ $fromAI('${key}', 'What the model is to give', 'string') }}`;

const operationsWithContact = [
	...['addTags', 'clearCustomField', 'delete', 'get', 'getCustomFields', 'removeTags'],
	...['setCustomFields', 'setTags', 'triggerFlow', 'update', 'upsert'],
].map((operation): [string, object] => [
	`contact of ${operation}`,
	{ operation, contact: fromAi('contact') },
]);

const allowed: Array<[string, object]> = [
	...operationsWithContact,
	['tag names', { operation: 'addTags', tagsBy: 'names', tagNames: fromAi('tags') }],
	['all tag names', { operation: 'setTags', tagsBy: 'names', tagNames: fromAi('tags') }],
	['contact of send', { resource: 'message', operation: 'send', contact: fromAi('contact') }],
	['the text of a message', { resource: 'message', operation: 'send', text: fromAi('text') }],
	['a keyword', { operation: 'getAll', filters: { keyword: fromAi('keyword') } }],
	[
		'what is wanted of a list',
		{ operation: 'getAll', limit: fromAi('limit'), outputFields: fromAi('fields') },
	],
	[
		'an email address',
		{ operation: 'create', email: fromAi('email'), phoneNumber: fromAi('phone') },
	],
	[
		'a name',
		{
			operation: 'upsert',
			additionalFields: { firstName: fromAi('name'), lastName: fromAi('last') },
		},
	],
	[
		'a change',
		{ operation: 'update', updateFields: { email: fromAi('email'), lastName: fromAi('last') } },
	],
	['the name of a tag', { resource: 'tag', operation: 'create', name: fromAi('name') }],
];

const refused: Array<[string, object]> = [
	[
		'the picker of contacts',
		{ operation: 'get', identifier: { __rl: true, mode: 'id', value: fromAi('id') } },
	],
	['tags from the list', { operation: 'addTags', tagIds: fromAi('tags') }],
	[
		'a flow',
		{ operation: 'triggerFlow', flowId: { __rl: true, mode: 'id', value: fromAi('flow') } },
	],
];

describeForAgents('A model', () => {
	let errorsFor: (parameters: object) => string[];
	let properties: INodeProperties[];

	beforeAll(async () => {
		const { rejectIfDynamicSelectorUsesFromAi } = await n8nModule<AgentConfig>(
			'@n8n/ai-utilities/dist/cjs/agent-config/index.js',
		);
		const description = await toolDescription();
		properties = description.properties;
		errorsFor = (parameters) => {
			const node = {
				nodeType: description.name,
				nodeTypeVersion: 1,
				nodeParameters: { resource: 'contact', ...parameters },
			};
			const config = { tools: [{ type: 'node', name: 'Tool', node }] };
			const nodeTypes = { getByNameAndVersion: () => ({ description }) };
			const errors = rejectIfDynamicSelectorUsesFromAi(config, null, nodeTypes, {
				dynamicSelectorFollowUp: '',
			});
			return (errors ?? []).map(({ message }) => message);
		};
	});

	it.each(allowed)('can fill in %s', (_, parameters) => {
		const names = Object.keys(parameters).filter(
			(name) => name !== 'operation' && name !== 'resource',
		);
		const known = properties.map(({ name }) => name);
		expect(known).toEqual(expect.arrayContaining(names));
		expect(errorsFor(parameters)).toEqual([]);
	});

	it.each(refused)('cannot fill in %s', (_, parameters) => {
		expect(errorsFor(parameters)).toEqual([expect.stringContaining('is a dynamic selector')]);
	});
});
