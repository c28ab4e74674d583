import type { INode } from 'n8n-workflow';
import { credentialFor } from '../../scripts/examples';
import { NODE_TYPE, useN8n, type RunningN8n } from '../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { chain, node } from '../support/n8n/workflow';

/* Retry On Fail of a real n8n, whose first row has a contact that the service does not know. */

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-the-tries');
	n8n = await useN8n();
	await n8n.client.importCredential(credentialFor(workspace));
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

/** Sends a message to an unknown contact and four others, with three tries. */
async function sendToFive(onError: NonNullable<INode['onError']>) {
	await workspace.reset({ service: 'older', contacts: 4 });
	const { contacts } = await workspace.state();
	const rows = ['999999', ...contacts.map(({ id }) => id)].map((id) => ({ id }));
	const settings = { onError, retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
	const nodes = [
		node('Rows', 'n8n-nodes-base.code', 2, { jsCode: `return ${JSON.stringify(rows)};` }),
		{
			...node('Send', NODE_TYPE, 1, {
				resource: 'message',
				operation: 'send',
				identifier: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				text: 'Hello',
			}),
			...settings,
		},
	];
	const id = await n8n.client.importWorkflow(chain('Three tries', nodes));
	const { data } = await n8n.client.run(id);
	const [sent] = data.resultData.runData.Send;
	const { messages, requests } = await workspace.journal();
	// In a manual run, n8n first looks when the contact wrote, and then asks for the contact.
	const asked = requests.filter(({ path }) => path.includes('999999'));
	const tries = asked.filter((_, place) => place % 2 === 1);
	return { rows, sent, messages, tries, error: data.resultData.error };
}

test('With Continue (using error output), each contact gets one message, and the unknown one is tried three times', async () => {
	const { rows, sent, messages, tries } = await sendToFive('continueErrorOutput');
	expect(messages.map(({ contactId }) => contactId).sort()).toEqual(
		rows
			.slice(1)
			.map(({ id }) => id)
			.sort(),
	);
	expect(tries).toHaveLength(3);
	const [outputs, failures] = sent.data!.main;
	expect(outputs!.map(({ json, pairedItem }) => [json.contactId, pairedItem])).toEqual(
		rows.slice(1).map(({ id }, index) => [id, { item: index + 1 }]),
	);
	expect(failures).toMatchObject([{ json: { id: '999999', error: expect.any(String) } }]);
	expect(JSON.stringify(sent.hints)).toContain('n8n did not repeat 4 of 5 items');
});

test('With Stop Workflow, each contact gets one message, too, and the error says so', async () => {
	const { messages, tries, error } = await sendToFive('stopWorkflow');
	expect(messages).toHaveLength(4);
	expect(tries).toHaveLength(3);
	expect(error?.description).toContain('5 items: 4 sent (items 1–4), 1 failed (item 0).');
});
