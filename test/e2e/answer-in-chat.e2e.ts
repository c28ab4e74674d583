import { setTimeout as sleep } from 'node:timers/promises';
import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { credentialFor } from '../../scripts/examples';
import { NODE_TYPE, startN8n, type RunningN8n } from '../../scripts/n8n/run';
import { describeForN8n2 } from '../support/n8n/publication';

/** A contact answers a question by typing, in a real n8n. */

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;
let contacts: string[];

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-chats', { contacts: 9, service: 'newer' });
	contacts = (await workspace.state()).contacts.map(({ id }) => id);
	n8n = await startN8n();
	await n8n.client.importCredential(credentialFor(workspace));
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
): INode => ({
	id: `${name}-${Math.random().toString(36).slice(2)}`,
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters,
	credentials: type === NODE_TYPE ? { workspaceMessagingApi: { id: null, name: '' } } : {},
});

const to = (name: string) => ({ node: name, type: 'main' as const, index: 0 });

const question = (contact: string, parameters: INodeParameters = {}): INode =>
	node('Ask', NODE_TYPE, 1, {
		resource: 'message',
		operation: 'sendAndWait',
		identifier: { __rl: true, mode: 'id', value: contact },
		message: 'May we ship on Friday?',
		answer: 'chat',
		...parameters,
	});

const before = () =>
	node('Before', 'n8n-nodes-base.set', 3.4, {
		assignments: { assignments: [{ id: '1', name: 'order', type: 'string', value: 'A-17' }] },
	});

const behind = () =>
	node('Behind', 'n8n-nodes-base.set', 3.4, {
		assignments: {
			assignments: [
				{ id: '1', name: 'order', type: 'string', value: '={{ $("Before").item.json.order }}' },
				{ id: '2', name: 'data', type: 'object', value: '={{ $json.data }}' },
			],
		},
	});

/** Starts a workflow of nodes one after the other. */
async function start(nodes: INode[], more: IConnections = {}): Promise<string> {
	const names = ['Start', ...nodes.map(({ name }) => name)];
	const chain = Object.fromEntries(
		names.slice(0, -1).map((name, index) => [name, { main: [[to(names[index + 1])]] }]),
	);
	const id = await n8n.client.importWorkflow({
		name: 'Ask in the chat',
		nodes: [node('Start', 'n8n-nodes-base.manualTrigger', 1, {}), ...nodes],
		connections: { ...chain, ...more },
	});
	return (await n8n.client.run(id)).id;
}

const questionsTo = async (contact: string) =>
	(await workspace.messages(`id:${contact}`)).filter(
		({ messageType }) => messageType === 'outgoing',
	);

/** Waits until a contact has so many questions. */
async function asked(contact: string, count = 1): Promise<void> {
	for (let tries = 0; tries < 500; tries++) {
		if ((await questionsTo(contact)).length >= count) return;
		await sleep(100);
	}
	throw new Error('No question arrived');
}

/** n8n looks once a minute for executions whose time is over. */
const LONGEST_WAIT_MS = 300_000;

async function ended(id: string) {
	const deadline = Date.now() + LONGEST_WAIT_MS;
	while (Date.now() < deadline) {
		const execution = await n8n.client.waitForExecution(id);
		if (!['waiting', 'running', 'new'].includes(execution.status)) return execution;
		await sleep(200);
	}
	throw new Error('The execution goes on waiting');
}

const outputOf = async (id: string, name = 'Behind'): Promise<IDataObject[]> => {
	const { data } = await ended(id);
	return (data.resultData.runData[name] ?? []).flatMap(({ data: run }) =>
		(run?.main[0] ?? []).map(({ json }) => json),
	);
};

const botOf = async (contact: string) =>
	(await workspace.state()).contacts.find(({ id }) => id === contact)?.conversation as IDataObject;

describeForN8n2('Answers in the chat', () => {
	test('An answer in the first seconds continues the workflow within six seconds', async () => {
		const [contact] = contacts;
		const starting = start([before(), question(contact), behind()]);
		await asked(contact);
		const { createdAt } = await workspace.write(`id:${contact}`, 'yes');
		const id = await starting;
		const { data } = await ended(id);
		const [next] = data.resultData.runData.Behind;
		expect(next.startTime - Date.parse(createdAt)).toBeLessThan(6000);
		const output = await outputOf(id);
		expect(output).toEqual([
			{ order: 'A-17', data: expect.objectContaining({ approved: true, understood: true }) },
		]);
		expect(await botOf(contact)).toMatchObject({ botEnabled: true });
	});

	test('A later answer continues the workflow once, with what came before it, and n8n keeps waiting over a restart', async () => {
		const [, contact] = contacts;
		const id = await start([before(), question(contact), behind()]);
		await asked(contact);
		expect(await botOf(contact)).toMatchObject({ botEnabled: false });
		for (let tries = 0; tries < 300; tries++) {
			if ((await n8n.client.waitForExecution(id)).status === 'waiting') break;
			await sleep(200);
		}
		await n8n.restart();
		await workspace.write(`id:${contact}`, 'No.');
		const output = await outputOf(id);
		expect(output).toEqual([
			{ order: 'A-17', data: expect.objectContaining({ answer: 'No.', approved: false }) },
		]);
		expect(await questionsTo(contact)).toHaveLength(1);
		expect(await botOf(contact)).toMatchObject({ botEnabled: true });
	});
});
