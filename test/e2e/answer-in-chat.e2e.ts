import { setTimeout as sleep } from 'node:timers/promises';
import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { credentialFor } from '../../scripts/examples';
import { NODE_TYPE, startN8n, type RunningN8n } from '../../scripts/n8n/run';
import { describeForN8n1, describeForN8n2 } from '../support/n8n/publication';

/** A contact answers a question by typing, in a real n8n. */

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;
let contacts: string[];

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-chats', { contacts: 12, service: 'newer' });
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

/**
 * Sends what *Behind* got, and the names of the files, to a contact of its own. What n8n stores of
 * an execution can lack its last nodes: when n8n starts, it may store once more what the execution
 * had before them.
 */
const report = () =>
	node('Report', NODE_TYPE, 1, {
		resource: 'message',
		operation: 'send',
		identifier: { __rl: true, mode: 'id', value: contacts[11] },
		text: '={{ JSON.stringify({ execution: $execution.id, ...$("Behind").item.json, files: Object.values($("Ask").item.binary ?? {}).map((file) => file.fileName) }) }}',
	});

/** What has been reported of an execution, once it is over. */
async function reportsOf(id: string): Promise<IDataObject[]> {
	const { status, data } = await ended(id);
	expect([status, data.resultData.error?.message]).toEqual(['success', undefined]);
	return (await questionsTo(contacts[11]))
		.map(({ text }) => JSON.parse(String(text)) as IDataObject)
		.filter(({ execution }) => execution === id)
		.map(({ order, data: answer, files }) => ({ order, data: answer, files }));
}

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

/** How often n8n has looked for the messages of a contact. */
const looksFor = async (contact: string) =>
	(await workspace.journal()).requests.filter(
		({ method, path }) => method === 'GET' && path.includes(contact) && path.includes('messages'),
	).length;

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
	const { status, data } = await ended(id);
	expect([status, data.resultData.error?.message]).toEqual(['success', undefined]);
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

	test('A workflow asks again if it does not understand the answer', async () => {
		const [, contact] = contacts;
		const understood = node('Understood', 'n8n-nodes-base.if', 2.2, {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
				conditions: [
					{
						id: '1',
						leftValue: '={{ $json.data.understood }}',
						rightValue: '',
						operator: { type: 'boolean', operation: 'true', singleValue: true },
					},
				],
				combinator: 'and',
			},
		});
		const starting = start(
			[
				before(),
				question(contact, {
					message: 'How many?',
					responseType: 'freeText',
					expectedAnswer: 'number',
					options: { ifNotUnderstood: 'continue' },
				}),
				understood,
				behind(),
			],
			{ Understood: { main: [[to('Behind')], [to('Ask')]] } },
		);
		await asked(contact);
		await workspace.write(`id:${contact}`, 'many');
		await asked(contact, 2);
		await workspace.write(`id:${contact}`, '3');
		expect(await outputOf(await starting)).toEqual([
			{ order: 'A-17', data: expect.objectContaining({ answer: '3', number: 3 }) },
		]);
		expect(await questionsTo(contact)).toHaveLength(2);
	});

	test('Three questions in a row are asked and answered one after the other', async () => {
		const contact = contacts[7];
		const choices = { responseType: 'choices', choices: ['Small', 'Large'] };
		const number = { responseType: 'freeText', expectedAnswer: 'number' };
		const ask = (name: string, parameters: INodeParameters) => ({
			...question(contact, { message: `${name}?`, ...parameters }),
			name,
		});
		const starting = start([
			before(),
			ask('Size', choices),
			ask('Count', number),
			ask('Sure', {}),
			behind(),
		]);
		for (const [index, text] of ['large', 'two', 'ok'].entries()) {
			await asked(contact, index + 1);
			await workspace.write(`id:${contact}`, text);
			if (text === 'two') await workspace.write(`id:${contact}`, '2');
		}
		const id = await starting;
		expect(await outputOf(id, 'Size')).toEqual([
			expect.objectContaining({ data: expect.objectContaining({ choice: 'Large' }) }),
		]);
		expect(await outputOf(id, 'Count')).toEqual([
			expect.objectContaining({ data: expect.objectContaining({ number: 2 }) }),
		]);
		expect(await outputOf(id)).toEqual([
			{ order: 'A-17', data: expect.objectContaining({ approved: true }) },
		]);
		expect((await questionsTo(contact)).map(({ text }) => text)).toEqual([
			'Size?\n\n1. Small\n2. Large',
			'Count?',
			'Sure?',
		]);
		expect(await botOf(contact)).toMatchObject({ botEnabled: true });
	});

	test('Questions outlive a crash of n8n: each later answer continues its workflow once, and a stopped one asks nothing more', async () => {
		const [, , typed, sent, stopped, silent, held, , looked] = contacts;
		const file = { responseType: 'freeText', expectedAnswer: 'file' };
		const limit = { resumeAmount: 2, resumeUnit: 'minutes' };
		const lookedId = await start([before(), question(looked), behind(), report()]);
		const [typedId, sentId, stoppedId, silentId] = await Promise.all([
			start([before(), question(typed), behind(), report()]),
			start([before(), question(sent, file), behind(), report()]),
			start([before(), question(stopped), behind(), report()]),
			start([before(), question(silent, limit), behind(), report()]),
		]);
		expect(await botOf(typed)).toMatchObject({ botEnabled: false });
		await n8n.client.stopExecution(stoppedId);

		// n8n does not save what runs. So the one that is killed while it holds is lost, and asks nobody
		// twice; the one that is killed in a look continues as if nobody had answered.
		const looks = await looksFor(looked);
		await workspace.faults({ latencyMs: 60_000 });
		while ((await looksFor(looked)) === looks) await sleep(100);
		await workspace.faults({ latencyMs: null });
		const lost = start([question(held)]).catch(() => undefined);
		await asked(held);
		await n8n.crash(async () => {
			await workspace.write(`id:${looked}`, 'yes');
			await workspace.write(`id:${typed}`, 'No.');
			await workspace.write(`id:${stopped}`, 'yes');
			await workspace.write(`id:${sent}`, {
				attachments: [{ name: 'order.txt', mimeType: 'text/plain', content: 'aGVsbG8=' }],
			});
		});
		await lost;
		expect(await reportsOf(typedId)).toEqual([
			{
				order: 'A-17',
				data: expect.objectContaining({ answer: 'No.', approved: false }),
				files: [],
			},
		]);
		expect(await reportsOf(sentId)).toEqual([
			{
				order: 'A-17',
				data: expect.objectContaining({
					file: { binary: 'attachment_0', fileName: 'order.txt', mimeType: 'text/plain' },
				}),
				files: ['order.txt'],
			},
		]);
		for (const id of [silentId, lookedId])
			expect(await reportsOf(id)).toEqual([{ order: 'A-17', data: null, files: [] }]);
		expect((await ended(stoppedId)).status).toBe('canceled');
		for (const contact of [typed, sent, stopped, silent, held, looked])
			expect(await questionsTo(contact)).toHaveLength(1);
		for (const contact of [typed, sent, silent])
			expect(await botOf(contact)).toMatchObject({ botEnabled: true });
	});
});

describeForN8n1('Answers in the chat in n8n 1', () => {
	test('are refused with one sentence, before anything is sent', async () => {
		const [contact] = contacts;
		const id = await start([question(contact)]);
		const { data } = await ended(id);
		expect(data.resultData.error?.message).toContain(
			'Answers in the chat need n8n 2.41 or newer. Choose By Link under Answer',
		);
		expect(await questionsTo(contact)).toEqual([]);
	});
});
