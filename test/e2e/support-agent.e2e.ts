import { setTimeout as sleep } from 'node:timers/promises';
import { credentialFor, nodeOf, readExample, modelCredential } from '../../scripts/examples';
import { itemsOf, startN8n, type RunningN8n } from '../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { countPolls, everyTenSeconds, textsTo } from '../support/n8n/messages';
import { startScriptedModel, type ScriptedModel } from '../support/n8n/scriptedModel';
import { until } from '../support/n8n/until';

/* Contacts write, and the example support-agent.json answers them, in a real n8n. */

jest.setTimeout(900_000);

/** A first poll has this long to save what it has read. */
const SETTLE_MS = 5000;

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;
let model: ScriptedModel;
let workflowId: string;
let nora: string;
let ben: string;
let lastResult = '';

const remember = (result: string) => {
	lastResult = result;
};

const script: Parameters<typeof startScriptedModel>[0] = [
	() => ({ tool: 'Read_the_contact', args: {} }),
	(result) => {
		remember(result);
		return { tool: 'Add_tags_to_the_contact', args: { Tag_Names: 'Needs a person' } };
	},
	() => ({ say: 'Hello Nora, somebody will look at your order.' }),
	() => ({ say: 'It is on its way, Nora.' }),
	() => ({ tool: 'Read_the_contact', args: {} }),
	(result) => {
		remember(result);
		return { tool: 'Add_tags_to_the_contact', args: { Tag_Names: 'Opening Hours' } };
	},
	() => ({ say: 'We are open until six, Ben.' }),
];

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-the-support-agent', { service: 'newer', contacts: 0 });
	for (const name of ['Needs a person', 'Opening Hours']) await workspace.add('tags', { name });
	const contacts = await workspace.addContacts([{ firstName: 'Nora' }, { firstName: 'Ben' }]);
	[nora, ben] = contacts.map(({ id }) => `id:${id}`);
	await workspace.write(nora, 'Something that she wrote before the workflow was published');
	model = await startScriptedModel(script);
	n8n = await startN8n();
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

const polls = async () => await countPolls(workspace);

const answersTo = async (contact: string) => await textsTo(workspace, contact);

const tagsOf = async (contact: string) => (await workspace.contact(contact)).tags.map(({ name }) => name);

/** What the model read in a request besides its instructions. */
const textsOf = ({ messages }: ScriptedModel['requests'][number]) =>
	messages.filter(({ role }) => role !== 'system').map(({ content }) => String(content));

it('Three messages in a row get one answer once the contact is quiet', async () => {
	for (const text of ['Hi', 'I have a question', 'about my order']) await workspace.write(nora, text);
	await until(
		async () => await answersTo(nora),
		({ length }) => length > 0,
	);
	const answered = await polls();
	await until(polls, (count) => count > answered);
	await sleep(SETTLE_MS);
	expect(await answersTo(nora)).toEqual(['Hello Nora, somebody will look at your order.']);
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

it('The tools of the agent read and change the contact who wrote', async () => {
	expect(lastResult).toContain('Nora');
	expect(await tagsOf(nora)).toEqual(['Needs a person']);
});

it('Contacts who write at the same time get answers of their own, each from their own conversation', async () => {
	await workspace.write(nora, 'Where is it?');
	await workspace.write(ben, 'Until when are you open?');
	await until(
		async () => await answersTo(ben),
		({ length }) => length > 0,
	);
	expect(await answersTo(nora)).toEqual([
		'Hello Nora, somebody will look at your order.',
		'It is on its way, Nora.',
	]);
	expect(await answersTo(ben)).toEqual(['We are open until six, Ben.']);

	const [, , , forNora, forBen] = model.requests.map(textsOf);
	expect(forNora[0]).toContain('about my order');
	expect(forNora.at(-1)).toContain('Where is it?');
	expect(forBen).toEqual(['Until when are you open?']);
	expect(lastResult).toContain('Ben');
	expect(await tagsOf(ben)).toEqual(['Opening Hours']);
	expect(await tagsOf(nora)).toEqual(['Needs a person']);
});

it('A contact whom a person looks after gets no answer from the agent', async () => {
	await workspace.changeConversation(ben, { botEnabled: false });
	const asked = model.requests.length;
	await workspace.write(ben, 'Thank you');
	const before = await polls();
	await until(polls, (count) => count >= before + 2);
	await sleep(SETTLE_MS);
	expect(await answersTo(ben)).toHaveLength(1);
	expect(model.requests).toHaveLength(asked);
});
