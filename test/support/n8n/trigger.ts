import { setTimeout as sleep } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { credentialFor, readExample } from '../../../scripts/examples';
import { itemsOf, NODE_TYPE, startN8n, type RunningN8n } from '../../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../../sandbox/client';
import type { JournalEntry } from '../../../sandbox/journal';
import type { WorkspaceState } from '../../../sandbox/records';
import { countPolls, everyTenSeconds } from './messages';
import { until } from './until';
import { node, ourCredential } from './workflow';

/** The most time until all triggers have polled. */
const POLL_TIMEOUT_MS = 300_000;
/** Time in which a second event would come. */
const SETTLE_MS = 4000;

const files = ['trigger-contacts.json', 'trigger-tags.json', 'trigger-statuses.json'];

/** What the polls of all triggers together ask for at least. */
const asked: Array<[what: string, times: number, (request: JournalEntry) => boolean]> = [
	['Contact Created', 1, ({ path }) => path.includes('createdAt')],
	['Contact Updated', 1, ({ path }) => path.includes('updatedAt')],
	[
		'tags',
		2,
		({ path, operation }) => operation === 'listContacts' && !/sort|page=([2-9]|\d\d)/.test(path),
	],
	['channels', 1, ({ operation }) => operation === 'listChannels'],
	['broadcasts', 1, ({ operation }) => operation === 'listBroadcasts'],
	['sequences', 1, ({ operation }) => operation === 'listSequences'],
];

const isTrigger = ({ type }: INode) => type.endsWith('.workspaceMessagingTrigger');

/**
 * The examples with triggers, published in a real n8n: things change in the workspace while it
 * polls, while it is down, and while the workflows are published once more. Each change has to
 * start its workflow once.
 *
 * @param settings n8n's environment variables that say how it polls and remembers
 * @param isDurable whether n8n repeats a poll if the user publishes the workflow before n8n has
 * saved what the poll remembers, and runs two polls at once after it was down for longer than from
 * one to the next
 */
