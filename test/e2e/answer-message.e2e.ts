import { setTimeout as sleep } from 'node:timers/promises';
import { credentialFor, nodeOf, readExample } from '../../scripts/examples';
import { useN8n, type RunningN8n } from '../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { countPolls, everyTenSeconds, textsTo } from '../support/n8n/messages';
import { until } from '../support/n8n/until';

/* Contacts write, and the example answer-message.json answers them, in a real n8n. */

jest.setTimeout(900_000);

/** A first poll has this long to save what it has read. */
const SETTLE_MS = 5000;

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-answers', { service: 'newer', contacts: 0 });
	n8n = await useN8n();
	await n8n.client.importCredential(credentialFor(workspace));
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

it('Two nodes answer each contact who writes, and nothing from before', async () => {
	const contacts = await workspace.addContacts([{ firstName: 'Nora' }, { firstName: null }]);
	const [nora, stranger] = contacts.map(({ id }) => `id:${id}`);
	await workspace.write(nora, 'Something that she wrote before the workflow was published');
	const workflow = readExample('answer-message.json');
	expect(workflow.nodes.filter(({ type }) => !type.endsWith('.stickyNote'))).toHaveLength(2);
	nodeOf(workflow, 'Message Received').parameters.pollTimes = { item: everyTenSeconds };
	const workflowId = await n8n.client.importWorkflow(workflow);
	await n8n.client.activate(workflowId);
	const polls = async () => await countPolls(workspace);
	await until(polls, (count) => count > 0);
	await sleep(SETTLE_MS);

	await workspace.write(nora, 'Where is my order?');
	await workspace.write(stranger, 'Hello?');
	for (const contact of [nora, stranger])
		await until(
			async () => await textsTo(workspace, contact),
			({ length }) => length > 0,
		);
	const answered = await polls();
	await until(polls, (count) => count > answered + 1);
	await sleep(SETTLE_MS);
	expect(await textsTo(workspace, nora)).toEqual([
		'Hello Nora, thank you for your message. We answer today.',
	]);
	expect(await textsTo(workspace, stranger)).toEqual([
		'Hello there, thank you for your message. We answer today.',
	]);
	await n8n.client.deactivate(workflowId);
});
