import { randomUUID } from 'node:crypto';
import { credentialFor, nodeOf, readExample } from '../../scripts/examples';
import { DEFAULT_N8N_VERSION } from '../../scripts/n8n/install';
import { itemsOf, useN8n, type RunningN8n, type WorkflowFile } from '../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { replaceTables } from '../support/n8n/replaceTables';
import { until } from '../support/n8n/until';

/* A flow of the service calls the example order-paid.json in a real n8n. */

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;
let flow: { id: string; name: string };
let contact: string;

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-the-order', {
		service: 'newer',
		contacts: 0,
		// n8n runs on this machine.
		allowPrivateUrls: true,
	});
	[flow] = (await workspace.state()).flows;
	await workspace.flowCalls(flow.id, ['order_paid']);
	const [{ id }] = await workspace.addContacts([
		{ firstName: 'Nora', lastName: 'Lind', email: 'nora@example.com' },
	]);
	contact = `id:${id}`;
	n8n = await useN8n();
	await n8n.client.importCredential(credentialFor(workspace));
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

beforeEach(async () => {
	await workspace.clearJournal();
});

/** Calls the API of the service. */
const call = async (path: string, body?: object) =>
	await fetch(`${workspace.url}/api/v1/${path}`, {
		method: body ? 'POST' : 'GET',
		headers: { authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json' },
		body: body && JSON.stringify(body),
	});

const webhooks = async () =>
	((await (await call('external-webhooks')).json()) as { data: unknown[] }).data;

/** Publishes the example, runs the flow, and returns the branch that it took and the execution. */
async function runFlow(start: () => Promise<unknown>, change?: (workflow: WorkflowFile) => void) {
	const workflow = readExample('order-paid.json');
	// As n8n does when somebody imports the file.
	nodeOf(workflow, 'Order Paid').webhookId = randomUUID();
	if (DEFAULT_N8N_VERSION.startsWith('1.')) replaceTables(workflow);
	change?.(workflow);
	const id = await n8n.client.importWorkflow(workflow);
	await n8n.client.activate(id);
	try {
		await until(webhooks, ({ length }) => length === 1);
		await start();
		const [{ branch }] = await until(
			async () => (await workspace.journal()).flowRuns,
			([run]) => run?.branch !== undefined,
		);
		return { branch, execution: await n8n.client.waitForRun(id) };
	} finally {
		await n8n.client.deactivate(id);
		await until(webhooks, ({ length }) => length === 0);
	}
}

const startByApi = async () => await call(`contacts/${contact}/flows`, { flowId: flow.id });
const startByKeyword = async () => await workspace.write(contact, flow.name);

it.each([
	['a program starts', startByApi],
	['a contact starts with a word', startByKeyword],
])('A flow that %s adds a row and thanks the contact', async (_, start) => {
	const { branch, execution } = await runFlow(start);

	expect(branch).toBe('success');
	expect(execution.status).toBe('success');
	expect(itemsOf(execution, 'Order Paid').map(({ json }) => json)).toMatchObject([
		{
			event: 'flowSendsData',
			eventName: 'order_paid',
			contactRead: true,
			contact: { firstName: 'Nora' },
		},
	]);
	expect(itemsOf(execution, 'Add Row').map(({ json }) => json)).toEqual([
		expect.objectContaining({
			contactId: contact.slice(3),
			name: 'Nora Lind',
			email: 'nora@example.com',
		}),
	]);
	expect(
		(await workspace.journal()).messages.map(({ contactId, text }) => [contactId, text]),
	).toEqual([
		[contact.slice(3), 'Thank you, Nora! We have your payment, and pack your order now.'],
	]);
});

it.each([
	['error', 'When the Workflow Finishes', 'lastNode'],
	['success', 'Immediately', 'onReceived'],
])(
	'A flow takes its %s branch if the thank-you fails and Respond is "%s"',
	async (taken, _, respond) => {
		const { branch, execution } = await runFlow(startByApi, (workflow) => {
			nodeOf(workflow, 'Order Paid').parameters.respond = respond;
			nodeOf(workflow, 'Send Message').parameters.text = '';
		});
		expect(branch).toBe(taken);
		expect(execution.status).toBe('error');
		expect((await workspace.journal()).messages).toEqual([]);
	},
);
