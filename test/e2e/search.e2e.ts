import type { INodeTypeDescription } from 'n8n-workflow';
import { compiledDescription } from '../support/n8n/description';
import { DEFAULT_N8N_VERSION } from '../../scripts/n8n/install';
import { n8nModule } from '../support/n8n/modules';

/*
 * Whether people and models find the node among all of n8n's, by n8n's own search. The 1.x line has
 * no module of it.
 */
const describeSearch = DEFAULT_N8N_VERSION.startsWith('1.') ? describe.skip : describe;

/** So many results of the editor's search are seen without scrolling. */
const SEEN = 5;
/** So many results a model looks through, or a person who scrolls. */
const LOOKED_AT = 20;

const words = [
	...[
		'send message',
		'tags',
		'newsletter',
		'chatbot',
		'add tag',
		'trigger flow',
		'contacts',
		'contact',
	],
	...[
		'whatsapp',
		'messenger',
		'telegram',
		'instagram',
		'crm',
		'broadcast',
		'broadcasts',
		'sms',
		'live chat',
	],
	...[
		'create contact',
		'custom fields',
		'subscribers',
		'leads',
		'sequence',
		'flows',
		'inbox',
		'channels',
	],
	...[
		'import contacts',
		'remove tag',
		'webchat',
		'conversations',
		'customers',
		'start flow',
		'upsert',
	],
	...['send a message', 'import csv', 'upload contacts', 'opt out', 'unsubscribe'],
	...['template', 'send template', 'whatsapp template', 'note', 'add note', 'segments'],
	...['web chat', 'block', 'takeover', 'hand over', 'unread', 'assign conversation'],
];

/** What people search for who mean the trigger. */
const triggerWords = [
	...[
		'new contact',
		'contact created',
		'contact updated',
		'tag added',
		'tag removed',
		'new lead',
		'new subscriber',
		'not delivered',
		'undelivered',
	],
];

/**
 * What people search for who mean either trigger; in the editor, the polling one is found with the
 * node.
 */
const messageWords = ['incoming message', 'message received', 'new message', 'reply', 'chat'];

/** So many of n8n's own nodes have these words in their names or as the first thing they do. */
const crowdedWords = ['chat', 'approval'];

/** What people search for who mean the instant trigger. */
const instantTriggerWords = [
	'incoming message',
	'new message',
	'webhook',
	'reply',
	'chat',
	'instant',
];

interface Result {
	item: { properties: INodeTypeDescription };
}

interface SearchEngine {
	searchByName(query: string, limit: number): Array<{ name: string }>;
}

/** n8n's own nodes of a package, under the names that n8n gives them. */
async function nodesOf(packageName: string): Promise<INodeTypeDescription[]> {
	const nodes = await n8nModule<INodeTypeDescription[]>(`${packageName}/dist/types/nodes.json`);
	return nodes.map((node) => ({ ...node, name: `${packageName}.${node.name}` }));
}

describeSearch('The search finds the node', () => {
	const ours = compiledDescription();
	const trigger = compiledDescription('WorkspaceMessagingTrigger');
	const instantTrigger = compiledDescription('WorkspaceMessagingInstantTrigger', 'trigger/instant');
	let inEditor: (query: string) => string[];
	let byModel: (query: string) => string[];

	beforeAll(async () => {
		const nodes = [
			...(await nodesOf('n8n-nodes-base')),
			...(await nodesOf('@n8n/n8n-nodes-langchain')),
			ours,
			trigger,
			instantTrigger,
		];
		const { sublimeSearch } = await n8nModule<{
			sublimeSearch(query: string, items: object[]): Result[];
		}>('@n8n/utils/dist/search/sublime-search.cjs');
		// The editor shows a node and its trigger as one, by the words of the node.
		const names = new Set(nodes.map(({ name }) => name));
		const isAlone = ({ name, group }: INodeTypeDescription) =>
			!group.includes('trigger') || !names.has(name.replace('Trigger', ''));
		const shown = new Map(nodes.filter(isAlone).map((node) => [node.name, node]));
		const items = [...shown.values()].map((properties) => ({ key: properties.name, properties }));
		inEditor = (query) => sublimeSearch(query, items).map(({ item }) => item.properties.name);

		const { NodeSearchEngine } = await n8nModule<{
			NodeSearchEngine: new (nodes: object[]) => SearchEngine;
		}>('@n8n/ai-utilities/dist/cjs/node-catalog/search-engine.js');
		const engine = new NodeSearchEngine(nodes);
		byModel = (query) => engine.searchByName(query, LOOKED_AT).map(({ name }) => name);
	});

	const editorWords = [...words, ...triggerWords, ...messageWords];
	const seenWords = editorWords.filter((query) => !crowdedWords.includes(query));

	it.each(seenWords)('by "%s" in the editor, without scrolling', (query) => {
		expect(inEditor(query).slice(0, SEEN)).toContain(ours.name);
	});

	it.each(crowdedWords)('by "%s" in the editor', (query) => {
		expect(inEditor(query).slice(0, LOOKED_AT)).toContain(ours.name);
	});

	// For a model, each word is searched by itself: "trigger" means all triggers there.
	it.each(words.filter((query) => query !== 'trigger flow'))('by "%s" for a model', (query) => {
		expect(byModel(query)).toContain(ours.name);
	});

	it.each([...triggerWords, ...messageWords])('or its trigger by "%s" for a model', (query) => {
		expect(byModel(query)).toContain(trigger.name);
	});

	it.each(instantTriggerWords)('or its instant trigger by "%s" in the editor', (query) => {
		expect(inEditor(query).slice(0, LOOKED_AT)).toContain(instantTrigger.name);
	});

	it.each(instantTriggerWords)('or its instant trigger by "%s" for a model', (query) => {
		expect(byModel(query)).toContain(instantTrigger.name);
	});

	it('not by unrelated words', () => {
		for (const query of ['spreadsheet', 'jira issue', 'mysql']) {
			expect(inEditor(query).slice(0, LOOKED_AT)).not.toContain(ours.name);
		}
	});
});

describe('The description of the node and its trigger in the search', () => {
	it('mentions sending and managing', () => {
		// The editor shows the words of the trigger for both.
		const { description } = compiledDescription('WorkspaceMessagingTrigger');
		for (const word of ['Send WhatsApp', 'manage contacts', 'start when a contact writes']) {
			expect(description).toContain(word);
		}
	});
});
