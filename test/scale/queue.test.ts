import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { credentialFor } from '../../scripts/examples';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { countPolls, textsTo } from '../support/n8n/messages';
import { startQueue, type Queue } from '../support/scale/queue';
import {
	answerAtOnceWorkflow,
	answerWorkflow,
	askWorkflow,
	sendWorkflow,
	splitWorkflow,
} from '../support/scale/workflows';

const PATH = 'send';
/**
 * Twenty requests a second: less than one worker alone would send, and nobody tells the workers.
 */
const rateLimit = { requests: 60, windowMs: 3000, kind: 'sliding', tell: 'none' } as const;

interface Item {
	id: string;
	clientId: string;
}

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let queue: Queue;
let workflowId: string;

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-the-workers', { contacts: 0 });
	queue = await startQueue(2);
	await queue.client.importCredential(credentialFor(workspace));
	workflowId = await queue.client.importWorkflow(sendWorkflow(PATH));
	await queue.client.activate(workflowId);
	const webhook = `${queue.address}/webhook/${PATH}`;
	while ((await fetch(webhook, { method: 'POST', body: '{}' })).status === 404) await sleep(200);
	await ended();
}, 400_000);

afterAll(async () => {
	await queue?.stop();
	await sandbox?.stop();
});

/**
 * So many people, in a workspace without a history. Each has a number of the user's own: those that
 * the node makes are others in another execution.
 */
async function people(count: number): Promise<Item[]> {
	await workspace.reset({ contacts: count, faults: { rateLimit } });
	const { contacts } = await workspace.state();
	return contacts.map(({ id }, nth) => ({ id, clientId: String(1_000_000 + nth) }));
}