export function testTrigger(way: string, settings: NodeJS.ProcessEnv, isDurable = false) {
	jest.setTimeout(1_200_000);
	describe(`The trigger on an n8n that ${way}`, () => {
		let sandbox: Sandbox;
		let workspace: SandboxWorkspace;
		let n8n: RunningN8n;
		let before: WorkspaceState;
		let round = 0;
		const workflowIds: string[] = [];
		/** The trigger and the record of each event. */
		const expected: string[] = [];

		/** Waits until all triggers have polled, for the first time or once more. */
		const waitForPolls = async (isFirst = false) => {
			const deadline = Date.now() + POLL_TIMEOUT_MS;
			for (;;) {
				const { requests } = await workspace.journal();
				// A first poll reads its list twice.
				const missing = asked.filter(
					([, times, matches]) => requests.filter(matches).length < (isFirst ? 2 * times : times),
				);
				if (missing.length === 0) break;
				if (Date.now() > deadline)
					throw new Error(`Not polled: ${missing.map(([what]) => what).join(', ')}`);
				await sleep(500);
			}
		};

		/** Changes something of every kind, and notes what it has to lead to. */
		const change = async () => {
			const { contacts, tags, channels, broadcasts, sequences } = before;
			const [created] = await workspace.addContacts([{ firstName: `New ${round}` }]);
			const [updated, tagged, untagged] = [
				contacts[1 + 2 * round],
				contacts[11 + 2 * round],
				contacts[20 + 2 * round],
			];
			await workspace.changeContacts([
				{ identifier: `id:${updated.id}`, changes: { city: `City ${round}` } },
				// Without a trace in `updatedAt`.
				{
					identifier: `id:${tagged.id}`,
					changes: { tagIds: [tags[0].id], updatedAt: tagged.updatedAt },
				},
				{ identifier: `id:${untagged.id}`, changes: { tagIds: [], updatedAt: untagged.updatedAt } },
			]);
			expected.push(
				`Contact Created ${created.id}`,
				`Contact Updated ${updated.id}`,
				`Tag Added ${tagged.id}`,
				`Tag Removed ${untagged.id}`,
			);

			const status = round % 2 === 0 ? 'disconnected' : 'connected';
			await workspace.change('channels', channels[0].id, { status });
			if (status === 'disconnected') expected.push(`Channel Status Changed ${channels[0].id}`);

			const unsent = broadcasts.filter(({ status: now }) => now !== 'sent');
			const broadcast =
				unsent[round] ??
				(await workspace.add('broadcasts', { name: `B ${round}`, status: 'sent' }));
			await workspace.change('broadcasts', broadcast.id, { status: 'sent' });
			expected.push(`Broadcast Status Changed ${broadcast.id}`);

			const [sequence] = sequences;
			await workspace.change('sequences', sequence.id, {
				active: round % 2 === 0 ? !sequence.active : sequence.active,
			});
			expected.push(`Sequence Activated or Deactivated ${sequence.id}`);
			round++;
		};

		/** Returns all events so far. Throws an error if an execution failed. */
		const emitted = async (): Promise<string[]> => {
			const events: string[] = [];
			for (const workflowId of workflowIds) {
				for (const id of await n8n.client.executionsOf(workflowId)) {
					const execution = await n8n.client.waitForExecution(id);
					expect(execution.data.resultData.error).toBeUndefined();
					expect(execution.status).toBe('success');
					for (const { name } of triggers) {
						for (const { json } of itemsOf(execution, name))
							events.push(`${name} ${String(json.id)}`);
					}
				}
			}
			return events;
		};

		const triggers = files.flatMap((file) => readExample(file).nodes.filter(isTrigger));

		/** Compares what came out with what was expected. */
		const compare = async () => {
			const surplus = await emitted();
			const lost = expected.filter((event) => {
				const index = surplus.indexOf(event);
				if (index >= 0) surplus.splice(index, 1);
				return index < 0;
			});
			return { lost, surplus };
		};

		/** When n8n started the workflows and with what, and what it logged: why an event came twice. */
		const describeRuns = async () => {
			const lines: string[] = [];
			for (const id of (
				await Promise.all(workflowIds.map(async (id) => await n8n.client.executionsOf(id)))
			).flat()) {
				const { runData } = (await n8n.client.waitForExecution(id)).data.resultData;
				for (const [name, [{ startTime, data }]] of Object.entries(runData)) {
					const ids = data?.main[0]?.map(({ json }) => json.id);
					lines.push(`  ${new Date(startTime).toISOString()} ${name} ${JSON.stringify(ids)}`);
				}
			}
			return [...lines.sort(), await n8n.readLog(), ''].join('\n');
		};

		/**
		 * Waits for the expected events, because a slow machine needs longer, and checks that no others
		 * came.
		 *
		 * @param mayRepeat whether an expected event may have come out more than once
		 */
		const check = async (mayRepeat = false) => {
			const deadline = Date.now() + POLL_TIMEOUT_MS;
			while ((await compare()).lost.length > 0 && Date.now() < deadline) await sleep(1000);
			await sleep(SETTLE_MS);
			const { lost, surplus } = await compare();
			if (surplus.length > 0) process.stderr.write(await describeRuns());
			const repeated = mayRepeat ? surplus.filter((event) => expected.includes(event)) : [];
			expect({ lost, surplus }).toEqual({ lost: [], surplus: repeated });
			expected.push(...repeated);
		};

		beforeAll(async () => {
			sandbox = await startSandbox();
			workspace = await sandbox.workspace('token-of-triggers');
			before = await workspace.state();
			n8n = await startN8n(undefined, settings);
			await n8n.client.importCredential(credentialFor(workspace));
			for (const file of files)
				workflowIds.push(await n8n.client.importWorkflow(readExample(file)));
		});

		afterAll(async () => {
			await n8n?.stop();
			await sandbox?.stop();
		});

		it('starts nothing when the user publishes the workflows', async () => {
			for (const id of workflowIds) await n8n.client.activate(id);
			await waitForPolls(true);
			await check();
		});

		it('starts once for each change', async () => {
			await change();
			await workspace.clearJournal();
			await waitForPolls();
			await check();
		});

		it('starts once for each change that happened while n8n was down', async () => {
			await n8n.restart(async () => {
				await workspace.clearJournal();
				await change();
			});
			await waitForPolls();
			await check(isDurable);
		});

		it('loses and repeats nothing when the user edits the workflows and publishes them again', async () => {
			await change();
			await workspace.clearJournal();
			// This changes the trigger, so that n8n registers it again, but not what it watches.
			for (const id of workflowIds) {
				await n8n.client.update(id, ({ nodes }) => ({
					nodes: nodes.map((node) =>
						isTrigger(node)
							? { ...node, parameters: { ...node.parameters, simplify: false } }
							: node,
					),
				}));
			}
			await waitForPolls();
			await check(isDurable);
		});

		it('starts nothing while nothing changes, even after another restart', async () => {
			await workspace.clearJournal();
			await n8n.restart();
			await waitForPolls();
			await check();
		});

		it('starts an execution for each of three contacts who write before the same poll, and none later', async () => {
			const chats = await sandbox.workspace('token-of-three-chats', {
				contacts: 3,
				service: 'newer',
			});
			const contacts = (await chats.state()).contacts.map(({ id }) => id);
			await n8n.client.importCredential(credentialFor(chats));
			const trigger = node('Message Received', `${NODE_TYPE}Trigger`, 1, {
				event: 'messageReceived',
				pollTimes: { item: everyTenSeconds },
			});
			const id = await n8n.client.importWorkflow({
				name: 'Who writes',
				nodes: [{ ...trigger, credentials: ourCredential }],
				connections: {},
			});
			await n8n.client.activate(id);
			const polled = async (more: number) => {
				const polls = await countPolls(chats);
				const read = async () => await countPolls(chats);
				await until(read, (count) => count >= polls + more, POLL_TIMEOUT_MS);
			};
			await polled(2);
			for (const contact of contacts) await chats.write(`id:${contact}`, `From ${contact}`);
			/** What each execution with items began with; a trigger can begin to watch with none. */
			const readRuns = async () => {
				const executions = await n8n.client.executionsOf(id);
				const runs = await Promise.all(
					executions.map(async (execution) =>
						itemsOf(await n8n.client.waitForExecution(execution), 'Message Received').map(
							({ json: { sessionId, text } }) => [sessionId, text],
						),
					),
				);
				return runs.filter(({ length }) => length > 0).sort();
			};
			await until(readRuns, ({ length }) => length >= contacts.length, POLL_TIMEOUT_MS);
			await polled(3);
			const expectedRuns = contacts.map((contact) => [[contact, `From ${contact}`]]);
			expect(await readRuns()).toEqual(expectedRuns.sort());
			await n8n.client.deactivate(id);
		});

		it('sends the token to the service only', async () => {
			expect(await sandbox.unknownRequests()).toEqual([]);
		});
	});
}
