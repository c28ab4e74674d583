import { setTimeout as sleep } from 'node:timers/promises';
import { credentialFor, nodeOf, readExample, modelCredential } from '../../scripts/examples';
import { itemsOf, useN8n, type RunningN8n } from '../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { countPolls, everyTenSeconds, textsTo } from '../support/n8n/messages';
import {
	startScriptedModel,
	type ChatRequest,
	type Script,
	type ScriptedModel,
	type Turn,
} from '../support/n8n/scriptedModel';
import { until } from '../support/n8n/until';

/*
 * Contacts write, and the example support-agent.json answers them or calls a person, in a real n8n.
 */

jest.setTimeout(900_000);

/** A first poll has this long to save what it has read. */
const SETTLE_MS = 5000;

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;
let model: ScriptedModel;
let workflowId: string;
let whatsApp: string;
let website: string;
let nora: string;
let ben: string;

/** What tools returned to the model, oldest first. */
const results: string[] = [];

const after = (turn: Turn) => (result: string) => {
	results.push(result);
	return turn;
};

const noteOnNora = 'Nora waits for her order, and it is late. She wants to talk to a person.';
const noteOnBen = 'Ben asked for a person in his first message.';

/** What follows the note. */
const handOver = (say: string) => [
	after({ tool: 'Assign', args: {} }),
	after({ tool: 'Hand_Over', args: {} }),
	after({ say }),
];

const script: Script = [
	() => ({ tool: 'Get_Messages', args: {} }),
	after({ say: 'Hello Nora, what is your question?' }),

	() => ({ tool: 'Add_Note', args: { Note: noteOnNora } }),
	...handOver('A person will answer you, Nora.'),

	() => ({ tool: 'Get_Messages', args: {} }),
	after({ say: 'It comes with the first one, Nora.' }),
];

/** What the first tool of Ben's conversation returned. */
let bensTranscript = '';

const bensScript: Script = [
	() => ({ tool: 'Get_Messages', args: {} }),
	(transcript) => {
		bensTranscript = transcript;
		return { tool: 'Add_Note', args: { Note: noteOnBen } };
	},
	() => ({ tool: 'Assign', args: {} }),
	() => ({ tool: 'Hand_Over', args: {} }),
	() => ({ say: 'A person will answer you, Ben.' }),
];

const BEN_WRITES = 'I want to talk to a person';

/** Both conversations go on at the same time. */
const isBens = ({ messages }: ChatRequest) =>
	messages.some(({ role, content }) => role === 'user' && content === BEN_WRITES);

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-the-support-agent', {
		service: 'newer',
		contacts: 0,
	});
	await workspace.add('teams', { name: 'Sales', inboxTeamMembers: [] });
	const { channels } = await workspace.state();
	[whatsApp, website] = ['whatsapp', 'webchat'].map(
		(type) => channels.find(({ channel }) => channel === type)?.id ?? '',
	);
	const contacts = await workspace.addContacts([
		{ firstName: 'Nora', inboxIds: [website, whatsApp] },
		{ firstName: 'Ben', inboxIds: [website] },
	]);
	[nora, ben] = contacts.map(({ id }) => `id:${id}`);
	await write(nora, 'Something that she wrote before the workflow was published');
	model = await startScriptedModel(script, (chat) => (isBens(chat) ? bensScript : undefined));
	n8n = await useN8n();
	await n8n.client.importCredential(credentialFor(workspace));
	await n8n.client.importCredential(modelCredential(model.url));
	const workflow = readExample('support-agent.json');
	nodeOf(workflow, 'Message Received').parameters.pollTimes = { item: everyTenSeconds };
	workflowId = await n8n.client.importWorkflow(workflow);
	await n8n.client.activate(workflowId);
	await until(polls, (count) => count > 0);
	await sleep(SETTLE_MS);
});

afterAll(async () => {
	await n8n?.stop();
	await model?.stop();
	await sandbox?.stop();
});

/** Nora writes on WhatsApp, although the website is her first channel. */
const write = async (contact: string, text: string) =>
	await workspace.write(contact, { text, inboxId: contact === nora ? whatsApp : website });

const polls = async () => await countPolls(workspace);

/** Waits for more polls to end. */
async function waitForPolls(count: number) {
	const before = await polls();
	await until(polls, (now) => now >= before + count);
	await sleep(SETTLE_MS);
}

const answersTo = async (contact: string) => await textsTo(workspace, contact);

const waitForAnswer = async (contact: string, count: number) =>
	await until(
		async () => await answersTo(contact),
		({ length }) => length >= count,
	);

/** What the model read in a request besides its instructions. */
const textsOf = ({ messages }: ScriptedModel['requests'][number]) =>
	messages.filter(({ role }) => role !== 'system').map(({ content }) => String(content));

/**
 * What became of a conversation: the notes about the contact, the team's name, and whether the bot
 * answers.
 */
