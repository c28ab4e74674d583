import { setTimeout as sleep } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { credentialFor, readExample } from '../../../scripts/examples';
import { DEFAULT_N8N_VERSION } from '../../../scripts/n8n/install';
import { itemsOf, startN8n, type RunningN8n } from '../../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../../sandbox/client';
import type { Contact, WorkspaceState } from '../../../sandbox/records';
import { until } from './until';

/** The time of a slow service for a request, longer than n8n needs to publish a workflow. */
const LATENCY_MS = 12_000;
/** Time in which each trigger polls twice. */
const SETTLE_MS = 65_000;

/** The seconds of each minute at which the triggers poll: in turn. */
const seconds: Record<string, number[]> = { 'Tag Added': [5, 35], 'Tag Removed': [25, 55] };

/** What turns on the ways in which newer versions of n8n 2 poll. */
export const scheduler = {
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
};

/** n8n 1 has no scheduler. */
export const describeForN8n2 = DEFAULT_N8N_VERSION.startsWith('1.') ? describe.skip : describe;
export const describeForN8n1 = DEFAULT_N8N_VERSION.startsWith('1.') ? describe : describe.skip;

/**
 * Tests in a real n8n that publishing a workflow with two triggers neither loses nor repeats an
 * event. They mostly wait, so each way of polling has a file of its own.
 *
 * @param settings the environment variables of that n8n
 * @param isDurable whether n8n runs two polls at once after it was down for longer than from one to
 * the next, as it is here on a slow machine; then both find the same events
 */
export function testPublication(settings: NodeJS.ProcessEnv, isDurable = false): void {
	let sandbox: Sandbox;
	let workspace: SandboxWorkspace;
	let n8n: RunningN8n;
	let before: WorkspaceState;
	let workflowId: string;

	const tag = async ({ id }: Contact, isTagged = true) =>
		await workspace.changeContacts([
			{ identifier: `id:${id}`, changes: { tagIds: isTagged ? [before.tags[0].id] : [] } },
		]);

	/** Edits triggers and publishes the workflow. */
	const publish = async (edit: (node: INode) => INode) =>
		await n8n.client.update(workflowId, ({ nodes }) => ({ nodes: nodes.map(edit) }));

	/** All events so far: the trigger and the place of the contact. */
	const events = async () => {
		const found: string[] = [];
		for (const id of await n8n.client.executionsOf(workflowId)) {
			const execution = await n8n.client.waitForExecution(id);
			for (const name of Object.keys(seconds)) {
				for (const { json } of itemsOf(execution, name))
					found.push(`${name} ${before.contacts.findIndex((contact) => contact.id === json.id)}`);
			}
		}
		return found.sort();
	};

	/** Waits until so many polls have begun. */
	const polls = async (count: number) => {
		const read = async () =>
			(await workspace.journal()).requests.filter(
				({ path, operation }) => operation === 'listContacts' && !/page=([2-9]|\d\d)/.test(path),
			);
		await until(read, ({ length }) => length >= count);
	};

	beforeAll(async () => {
		sandbox = await startSandbox();
		workspace = await sandbox.workspace('token-of-publications');
		before = await workspace.state();
		for (const contact of before.contacts.slice(0, 5)) await tag(contact, false);
		for (const contact of before.contacts.slice(5, 9)) await tag(contact);
		n8n = await startN8n(undefined, settings);
		await n8n.client.importCredential(credentialFor(workspace));
		const example = readExample('trigger-tags.json');
		const nodes = example.nodes.map((node) => {
			if (!(node.name in seconds)) return node;
			const item = seconds[node.name].map((second) => ({
				mode: 'custom',
				cronExpression: `${second} * * * * *`,
			}));
			return { ...node, parameters: { ...node.parameters, pollTimes: { item } } };
		});
		workflowId = await n8n.client.importWorkflow({ ...example, nodes });
		await n8n.client.activate(workflowId);
		await polls(4);
	});

	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.stop();
	});

	it('returns an event once if the user publishes it while a poll finds the event', async () => {
		await until(
			async () => new Date().getSeconds(),
			// Tag Added polls next.
			(second) => second % 30 < 2,
		);
		await tag(before.contacts[0]);
		await tag(before.contacts[5], false);
		await workspace.faults({ latencyMs: LATENCY_MS });
		await workspace.clearJournal();
		await polls(1);
		await publish((node) =>
			node.name in seconds
				? { ...node, parameters: { ...node.parameters, simplify: false } }
				: node,
		);
		await workspace.faults({ latencyMs: null });
		await sleep(SETTLE_MS);
		expect(await events()).toEqual(['Tag Added 0', 'Tag Removed 5']);
	});

	it('goes on after a restart with a trigger that got new filters, although the other one saved last', async () => {
		await publish((node) =>
			node.name === 'Tag Added'
				? { ...node, parameters: { ...node.parameters, filters: { keyword: 'example.com' } } }
				: node,
		);
		await sleep(SETTLE_MS);
		await tag(before.contacts[1]);
		await until(events, (found) => found.includes('Tag Added 1'));
		await tag(before.contacts[6], false);
		await until(events, (found) => found.includes('Tag Removed 6'));
		await n8n.restart(async () => await tag(before.contacts[2]));
		await sleep(SETTLE_MS);
		const [added0, added1, added2, ...others] = await events();
		expect([added0, added1, added2]).toEqual(['Tag Added 0', 'Tag Added 1', 'Tag Added 2']);
		if (isDurable && others[0] === added2) others.shift();
		expect(others).toEqual(['Tag Removed 5', 'Tag Removed 6']);
	});
}
