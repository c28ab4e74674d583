import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INode } from 'n8n-workflow';
import type { Sandbox, SandboxWorkspace } from '../../sandbox/client';
import { credentialFor } from '../../scripts/examples';
import { itemsOf, NODE_TYPE, startN8n } from '../../scripts/n8n/run';
import type { RunningN8n, WorkflowFile } from '../../scripts/n8n/run';
import { CREDENTIAL } from '../support/engine/engine';
import { median } from './measure';
import type { Contender } from './nodes';

/*
 * What only a real n8n shows: its database, the encryption of credentials, and the isolates of
 * expressions. The processor time is that of n8n's main process, so it depends little on what else
 * the machine does.
 */

const CONTACTS_PER_PAGE = 50;
const PAGES = 100;

/** No request for so long means that a poll has ended. */
const QUIET_MS = 1500;
const LONGEST_POLL_MS = 300_000;

const TRIGGER = 'Manual Trigger';
const NODE = 'Node';

/** Returns a node of a workflow, with our credential. */
const nodeOf = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INode['parameters'],
): INode => ({
	id: name,
	name,
	type,
	typeVersion,
	parameters,
	position: [0, 0],
	credentials: { [CREDENTIAL]: { id: null, name: '' } },
});

/** A workflow that sends a message to each of these contacts. */
function sendingWorkflow(contender: Contender, url: string, items: IDataObject[]): WorkflowFile {
	const { name: type = NODE_TYPE, type: { description: { version = 1 } = {} } = {} } =
		contender.node ?? {};
	const typeVersion = Array.isArray(version) ? Math.max(...version) : version;
	return {
		name: contender.name,
		nodes: [
			{ ...nodeOf(TRIGGER, 'n8n-nodes-base.manualTrigger', 1, {}), credentials: {} },
			nodeOf(NODE, type, typeVersion, contender.sendMessages(url)),
		],
		connections: { [TRIGGER]: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
		pinData: { [TRIGGER]: items.map((json) => ({ json })) },
	};
}

/** What one run costs in a real n8n. */
interface RunCost {
	/** How long the node took, as n8n noted it. */
	seconds: number;
	cpuSeconds: number;
}

/** Runs a workflow and checks that a message went to each contact, or none if it sends nothing. */
async function runOnce(
	n8n: RunningN8n,
	workspace: SandboxWorkspace,
	{ name, sendsNothing }: Contender,
	id: string,
	count: number,
): Promise<RunCost> {
	await workspace.clearJournal();
	const before = await n8n.readCpu();
	const execution = await n8n.client.run(id);
	const cpuSeconds = (await n8n.readCpu()) - before;
	const { delivered } = (await workspace.summary()).messages;
	const items = itemsOf(execution, NODE).length;
	if (delivered !== (sendsNothing ? 0 : count) || items !== count)
		throw new Error(`${name}: ${delivered} messages, ${items} items, ${execution.status}`);
	const [{ executionTime }] = execution.data.resultData.runData[NODE];
	return { seconds: executionTime / 1000, cpuSeconds };
}

/**
 * Sends messages with each contender in turns; the first turn does not count. Returns the costs by
 * the contenders' names.
 */
async function costsOfMessages(
	n8n: RunningN8n,
	workspace: SandboxWorkspace,
	contenders: Contender[],
	count: number,
	rounds: number,
): Promise<Map<string, RunCost[]>> {
	const items = (await workspace.state()).contacts.slice(0, count).map(({ id }, n) => ({ id, n }));
	const ids = new Map<Contender, string>();
	for (const contender of contenders)
		ids.set(
			contender,
			await n8n.client.importWorkflow(sendingWorkflow(contender, workspace.url, items)),
		);
	const costs = new Map<string, RunCost[]>(contenders.map(({ name }) => [name, []]));
	for (let turn = 0; turn <= rounds; turn++) {
		for (const [contender, id] of ids) {
			const cost = await runOnce(n8n, workspace, contender, id, count);
			if (turn > 0) costs.get(contender.name)?.push(cost);
		}
	}
	return costs;
}

/** A published workflow whose trigger reads all contacts every minute, as often as n8n polls. */
const pollingWorkflow: WorkflowFile = {
	name: 'Polls',
	nodes: [
		nodeOf(TRIGGER, `${NODE_TYPE}Trigger`, 1, {
			pollTimes: { item: [{ mode: 'everyMinute' }] },
			event: 'tagAdded',
		}),
	],
	connections: {},
};

/**
 * Waits for a poll that begins and ends, and returns its processor time in seconds and its
 * requests.
 */
async function nextPoll(n8n: RunningN8n, workspace: SandboxWorkspace) {
	const deadline = Date.now() + LONGEST_POLL_MS;
	const requestsSoFar = async () => {
		if (Date.now() > deadline) throw new Error('The trigger did not poll in time');
		return (await workspace.summary()).requests;
	};
	await workspace.clearJournal();
	let before = await n8n.readCpu();
	for (;;) {
		const now = await n8n.readCpu();
		if ((await requestsSoFar()) > 0) break;
		before = now;
		await sleep(100);
	}
	let requests = 0;
	for (let now = await requestsSoFar(); now !== requests; now = await requestsSoFar()) {
		requests = now;
		await sleep(QUIET_MS);
	}
	return { seconds: (await n8n.readCpu()) - before, requests };
}

/** Measures polls; those of the activation do not count. */
async function cpuOfPolls(n8n: RunningN8n, workspace: SandboxWorkspace, rounds: number) {
	await n8n.client.activate(await n8n.client.importWorkflow(pollingWorkflow));
	const polls: Array<Awaited<ReturnType<typeof nextPoll>>> = [];
	while (polls.length <= rounds) {
		const poll = await nextPoll(n8n, workspace);
		// The end of the poll of the activation, or one that failed.
		if (poll.requests >= PAGES) polls.push(poll);
	}
	return polls.slice(1);
}

/** Starts a real n8n with a workspace for it, and ends both after the work. */
async function withN8n<Result>(
	sandbox: Sandbox,
	work: (n8n: RunningN8n, workspace: SandboxWorkspace) => Promise<Result>,
): Promise<Result> {
	const workspace = await sandbox.workspace('bench-real-n8n', {
		contacts: CONTACTS_PER_PAGE * PAGES,
		faults: { latencyMs: 20, maxPerPage: CONTACTS_PER_PAGE, rateLimit: null },
	});
	try {
		const n8n = await startN8n();
		try {
			const credential = credentialFor(workspace);
			await n8n.client.importCredential({
				...credential,
				data: { ...credential.data, requestsPerMinute: 1_000_000 },
			});
			return await work(n8n, workspace);
		} finally {
			await n8n.stop();
		}
	} finally {
		await workspace.remove();
	}
}

/**
 * Measures how long nodes take in a real n8n.
 *
 * @param counts of messages, 5,000 at most
 * @param rounds of each; the table has the medians
 */
export async function secondsInN8n(
	sandbox: Sandbox,
	contenders: Contender[],
	counts: number[],
	rounds: number,
) {
	return await withN8n(sandbox, async (n8n, workspace) => {
		const rows = [];
		for (const messages of counts) {
			const costs = await costsOfMessages(n8n, workspace, contenders, messages, rounds);
			for (const [node, each] of costs) {
				const seconds = median(each.map((cost) => cost.seconds));
				rows.push({ messages, node, seconds: Number(seconds.toFixed(2)) });
			}
		}
		return rows;
	});
}

/**
 * Measures the processor time that a real n8n takes for messages, and for a poll of many requests.
 *
 * @param count of messages
 * @param rounds of each; the table has the medians
 */
export async function cpuInN8n(
	sandbox: Sandbox,
	contenders: Contender[],
	count: number,
	rounds: number,
) {
	return await withN8n(sandbox, async (n8n, workspace) => {
		const row = (what: string, node: string, requests: number, seconds: number[]) => ({
			what,
			node,
			requests,
			'CPU (s)': Number(median(seconds).toFixed(2)),
		});
		const messages = await costsOfMessages(n8n, workspace, contenders, count, rounds);
		const polls = await cpuOfPolls(n8n, workspace, rounds);
		const cpu = (costs: RunCost[]) => costs.map(({ cpuSeconds }) => cpuSeconds);
		return [
			...[...messages].map(([name, costs]) => row(`${count} messages`, name, count, cpu(costs))),
			row(
				'a poll',
				'Workspace Messaging Trigger',
				polls[0].requests,
				polls.map(({ seconds }) => seconds),
			),
		];
	});
}
