import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { credentialFor } from '../../scripts/examples';
import { DEFAULT_N8N_VERSION } from '../../scripts/n8n/install';
import { itemsOf, startN8n, type Execution, type RunningN8n } from '../../scripts/n8n/run';
import { node } from '../support/n8n/workflow';

/* The service calls a real n8n, which starts workflows with Workspace Messaging Instant Trigger. */

const TRIGGER = 'Workspace Messaging Instant Trigger';
const WAIT_MS = 120_000;

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;
let contactId: string;
let flowId: string;

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-instant', {
		service: 'newer',
		contacts: 12,
		allowPrivateUrls: true,
	});
	const { contacts, flows } = await workspace.state();
	[contactId, flowId] = [contacts[0].id, flows[0].id];
	n8n = await startN8n();
	await n8n.client.importCredential(credentialFor(workspace));
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

/**
 * A workflow that nobody has published yet: the trigger, and a node after it that may fail or wait.
 */
async function workflowWith(parameters: INodeParameters, code = 'return $input.all();') {
	const webhookId = randomUUID();
	const id = await n8n.client.importWorkflow({
		name: 'Instant',
		nodes: [
			{
				...node(
					TRIGGER,
					'n8n-nodes-workspace-messaging.workspaceMessagingInstantTrigger',
					1,
					parameters,
				),
				webhookId,
				credentials: { workspaceMessagingApi: { id: null, name: '' } },
			},
			node('Then', 'n8n-nodes-base.code', 2, { jsCode: code }),
		],
		connections: { [TRIGGER]: { main: [[{ node: 'Then', type: 'main', index: 0 }]] } },
	});
	return { id, webhookId, address: `${n8n.address}/webhook/${webhookId}/webhook` };
}

/** The addresses of all webhooks that the service has. */
async function registered(): Promise<string[]> {
	const urls = [];
	for (const path of ['webhooks', 'external-webhooks']) {
		const response = await fetch(`${workspace.url}/api/v1/${path}`, {
			headers: { authorization: `Bearer ${workspace.token}` },
		});
		urls.push(
			...((await response.json()) as { data: Array<{ url: string }> }).data.map(({ url }) => url),
		);
	}
	return urls;
}

/** Waits until something is so. */
async function until<T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
	const deadline = Date.now() + WAIT_MS;
	for (;;) {
		const value = await read();
		if (isSo(value)) return value;
		if (Date.now() > deadline) throw new Error(`Still ${JSON.stringify(value)}`);
		await sleep(200);
	}
}

const count = (number: number) => (list: unknown[]) => list.length === number;

/** Publishes a workflow with the trigger, and waits for its webhook. */
async function published(parameters: INodeParameters, code?: string) {
	const workflow = await workflowWith(parameters, code);
	active.add(workflow.id);
	await n8n.client.activate(workflow.id);
	const urls = await until(registered, (all) =>
		all.some((url) => url.startsWith(workflow.address)),
	);
	return { ...workflow, url: urls.find((url) => url.startsWith(workflow.address))! };
}

/** The workflows that a test has published and that are still on. */
const active = new Set<string>();

afterEach(async () => {
	for (const id of active) await n8n.client.deactivate(id);
	active.clear();
});

/** Switches a workflow off, and waits until its webhook is gone. */
async function unpublish({ id, address }: { id: string; address: string }) {
	active.delete(id);
	await n8n.client.deactivate(id);
	await until(registered, (all) => !all.some((url) => url.startsWith(address)));
}

const archive = async () =>
	await workspace.happen({ type: 'archived', identifier: `id:${contactId}` });

const runsOf = async (id: string) => await n8n.client.executionsOf(id);

/** What the trigger put out. */
const outputOf = (execution: Execution): IDataObject[] =>
	itemsOf(execution, TRIGGER).map(({ json }) => json);

/**
 * Runs a flow whose step calls n8n, and returns the branch that it took, and for how long it
 * waited.
 */
