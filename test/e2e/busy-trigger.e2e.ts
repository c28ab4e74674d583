import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { credentialFor, nodeOf, readExample } from '../../scripts/examples';
import { startN8n, type RunningN8n } from '../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { countPolls, isPoll } from '../support/n8n/messages';
import { until } from '../support/n8n/until';

/*
 * A workspace in which 60 contacts write each minute, and a published workflow that polls each minute
 * and answers. It takes as many minutes as BUSY_MINUTES says, 3 by default, and runs only with
 * ALL=true. From 12 minutes on, a second workflow without the option has to say that it is behind.
 */

const PER_MINUTE = 60;
const MINUTES = Number(process.env.BUSY_MINUTES ?? 3);
/** So long, a workflow must have been behind before the log says so, and the time of two polls. */
const MINUTES_UNTIL_WARNING = 12;

const describeIfAll = process.env.ALL === 'true' ? describe : describe.skip;

describeIfAll(`${PER_MINUTE} contacts who write each minute, for ${MINUTES} minutes`, () => {
	jest.setTimeout((MINUTES + 10) * 60_000);

	let sandbox: Sandbox;
	let n8n: RunningN8n;

	/** Publishes the example that answers messages, in a workspace of its own. */
	async function publish(token: string, options: INodeParameters) {
		const workspace = await sandbox.workspace(token, {
			contacts: 2 * PER_MINUTE,
			service: 'newer',
		});
		await n8n.client.importCredential(credentialFor(workspace));
		const example = readExample('answer-message.json');
		nodeOf(example, 'Message Received').parameters.options = options;
		nodeOf(example, 'Send Message').parameters.text = '=Answer to {{ $json.text }}';
		await n8n.client.activate(await n8n.client.importWorkflow(example));
		await until(
			async () => await countPolls(workspace),
			(polls) => polls >= 2,
		);
		return workspace;
	}

	/** Writes for so many minutes, each second as one contact. Returns what each wrote, and when. */
	async function write(workspace: SandboxWorkspace) {
		const { contacts } = await workspace.state();
		const written: Array<{ contact: string; text: string; at: number }> = [];
		const started = Date.now();
		for (let count = 0; count < MINUTES * PER_MINUTE; count++) {
			const contact = contacts[count % contacts.length].id;
			written.push({ contact, text: `${count}`, at: Date.now() });
			await workspace.write(`id:${contact}`, `${count}`);
			await sleep(Math.max(0, started + (count + 1) * (60_000 / PER_MINUTE) - Date.now()));
		}
		return written;
	}

	beforeAll(async () => {
		sandbox = await startSandbox();
		n8n = await startN8n();
	});

	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.stop();
	});

	test('are answered once, after two polls at most, with Executions per Poll at 60; without it, the log says that the trigger is behind', async () => {
		const withoutOption = await publish('token-without-option', {});
		const workspace = await publish('token-with-option', { executionsPerPoll: PER_MINUTE });
		const [written] = await Promise.all([write(workspace), write(withoutOption)]);

		const readMessages = async () => (await workspace.journal()).messages;
		await until(readMessages, ({ length }) => length >= written.length);
		if (MINUTES >= MINUTES_UNTIL_WARNING)
			await until(n8n.readLog, (log) => log.includes('each poll starts 40 executions at most'));
		const { requests, messages } = await workspace.journal();
		expect(messages).toHaveLength(written.length);
		const polls = requests.filter(isPoll).map(({ at }) => at);
		const waits = written.map(({ contact, text, at }) => {
			const answer = messages.filter(
				(message) => message.contactId === contact && message.text === `Answer to ${text}`,
			);
			expect(answer).toHaveLength(1);
			return polls.filter((poll) => poll > at && poll < answer[0].at).length;
		});
		process.stderr.write(`  polls until the answer: ${JSON.stringify(waits)}\n`);
		expect(Math.max(...waits)).toBeLessThanOrEqual(2);
	});
});