async function outcomeOf(identifier: string) {
	const { contactNotes, conversation } = await workspace.contact(identifier);
	const { teams } = await workspace.state();
	return {
		notes: contactNotes.map(({ text }) => text),
		team: teams.find(({ id }) => id === conversation?.assignedInboxTeamId)?.name,
		botEnabled: conversation?.botEnabled,
	};
}

it('Three messages in a row get one answer once the contact is quiet', async () => {
	for (const text of ['Hi', 'I have a question', 'about my order']) await write(nora, text);
	await waitForAnswer(nora, 1);
	await waitForPolls(1);
	expect(await answersTo(nora)).toEqual(['Hello Nora, what is your question?']);
	const runs = await n8n.client.executionsOf(workflowId);
	expect(runs).toHaveLength(1);
	const execution = await n8n.client.waitForExecution(runs[0]);
	expect(execution.status).toBe('success');
	expect(itemsOf(execution, 'Message Received').map(({ json }) => json)).toMatchObject([
		{
			text: 'Hi\nI have a question\nabout my order',
			messages: [{ text: 'Hi' }, { text: 'I have a question' }, { text: 'about my order' }],
			contact: { firstName: 'Nora' },
		},
	]);
	// Nothing that was written before the workflow was published.
	expect(textsOf(model.requests[0])).toEqual(['Hi\nI have a question\nabout my order']);
});

it('The agent answers on the channel on which the contact wrote', async () => {
	expect((await workspace.journal()).messages.map(({ inboxId }) => inboxId)).toEqual([whatsApp]);
});

it('Get Messages gives the model a transcript, with what came before the workflow was published', () => {
	expect(results[0]).toContain('Nora: Something that she wrote before the workflow was published');
	expect(results[0]).toContain('Nora: about my order');
});

it('The model chooses no contact and no team: it only writes the text of the note', () => {
	const tools = (model.requests[0].tools ?? []).map(({ function: { name, parameters } }) => [
		name,
		Object.keys(parameters.properties ?? {}),
	]);
	expect(Object.fromEntries(tools)).toEqual({
		Get_Messages: [],
		Add_Note: ['Note'],
		Assign: [],
		Hand_Over: [],
	});
});

it('Contacts who ask for a person at the same time each get an execution, a note, the team of their channel and a person', async () => {
	await write(nora, 'It is late! Can I talk to a person?');
	await write(ben, BEN_WRITES);
	await waitForAnswer(ben, 1);
	await waitForAnswer(nora, 2);
	expect(await n8n.client.executionsOf(workflowId)).toHaveLength(3);
	expect(await outcomeOf(nora)).toEqual({ notes: [noteOnNora], team: 'Sales', botEnabled: false });
	expect(await outcomeOf(ben)).toEqual({ notes: [noteOnBen], team: 'Support', botEnabled: false });
	expect((await answersTo(nora)).at(-1)).toBe('A person will answer you, Nora.');
	expect(await answersTo(ben)).toEqual(['A person will answer you, Ben.']);

	const { requests } = await workspace.journal();
	const changes = requests
		.filter(({ method }) => method !== 'GET')
		.map(({ operation }) => operation);
	const handedOver = ['addNote', 'assignConversation', 'disableBot', 'sendMessage'];
	expect(changes.sort()).toEqual(['sendMessage', ...handedOver, ...handedOver].sort());

	// Each from their own conversation.
	const norasRequests = model.requests.filter((request) => !isBens(request));
	const bensRequests = model.requests.filter(isBens);
	expect(textsOf(norasRequests[2])[0]).toContain('about my order');
	expect(textsOf(bensRequests[0])).toEqual([BEN_WRITES]);
	expect(bensTranscript).toContain(`Ben: ${BEN_WRITES}`);
	expect(bensTranscript).not.toContain('Nora');
});

it('While a person is in charge, the contact gets no answer from the agent', async () => {
	const asked = model.requests.length;
	const { length } = await answersTo(nora);
	await write(nora, 'Thank you');
	// The second poll can come a moment before the contact has been quiet for ten seconds.
	await waitForPolls(3);
	expect(await answersTo(nora)).toHaveLength(length);
	expect(model.requests).toHaveLength(asked);
});

it('When the person hands back, the agent answers the next message and reads what the person wrote', async () => {
	await workspace.reply(nora, 'Your parcel comes on Monday');
	await workspace.happen({ type: 'conversationTransferredToBot', identifier: nora });
	const asked = model.requests.length;
	const { length } = await answersTo(nora);
	await write(nora, 'And the second parcel?');
	const answers = await waitForAnswer(nora, length + 1);
	expect(answers.slice(length)).toEqual(['It comes with the first one, Nora.']);
	expect(textsOf(model.requests[asked]).at(-1)).toBe('And the second parcel?');
	expect(results.at(-1)).toMatch(
		/Nora: Thank you.*Your parcel comes on Monday.*And the second parcel\?/,
	);
	expect(await outcomeOf(ben)).toMatchObject({ botEnabled: false });
});
