import { randomUUID } from 'node:crypto';
import { credentialFor, nodeOf, readExample, modelCredential } from '../../scripts/examples';
import { useN8n, type RunningN8n } from '../../scripts/n8n/run';
import { startStandInModel } from '../../scripts/standInModel';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';

/* The model of `npm start`, which needs no account, with n8n's agent. */

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let model: Awaited<ReturnType<typeof startStandInModel>>;
let n8n: RunningN8n;
let webhookId: string;

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-the-stand-in', { contacts: 3 });
	model = await startStandInModel();
	n8n = await useN8n();
	await n8n.client.importCredential(credentialFor(workspace));
	await n8n.client.importCredential(modelCredential(model.url));
	const workflow = readExample('ai-support-agent.json');
	const chat = nodeOf(workflow, 'Chat');
	chat.parameters.public = true;
	// Another file publishes the example, too.
	webhookId = randomUUID();
	chat.webhookId = webhookId;
	await n8n.client.activate(await n8n.client.importWorkflow(workflow));
});

afterAll(async () => {
	await n8n?.stop();
	await model?.stop();
	await sandbox?.stop();
});

it('An agent with the stand-in model sends a message when it is told to call the tool', async () => {
	const [contact] = (await workspace.state()).contacts;
	const call = `Call send a message: contact = ${contact.email}; text = Hello from the agent`;
	expect(await n8n.client.chat(webhookId, call)).toContain('The tool returned:');
	expect((await workspace.journal()).messages).toMatchObject([
		{ contactId: contact.id, text: 'Hello from the agent' },
	]);
});

it('An agent with the stand-in model repeats what it hears otherwise', async () => {
	expect(await n8n.client.chat(webhookId, 'Good morning')).toContain('You wrote: "Good morning"');
});