async function send(items: Item[]) {
	const { status } = await fetch(`${queue.address}/webhook/${PATH}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ items }),
	});
	expect(status).toBe(200);
}

interface Listed {
	id: string;
	status: string;
}

/** The runs of the workflow, oldest first. */
async function runs(id = workflowId): Promise<Listed[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
	const { results } = await queue.client.request<{ results: Listed[] }>(
		'GET',
		`/executions?filter=${filter}&limit=100`,
	);
	return results.sort((a, b) => Number(a.id) - Number(b.id));
}

/** The runs of the workflow, once none is going on. */
async function ended(id = workflowId): Promise<Listed[]> {
	for (;;) {
		const all = await runs(id);
		if (all.every(({ status }) => !['new', 'running', 'waiting'].includes(status))) return all;
		await sleep(500);
	}
}

const batchesOf = (items: Item[], size: number) =>
	Array.from({ length: Math.ceil(items.length / size) }, (_, nth) =>
		items.slice(nth * size, (nth + 1) * size),
	);

const since = (before: Listed[], after: Listed[]) => after.slice(before.length);

/** Which of these runs each worker took. */
const takenBy = (listed: Listed[]) =>
	queue.workers.map(
		(worker) => worker.executions().filter((id) => listed.some((run) => run.id === id)).length,
	);

test('Ten executions on two workers that together exceed the rate send each contact one message', async () => {
	const items = await people(200);
	const before = await runs();
	await Promise.all(batchesOf(items, 20).map(send));
	const mine = since(before, await ended());

	expect(mine.map(({ status }) => status)).toEqual(Array(10).fill('success'));
	expect(Math.min(...takenBy(mine))).toBeGreaterThan(0);
	const { messages, byStatus } = await workspace.summary();
	expect(messages).toEqual({ delivered: 200, contacts: 200, repeated: 0 });
	expect(byStatus['429']).toBeGreaterThan(0);
	process.stderr.write(
		`  ten at once: by worker ${takenBy(mine).join(' and ')}, ${JSON.stringify(byStatus)}\n`,
	);
});

test('One run on two workers sends each contact one message', async () => {
	const items = await people(400);
	const before = await runs();
	const webhook = `${queue.address}/webhook/${PATH}`;
	const id = await queue.client.importWorkflow(splitWorkflow(webhook, batchesOf(items, 40)));
	const { status } = await queue.client.run(id);
	expect(status).toBe('success');
	const mine = since(before, await ended());

	expect(mine.map((run) => run.status)).toEqual(Array(10).fill('success'));
	expect(Math.min(...takenBy(mine))).toBeGreaterThan(0);
	const { messages, byStatus } = await workspace.summary();
	expect(messages).toEqual({ delivered: 400, contacts: 400, repeated: 0 });
	process.stderr.write(
		`  one split: by worker ${takenBy(mine).join(' and ')}, ${JSON.stringify(byStatus)}\n`,
	);
});

test('Questions in the chat wait on any worker, and each answer continues its execution once', async () => {
	await workspace.reset({ contacts: 6, service: 'newer' });
	const contacts = (await workspace.state()).contacts.map(({ id }) => id);
	const path = 'ask';
	const id = await queue.client.importWorkflow(askWorkflow(path));
	await queue.client.activate(id);
	const webhook = `${queue.address}/webhook/${path}`;
	const textsTo = async (contact: string) =>
		(await workspace.messages(`id:${contact}`))
			.filter(({ messageType }) => messageType === 'outgoing')
			.map(({ text }) => text);
	const ask = async (contact: string) => {
		const headers = { 'content-type': 'application/json' };
		const body = JSON.stringify({ id: contact });
		// n8n publishes the workflow some time after its answer.
		while ((await fetch(webhook, { method: 'POST', headers, body })).status === 404)
			await sleep(200);
		while ((await textsTo(contact)).length === 0) await sleep(200);
	};
	await Promise.all(contacts.map(ask));
	const [first, second, ...later] = contacts;
	for (const contact of [first, second])
		await workspace.write(`id:${contact}`, `At once ${contact}`);
	const waiting = async () => (await runs(id)).filter(({ status }) => status === 'waiting');
	// Each of them has an execution that waits in its place.
	while ((await waiting()).length < 2 * later.length) await sleep(500);
	for (const contact of later) await workspace.write(`id:${contact}`, `Later ${contact}`);
	const all = await ended(id);

	expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['success']));
	for (const contact of contacts) {
		const word = later.includes(contact) ? 'Later' : 'At once';
		expect(await textsTo(contact)).toEqual(['Which size?', `Noted: ${word} ${contact}`]);
	}
	process.stderr.write(`  asked: by worker ${takenBy(all).join(' and ')}\n`);
});

const burst = ['Hi', 'I have a question', 'about my order'];

test('Ten contacts who write three messages each start one execution each, in order, on any worker', async () => {
	await workspace.reset({ contacts: 10, service: 'newer' });
	const contacts = (await workspace.state()).contacts.map(({ id }) => id);
	const id = await queue.client.importWorkflow(answerWorkflow({ groupMessages: 10 }));
	await queue.client.activate(id);
	const polled = async (more: number) => {
		const polls = await countPolls(workspace);
		while ((await countPolls(workspace)) < polls + more) await sleep(200);
	};
	await polled(2);
	await Promise.all(
		contacts.map(async (contact) => {
			for (const text of burst) await workspace.write(`id:${contact}`, text);
		}),
	);
	while ((await runs(id)).length < contacts.length) await sleep(200);
	await polled(2);
	const all = await ended(id);

	expect(all.map(({ status }) => status)).toEqual(contacts.map(() => 'success'));
	for (const contact of contacts)
		expect(await textsTo(workspace, `id:${contact}`)).toEqual([`Heard: ${burst.join('\n')}`]);
	await queue.client.deactivate(id);
	process.stderr.write(`  ten contacts wrote: by worker ${takenBy(all).join(' and ')}\n`);
});

/** A published workflow that answers so many contacts at once, and what calls it at two processes. */
async function answerAtOnce(count: number, options: INodeParameters = {}) {
	await workspace.reset({ contacts: count, service: 'newer', allowPrivateUrls: true });
	const contacts = (await workspace.state()).contacts.map(({ id }) => id);
	const event = `contact_wrote_${count}`;
	const id = await queue.client.importWorkflow(answerAtOnceWorkflow(event, options));
	await queue.client.activate(id);
	const headers = {
		authorization: `Bearer ${workspace.token}`,
		'content-type': 'application/json',
	};
	const registered = async () => {
		const response = await fetch(`${workspace.url}/api/v1/external-webhooks`, { headers });
		return ((await response.json()) as { data: Array<{ url: string }> }).data;
	};
	while ((await registered()).length === 0) await sleep(200);
	const { pathname, search } = new URL((await registered())[0].url);
	const call = async (address: string, contact: string) => {
		const body = JSON.stringify({ event, contact: { id: contact }, custom_fields: [], tags: [] });
		const url = `${address}${pathname}${search}`;
		return (await fetch(url, { method: 'POST', headers, body })).status;
	};
	return { contacts, both: [queue.address, queue.webhookAddress], call, id };
}

test('A message whose call reaches two processes twice is answered once by each of them, and by none twice', async () => {
	const {
		contacts: [contact],
		both,
		call,
		id,
	} = await answerAtOnce(1);
	for (const text of ['First', 'Second']) {
		await workspace.write(`id:${contact}`, text);
		const statuses = await Promise.all(
			[...both, ...both].map(async (address) => await call(address, contact)),
		);
		expect(statuses).toEqual([200, 200, 200, 200]);
	}
	const all = await ended(id);
	expect(all.map(({ status }) => status)).toEqual(Array(4).fill('success'));
	const texts = await textsTo(workspace, `id:${contact}`);
	expect(texts.toSorted()).toEqual(
		['First', 'First', 'Second', 'Second'].map((text) => `Heard: ${text}`),
	);
	await queue.client.deactivate(id);
});

test('Three messages whose calls reach two processes in turn start one execution in each of them, in order', async () => {
	const { contacts, both, call, id } = await answerAtOnce(10, { groupMessages: 10 });
	const write = async (contact: string, place: number) => {
		for (const [index, text] of burst.entries()) {
			await workspace.write(`id:${contact}`, text);
			expect(await call(both[(place + index) % 2], contact)).toBe(200);
		}
	};
	await Promise.all(contacts.map(write));
	while ((await runs(id)).length < 2 * contacts.length) await sleep(500);
	await sleep(3000);
	expect((await ended(id)).map(({ status }) => status)).toEqual(Array(20).fill('success'));
	const heard = `Heard: ${burst.join('\n')}`;
	for (const contact of contacts)
		expect(await textsTo(workspace, `id:${contact}`)).toEqual([heard, heard]);
	await queue.client.deactivate(id);
});

test('A run whose worker dies is reported, and its repeat sends no message twice', async () => {
	const items = await people(200);
	const before = await runs();
	await send(items);
	let delivered = 0;
	while (delivered < 80) {
		await sleep(100);
		({ delivered } = (await workspace.summary()).messages);
	}
	const [{ id }] = since(before, await runs());
	const victim = queue.workers.find((worker) => worker.executions().includes(id))!;
	victim.kill();
	const [killed, ...others] = since(before, await ended());
	const afterKill = (await workspace.summary()).messages;
	process.stderr.write(
		`  killed: run ${killed.status}, ${others.length} repeats by n8n, ${afterKill.delivered} of 200 delivered\n`,
	);

	expect(afterKill.repeated).toBe(0);
	expect(afterKill.delivered).toBeLessThan(200);
	// n8n does not run it again by itself. It says what happened, and the user starts it again.
	expect(['crashed', 'error']).toContain(killed.status);
	expect(others).toEqual([]);

	await send(items);
	const [, repeat] = since(before, await ended());
	expect(repeat.status).toBe('success');
	const { messages, byStatus } = await workspace.summary();
	expect(messages).toEqual({ delivered: 200, contacts: 200, repeated: 0 });
	process.stderr.write(
		`  repeat: ${repeat.status}, ${messages.delivered} delivered, ${JSON.stringify(byStatus)}\n`,
	);
});
