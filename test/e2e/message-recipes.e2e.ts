import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentialFor, modelCredential, nodeOf, pick, readExample } from '../../scripts/examples';
import { itemsOf, useN8n, type RunningN8n, type WorkflowFile } from '../../scripts/n8n/run';
import { startStandInModel } from '../../scripts/standInModel';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { countPolls, everyTenSeconds, textsTo } from '../support/n8n/messages';
import { startScriptedModel } from '../support/n8n/scriptedModel';
import { until } from '../support/n8n/until';

/* The recipes that begin with a message, in a real n8n: one that arrived, or one that did not. */

jest.setTimeout(900_000);

/** A first poll has this long to save what it has read. */
const SETTLE_MS = 5000;

let sandbox: Sandbox;
let n8n: RunningN8n;

beforeAll(async () => {
	sandbox = await startSandbox();
	n8n = await useN8n();
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

/** The workflows that a test has published and that are still on. */
const active = new Set<string>();

afterEach(async () => {
	for (const id of active) await n8n.client.deactivate(id);
	active.clear();
});

/** Makes a workspace of its own for a test. Workflows that are imported from then on use it. */
async function ownWorkspace(token: string) {
	const own = await sandbox.workspace(token, {
		service: 'newer',
		contacts: 0,
		// n8n runs on this machine, and webhooks call it.
		allowPrivateUrls: true,
	});
	await n8n.client.importCredential(credentialFor(own));
	return own;
}

async function publish(workflow: WorkflowFile): Promise<string> {
	const id = await n8n.client.importWorkflow(workflow);
	active.add(id);
	await n8n.client.activate(id);
	return id;
}

/** Publishes a workflow whose trigger polls, and waits until it remembers what is there. */
async function publishPolling(
	workflow: WorkflowFile,
	trigger: string,
	polls: () => Promise<number>,
): Promise<string> {
	nodeOf(workflow, trigger).parameters.pollTimes = { item: everyTenSeconds };
	const id = await publish(workflow);
	await until(polls, (count) => count > 0);
	await sleep(SETTLE_MS);
	return id;
}

const waitForTexts = async (workspace: SandboxWorkspace, contact: string, count: number) =>
	await until(
		async () => await textsTo(workspace, contact),
		({ length }) => length >= count,
	);

const tagsOf = async (workspace: SandboxWorkspace, contact: string) =>
	(await workspace.contact(contact)).tags.map(({ name }) => name);

test('The example answer-at-once.json answers at once on the channel of the contact, remembers, and is silent while a person is in charge', async () => {
	const workspace = await ownWorkspace('token-of-at-once');
	const { channels, flows } = await workspace.state();
	const [whatsApp, website] = ['whatsapp', 'webchat'].map(
		(type) => channels.find(({ channel }) => channel === type)!.id,
	);
	const [{ id }] = await workspace.addContacts([
		{ firstName: 'Nora', inboxIds: [website, whatsApp] },
	]);
	const nora = `id:${id}`;
	await workspace.flowCalls(flows[0].id, ['contact_wrote']);
	await workspace.setDefaultReply(flows[0].id);
	const answers = ['Hello Nora', 'It comes on Monday', 'Monday, as I said', 'You are welcome'];
	const model = await startScriptedModel(answers.map((say) => () => ({ say })));
	try {
		await n8n.client.importCredential(modelCredential(model.url));
		const workflow = readExample('answer-at-once.json');
		// As n8n does when somebody imports the file.
		nodeOf(workflow, 'Message Received').webhookId = randomUUID();
		const workflowId = await publish(workflow);
		await until(
			async () => (await workspace.journal()).requests,
			(requests) => requests.some(({ path, method }) => method === 'POST' && /webhooks/.test(path)),
		);

		const times: number[] = [];
		for (const [index, text] of ['Hi', 'When does it come?', 'When?', 'Thank you'].entries()) {
			const startedAt = performance.now();
			await workspace.write(nora, { text, inboxId: whatsApp });
			await waitForTexts(workspace, nora, index + 1);
			times.push(performance.now() - startedAt);
		}
		// The flow itself says nothing.
		expect(await textsTo(workspace, nora)).toEqual(answers);
		// The median; a poll would need ten seconds or more.
		expect(times.toSorted((a, b) => a - b)[1]).toBeLessThan(5000);
		const { messages } = await workspace.journal();
		expect(messages.map(({ inboxId }) => inboxId)).toEqual(answers.map(() => whatsApp));
		const heard = model.requests[1].messages.map(({ content }) => content);
		expect(heard.slice(-3)).toEqual(['Hi', 'Hello Nora', 'When does it come?']);

		await workspace.changeConversation(nora, { botEnabled: false });
		await workspace.write(nora, { text: 'Is anybody there?', inboxId: whatsApp });
		await sleep(SETTLE_MS);
		expect(model.requests).toHaveLength(answers.length);
		expect(await n8n.client.executionsOf(workflowId)).toHaveLength(answers.length);
	} finally {
		await model.stop();
	}
});

test('The example not-delivered.json adds the reason as a note and assigns the conversation, also if another contact was deleted', async () => {
	const workspace = await ownWorkspace('token-of-not-delivered');
	const team = await workspace.add('teams', { name: 'Support at night', inboxTeamMembers: [] });
	const contacts = await workspace.addContacts([{ firstName: 'Gone' }, { firstName: 'Nora' }]);
	const [gone, nora] = contacts.map(({ id }) => `id:${id}`);
	await workspace.logError(nora, { action: 'whatsapp', detail: '131026: from before' });
	const workflow = readExample('not-delivered.json');
	pick(
		workflow,
		'Assign to Team',
		'teamId',
		[{ ...team, name: 'Support at night' }],
		'Support at night',
	);
	const readLog = async () =>
		(await workspace.journal()).requests.filter(({ path }) => path.includes('error-logs')).length;
	const workflowId = await publishPolling(workflow, 'Message Not Delivered', readLog);

	await workspace.logError(gone, { action: 'whatsapp', detail: 'Error 131026: undeliverable' });
	await workspace.removeContacts([gone]);
	await workspace.logError(nora, { action: 'whatsapp', detail: 'Error 131047: re-engagement' });
	const { contactNotes } = await until(
		async () => await workspace.contact(nora),
		({ conversation }) => conversation?.assignedInboxTeamId === team.id,
	);
	expect(contactNotes.map(({ text }) => text)).toEqual([
		'A message on whatsapp did not arrive. The contact last wrote more than 24 hours ago. Use Send Template instead.',
	]);
	const runs = await n8n.client.executionsOf(workflowId);
	const executions = await Promise.all(
		runs.map(async (id) => await n8n.client.waitForExecution(id)),
	);
	expect(executions.map(({ status }) => status)).toEqual(runs.map(() => 'success'));
	const failed = executions.flatMap((execution) => itemsOf(execution, 'Add Note', 1));
	expect(failed.map(({ json }) => json.contact)).toMatchObject([{ id: gone.slice(3) }]);
});

test('The example stop-and-start.json adds and removes the tag by the last word that a contact writes, and says so', async () => {
	const workspace = await ownWorkspace('token-of-stop');
	const tag = await workspace.add('tags', { name: 'No campaigns' });
	const contacts = await workspace.addContacts([
		{ firstName: 'Stops' },
		{ firstName: 'Starts', tagIds: [tag.id] },
		{ firstName: 'Starts and stops' },
		{ firstName: 'Stops and starts' },
		{ firstName: 'Asks' },
	]);
	const [stops, starts, startsAndStops, stopsAndStarts, asks] = contacts.map(
		({ id }) => `id:${id}`,
	);
	const polls = async () => await countPolls(workspace);
	const workflow = readExample('stop-and-start.json');
	const workflowId = await publishPolling(workflow, 'Message Received', polls);

	for (const [contact, ...texts] of [
		[asks, 'Please stop by', 'When do you start?'],
		[startsAndStops, 'START', 'STOP', 'Thank you'],
		[stopsAndStarts, 'stop', 'start'],
		[starts, ' Start '],
		[stops, 'Stop!'],
	])
		for (const text of texts) await workspace.write(contact, text);
	for (const contact of [stops, starts, startsAndStops, stopsAndStarts])
		await waitForTexts(workspace, contact, 1);
	const before = await polls();
	await until(polls, (count) => count > before);
	await sleep(SETTLE_MS);

	const runs = await n8n.client.executionsOf(workflowId);
	for (const id of runs)
		expect((await n8n.client.waitForExecution(id)).data.resultData.error).toBeUndefined();
	for (const contact of [stops, startsAndStops]) {
		expect(await tagsOf(workspace, contact)).toEqual(['No campaigns']);
		expect((await textsTo(workspace, contact)).at(-1)).toMatch(/^You get no more offers/);
	}
	for (const contact of [starts, stopsAndStarts]) {
		expect(await tagsOf(workspace, contact)).toEqual([]);
		expect((await textsTo(workspace, contact)).at(-1)).toMatch(/^You get our offers again/);
	}
	expect(await tagsOf(workspace, asks)).toEqual([]);
	expect(await textsTo(workspace, asks)).toEqual([]);
});

test('The example voice-note.json answers what a voice note says, and what a contact types', async () => {
	const workspace = await ownWorkspace('token-of-voice');
	const contacts = await workspace.addContacts([{ firstName: 'Nora' }, { firstName: 'Ben' }]);
	const [nora, ben] = contacts.map(({ id }) => `id:${id}`);
	const model = await startStandInModel();
	try {
		await n8n.client.importCredential(modelCredential(model.url));
		const polls = async () => await countPolls(workspace);
		await publishPolling(readExample('voice-note.json'), 'Message Received', polls);
		const content = Buffer.from('OggS\0 not really audio').toString('base64');
		await workspace.write(nora, {
			attachments: [{ name: 'voice.ogg', mimeType: 'audio/ogg; codecs=opus', content }],
		});
		await workspace.write(ben, 'Good morning');
		expect(await waitForTexts(workspace, nora, 1)).toEqual([
			expect.stringMatching(/^You wrote: "\(what voice\.ogg says\)"/),
		]);
		expect(await waitForTexts(workspace, ben, 1)).toEqual([
			expect.stringMatching(/^You wrote: "Good morning"/),
		]);
	} finally {
		await model.stop();
	}
});