async function runFlow(eventName: string) {
	await workspace.clearJournal();
	await workspace.flowCalls(flowId, [eventName]);
	await fetch(`${workspace.url}/api/v1/contacts/id:${contactId}/flows`, {
		method: 'POST',
		headers: { authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json' },
		body: JSON.stringify({ flowId }),
	});
	const [{ branch, deliveries }] = await until(
		async () => (await workspace.journal()).flowRuns,
		([run]) => run?.branch !== undefined,
	);
	return { branch, status: deliveries?.[0]?.status, ms: deliveries?.[0]?.ms ?? 0 };
}

describe('A published workflow', () => {
	it('starts when the service calls, and has no webhook any more when it is unpublished', async () => {
		const workflow = await published({ event: 'archived' });
		expect(workflow.url).toMatch(/\/webhook\/[-\w]+\/webhook\?key=[0-9a-f]{32}\.[-\w]{16}$/);
		expect(await archive()).toMatchObject([{ status: 200 }]);
		const execution = await n8n.client.waitForRun(workflow.id);
		expect(execution.status).toBe('success');
		expect(outputOf(execution)).toMatchObject([
			{ event: 'archived', contact: { id: contactId }, contactRead: true, archivedBy: 'system' },
		]);
		expect(JSON.stringify(execution.data)).not.toContain(workspace.token);
		await unpublish(workflow);
		expect(await registered()).toEqual([]);
	});

	it('has one webhook if it is published again, with or without a change of the trigger', async () => {
		const workflow = await published({ event: 'archived' });
		await n8n.client.update(workflow.id, ({ nodes }) => ({
			nodes: nodes.map((each) =>
				each.name === TRIGGER ? { ...each, parameters: { event: 'followUp' } } : each,
			),
		}));
		const [changed] = await until(
			registered,
			(urls) => urls.length === 1 && urls[0] !== workflow.url,
		);
		await n8n.client.update(workflow.id, ({ nodes }) => ({
			nodes: nodes.map((each) => (each.name === 'Then' ? { ...each, notes: 'changed' } : each)),
		}));
		await sleep(3000);
		expect(await registered()).toEqual([changed]);
		await workspace.happen({ type: 'followUp', identifier: `id:${contactId}` });
		expect(outputOf(await n8n.client.waitForRun(workflow.id))).toMatchObject([
			{ event: 'followUp' },
		]);
		await unpublish(workflow);
	});

	it('keeps its webhook and its key when n8n starts again', async () => {
		const workflow = await published({ event: 'archived' });
		await n8n.restart();
		await until(
			async () => (await archive())[0]?.status,
			(status) => status === 200,
		);
		await until(
			async () => await runsOf(workflow.id),
			(runs) => runs.length > 0,
		);
		expect(await registered()).toEqual([workflow.url]);
		await unpublish(workflow);
	});

	it('refuses forged calls without an execution; n8n itself refuses what is no call at all', async () => {
		const workflow = await published({ event: 'archived' });
		const call = JSON.stringify({ event: 'conversation_archived', contact_id: contactId });
		const send = async (
			url: string,
			body: string | undefined,
			method = 'POST',
			type = 'application/json',
		) => (await fetch(url, { method, headers: { 'content-type': type }, body })).status;
		expect(await send(workflow.address, call)).toBe(401);
		expect(await send(`${workflow.url}0`, call)).toBe(401);
		expect(await send(`${workflow.url}&key=0`, call)).toBe(401);
		expect(await send(workflow.url, '{}')).toBe(400);
		expect(await send(workflow.url, '[]')).toBe(400);
		expect(await send(workflow.url, call, 'POST', 'text/plain')).toBe(400);
		expect(await send(workflow.url, call.replace(contactId, '99999999999999999999'))).toBe(404);
		expect(await send(workflow.url, '{"event":')).toBe(422);
		expect(
			await send(workflow.url, JSON.stringify({ event: 'x'.repeat(17_000_000) })),
		).toBeGreaterThanOrEqual(400);
		expect(await send(workflow.url, undefined, 'GET')).toBe(404);
		await sleep(1000);
		expect(await runsOf(workflow.id)).toEqual([]);
		expect(await send(workflow.url, call)).toBe(200);
		await until(async () => await runsOf(workflow.id), count(1));
		await unpublish(workflow);
	});
});

it('A workflow with both triggers still hears calls after the polling trigger has saved what it remembers', async () => {
	const webhookId = randomUUID();
	const credentials = { workspaceMessagingApi: { id: null, name: '' } };
	const POLLING = 'Workspace Messaging Trigger';
	const id = await n8n.client.importWorkflow({
		name: 'Both',
		nodes: [
			{
				...node(TRIGGER, 'n8n-nodes-workspace-messaging.workspaceMessagingInstantTrigger', 1, {
					event: 'archived',
				}),
				webhookId,
				credentials,
			},
			{
				...node(POLLING, 'n8n-nodes-workspace-messaging.workspaceMessagingTrigger', 1, {
					event: 'contactCreated',
					pollTimes: { item: [{ mode: 'everyMinute' }] },
				}),
				credentials,
			},
		],
		connections: {},
	});
	const both = { id, address: `${n8n.address}/webhook/${webhookId}/webhook` };
	await workspace.clearJournal();
	active.add(id);
	await n8n.client.activate(id);
	await until(registered, count(1));
	// The first poll reads its list twice; what comes before its end is not new.
	await until(
		async () =>
			(await workspace.journal()).requests.filter(({ path }) => path.includes('createdAt')),
		(polled) => polled.length > 1,
	);
	await sleep(3000);
	await workspace.addContacts([{ firstName: 'New' }]);
	// The poll that finds the contact saves the data of all nodes of the workflow.
	await until(async () => await runsOf(id), count(1));
	expect(await archive()).toMatchObject([{ status: 200 }]);
	await until(async () => await runsOf(id), count(2));
	await unpublish(both);
});

describe('Flow Sends Data', () => {
	const parameters = (more: INodeParameters = {}) => ({
		event: 'flowSendsData',
		eventName: 'order_paid',
		...more,
	});
	const slowly = 'await new Promise((resolve) => setTimeout(resolve, 2000)); return $input.all();';
	const failing = "throw new Error('No stock');";

	it('answers the flow at once, and it takes the success branch even if the workflow fails later', async () => {
		const workflow = await published(parameters(), failing);
		expect(await runFlow('order_paid')).toMatchObject({ branch: 'success', status: 200 });
		const execution = await n8n.client.waitForRun(workflow.id);
		expect(execution.status).toBe('error');
		expect(outputOf(execution)).toMatchObject([
			{
				event: 'flowSendsData',
				eventName: 'order_paid',
				contact: { id: contactId },
				contactRead: true,
			},
		]);
		await unpublish(workflow);
	});

	it('lets the flow wait until the workflow finishes if the user wants that', async () => {
		const workflow = await published(parameters({ respond: 'lastNode' }), slowly);
		const { branch, status, ms } = await runFlow('order_paid');
		expect([branch, status]).toEqual(['success', 200]);
		expect(ms).toBeGreaterThan(1900);
		await unpublish(workflow);
	});

	it('lets the flow take its error branch if the workflow fails before it finishes', async () => {
		const workflow = await published(parameters({ respond: 'lastNode' }), failing);
		expect(await runFlow('order_paid')).toMatchObject({ branch: 'error', status: 500 });
		await unpublish(workflow);
	});

	it('keeps Respond out of other events, which have no such choice', async () => {
		const workflow = await published({ event: 'archived', respond: 'lastNode' }, failing);
		expect(await archive()).toMatchObject([{ status: 200 }]);
		await unpublish(workflow);
	});
});

it('starts the workflow at once with each message that a contact writes, and with none twice', async () => {
	const workflow = await published({
		event: 'messageReceivedAtOnce',
		eventName: 'contact_wrote',
	});
	await workspace.flowCalls(flowId, ['contact_wrote']);
	await workspace.setDefaultReply(flowId);
	const texts = Array.from({ length: 5 }, (_, index) => `Message ${index}`);
	for (const text of texts) await workspace.write(`id:${contactId}`, text);
	const other = (await workspace.state()).contacts[1].id;
	await workspace.write(`id:${other}`, 'From somebody else');
	const found = async () => {
		const ids = await runsOf(workflow.id);
		const runs = await Promise.all(ids.map(async (id) => await n8n.client.waitForExecution(id)));
		return runs.flatMap(outputOf).map(({ text }) => String(text));
	};
	const all = await until(found, (items) => items.length > texts.length);
	await sleep(4000);
	expect((await found()).toSorted()).toEqual([...texts, 'From somebody else'].toSorted());
	expect(all).toHaveLength(6);
	await unpublish(workflow);
});

it('starts one execution for the three messages that each of ten contacts writes, and the flow goes on before', async () => {
	// So long that even a busy machine answers a call sooner, unless the call waits for the group.
	const seconds = 25;
	const workflow = await published({
		event: 'messageReceivedAtOnce',
		eventName: 'contact_writes',
		options: { groupMessages: seconds },
	});
	await workspace.flowCalls(flowId, ['contact_writes']);
	await workspace.setDefaultReply(flowId);
	await workspace.clearJournal();
	const texts = ['Hi', 'I have a question', 'about my order'];
	// Those who have not written before: what they wrote in the last five minutes would be new, too.
	const contacts = (await workspace.state()).contacts.slice(2, 12);
	const write = async ({ id }: { id: string }) => {
		for (const text of texts) await workspace.write(`id:${id}`, text);
	};
	await Promise.all(contacts.map(write));
	// A flow of the test before may still wait for an answer.
	const flowRuns = await until(
		async () => (await workspace.journal()).flowRuns.filter(({ branch }) => branch),
		count(contacts.length * texts.length),
	);
	expect(flowRuns.filter(({ branch }) => branch !== 'success')).toEqual([]);
	const waits = flowRuns.map(({ deliveries }) => deliveries?.[0]?.ms ?? Infinity);
	expect(Math.max(...waits)).toBeLessThan(seconds * 1000);
	const ids = await until(async () => await runsOf(workflow.id), count(contacts.length));
	await sleep(3000);
	expect(await runsOf(workflow.id)).toHaveLength(contacts.length);
	const runs = await Promise.all(ids.map(async (id) => await n8n.client.waitForExecution(id)));
	const found = runs.map(outputOf).map((items) => items.map(({ chatInput }) => chatInput));
	expect(found).toEqual(contacts.map(() => [texts.join('\n')]));
	expect(new Set(runs.flatMap(outputOf).map(({ sessionId }) => sessionId)).size).toBe(10);
	await unpublish(workflow);
});

describe('Listen for test event', () => {
	it('receives one call at an address of its own, and leaves nothing behind', async () => {
		const workflow = await workflowWith({ event: 'archived' });
		await n8n.client.listen(workflow.id, TRIGGER);
		const urls = await registered();
		expect(urls).toHaveLength(1);
		expect(urls[0]).toContain(`/webhook-test/${workflow.webhookId}/webhook?key=`);
		expect((await fetch(urls[0].replace(/key=./, 'key=x'), { method: 'POST' })).status).toBe(401);
		expect(await archive()).toMatchObject([{ status: 200 }]);
		expect(outputOf(await n8n.client.waitForRun(workflow.id))).toMatchObject([
			{ event: 'archived' },
		]);
		await until(registered, count(0));
	});

	it('shows messages that a contact writes one after the other in one item', async () => {
		const workflow = await workflowWith({
			event: 'messageReceivedAtOnce',
			eventName: 'contact_tests',
			options: { groupMessages: 3 },
		});
		await n8n.client.listen(workflow.id, TRIGGER);
		await workspace.flowCalls(flowId, ['contact_tests']);
		await workspace.setDefaultReply(flowId);
		for (const text of ['One', 'Two']) await workspace.write(`id:${contactId}`, text);
		expect(outputOf(await n8n.client.waitForRun(workflow.id))).toMatchObject([
			{ chatInput: expect.stringMatching(/One\nTwo$/) as string },
		]);
		await until(registered, count(0));
	});

	it('works while the workflow is published, apart from its own webhook', async () => {
		const workflow = await published({ event: 'archived' });
		await n8n.client.listen(workflow.id, TRIGGER);
		expect(await registered()).toHaveLength(2);
		expect((await archive()).map(({ status }) => status)).toEqual([200, 200]);
		await until(async () => await runsOf(workflow.id), count(2));
		await until(registered, count(1));
		expect(await registered()).toEqual([workflow.url]);
		await unpublish(workflow);
	});
});

// n8n 1 answers the publication itself; only later versions have a status.
const itInN8n2 = DEFAULT_N8N_VERSION.startsWith('1.') ? it.skip : it;

describe('If the service refuses the webhook', () => {
	afterEach(async () => {
		await workspace.faults({ fail: null });
	});

	itInN8n2('the status of the workflow says why, and no webhook is left', async () => {
		await workspace.faults({
			fail: [
				{
					match: { method: 'POST', pathPattern: 'webhooks' },
					status: 422,
					message: '[ssrf-guard] Not allowed',
				},
			],
		});
		const workflow = await workflowWith({ event: 'archived' });
		await n8n.client.activate(workflow.id);
		const { triggers } = await until(
			async () =>
				await n8n.client.request<{ status: string; triggers: Array<{ errorMessage?: string }> }>(
					'GET',
					`/workflows/${workflow.id}/publication-status`,
				),
			({ status }) => status === 'failed',
		);
		expect(triggers[0].errorMessage).toContain(
			`The service can't call n8n at ${n8n.address}, because this address isn't public: set N8N_WEBHOOK_URL to the public address of n8n.`,
		);
		expect(await registered()).toEqual([]);
	});

	itInN8n2('one failure does not count: n8n tries again', async () => {
		await workspace.faults({
			fail: [
				{ match: { method: 'POST', pathPattern: 'webhooks' }, status: 400, times: 1, per: 'rule' },
			],
		});
		const workflow = await published({ event: 'archived' });
		expect(await registered()).toEqual([workflow.url]);
		await unpublish(workflow);
	});
});

it('sends the token to the service only', async () => {
	expect(await sandbox.unknownRequests()).toEqual([]);
});
