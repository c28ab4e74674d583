import { setTimeout as sleep } from 'node:timers/promises';
import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { credentialFor, modelCredential, nodeOf, readExample } from '../../scripts/examples';
import { NODE_TYPE, startN8n, type RunningN8n, type WorkflowFile } from '../../scripts/n8n/run';
import { countPolls } from '../support/n8n/messages';
import { describeForN8n1, describeForN8n2 } from '../support/n8n/publication';
import { publishAgent, startTurns } from '../support/n8n/agentExample';
import { startScriptedModel, type Turn } from '../support/n8n/scriptedModel';
import { until } from '../support/n8n/until';
import { limitWait } from '../support/limitWait';
import { chain, node, ourCredential, to } from '../support/n8n/workflow';

/** A contact answers a question by typing, in a real n8n. */

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;
let contacts: string[];

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-chats', { contacts: 22, service: 'newer' });
	contacts = (await workspace.state()).contacts.map(({ id }) => id);
	n8n = await startN8n();
	await n8n.client.importCredential(credentialFor(workspace));
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

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

const readReports = async (id: string): Promise<IDataObject[]> =>
	(await questionsTo(contacts[11]))
		.map(({ text }) => JSON.parse(String(text)) as IDataObject)
		.filter(({ execution }) => execution === id)
		.map(({ order, data: answer, files }) => ({ order, data: answer, files }));

/** Waits until executions have reported, as far as they do. Their status says nothing after a crash. */
async function reportsOf(ids: string[]): Promise<Map<string, IDataObject[]>> {
	const read = async () =>
		new Map(await Promise.all(ids.map(async (id) => [id, await readReports(id)] as const)));
	const haveAll = (found: Map<string, IDataObject[]>) =>
		[...found.values()].every(({ length }) => length > 0);
	return await until(read, haveAll).catch(read);
}

/** Says how n8n has stored an execution: its status, its last node and its error. */
async function describeStored(id: string): Promise<string> {
	try {
		const { status, data } = await n8n.client.waitForExecution(id);
		const { lastNodeExecuted, error } = data.resultData;
		return [status, lastNodeExecuted, error?.message].join(', ');
	} catch (error) {
		return String(error);
	}
}

/** Starts a workflow of nodes one after the other. */
async function start(nodes: INode[], more?: IConnections): Promise<string> {
	const id = await n8n.client.importWorkflow(chain('Ask in the chat', nodes, more));
	return (await n8n.client.run(id)).id;
}

const questionsTo = async (contact: string) =>
	(await workspace.messages(`id:${contact}`)).filter(
		({ messageType }) => messageType === 'outgoing',
	);

/** Waits until a contact has so many questions. */
async function asked(contact: string, count = 1, mostTries = 500): Promise<void> {
	for (let tries = 0; tries < mostTries; tries++) {
		if ((await questionsTo(contact)).length >= count) return;
		await sleep(100);
	}
	throw new Error('No question arrived');
}

/** How often n8n has read a contact or its messages: a look for an answer begins so. */
const looksFor = async (contact: string) =>
	(await workspace.journal()).requests.filter(
		({ method, path }) => method === 'GET' && path.includes(contact),
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
	test('An answer in the first seconds continues the workflow at once, not a minute later', async () => {
		const [contact] = contacts;
		const starting = start([before(), question(contact), behind()]);
		await asked(contact);
		const { createdAt } = await workspace.write(`id:${contact}`, 'yes');
		const id = await starting;
		const { data } = await ended(id);
		const [next] = data.resultData.runData.Behind;
		expect(next.startTime - Date.parse(createdAt)).toBeLessThan(30_000);
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

	test('If the service does not return the bot at the end, the workflow goes on, and another one tries again', async () => {
		const contact = contacts[20];
		const starting = start([before(), question(contact), behind()]);
		await asked(contact);
		const match = { operation: 'enableBot' as const };
		await workspace.faults({ fail: [{ status: 503, match }] });
		await workspace.write(`id:${contact}`, 'yes');
		const id = await starting;
		expect(await outputOf(id)).toEqual([
			{ order: 'A-17', data: expect.objectContaining({ approved: true }) },
		]);
		expect(await botOf(contact)).toMatchObject({ botEnabled: false });
		await workspace.faults({ fail: null });
		await until(
			async () => await botOf(contact),
			({ botEnabled }) => botEnabled === true,
			LONGEST_WAIT_MS,
		);
	});

	test('Questions outlive a crash of n8n: each later answer continues its workflow once, and a stopped one asks nothing more', async () => {
		const [, , typed, sent, stopped, silent, held, , looked] = contacts;
		const file = { responseType: 'freeText', expectedAnswer: 'file' };
		const limit = limitWait({ resumeAmount: 4, resumeUnit: 'minutes' });
		const starting = [
			start([before(), question(typed), behind(), report()]),
			start([before(), question(sent, file), behind(), report()]),
			start([before(), question(stopped), behind(), report()]),
			start([before(), question(silent, limit), behind(), report()]),
		];
		const first = [typed, sent, stopped, silent];
		for (const contact of first) await asked(contact);
		await sleep(12_000);
		const lookedId = await start([before(), question(looked), behind(), report()]);
		const [typedId, sentId, stoppedId, silentId] = await Promise.all(starting);
		expect(await botOf(typed)).toMatchObject({ botEnabled: false });
		await n8n.client.stopExecution(stoppedId);

		// The look of the last one is cut off, when those of the others are just over: none of these is
		// due while n8n starts, unless the machine is very slow.
		const looksBefore = await Promise.all(first.map(looksFor));
		for (const [index, contact] of first.entries())
			await until(
				async () => await looksFor(contact),
				(count) => count > looksBefore[index],
			);
		// Each of these looks sends several requests.
		await sleep(3000);
		// n8n does not save what runs. So the one that is killed while it holds is lost, and asks nobody
		// twice; the one that is killed in a look continues as if nobody had answered.
		const looks = await looksFor(looked);
		await workspace.faults({ latencyMs: 60_000 });
		while ((await looksFor(looked)) === looks) await sleep(100);
		await workspace.faults({ latencyMs: null });
		const lost = start([question(held)]).catch(() => undefined);
		await asked(held);
		const killedAt = Date.now();
		await n8n.crash(async () => {
			await workspace.write(`id:${looked}`, 'yes');
			await workspace.write(`id:${typed}`, 'No.');
			await workspace.write(`id:${stopped}`, 'yes');
			await workspace.write(`id:${sent}`, {
				attachments: [{ name: 'order.txt', mimeType: 'text/plain', content: 'aGVsbG8=' }],
			});
		});
		const isStartSlow = Date.now() - killedAt > 40_000;
		await lost;
		const nobody = { order: 'A-17', data: null, files: [] };
		const expected = new Map<string, IDataObject>([
			[
				typedId,
				{
					order: 'A-17',
					data: expect.objectContaining({ answer: 'No.', approved: false }),
					files: [],
				},
			],
			[
				sentId,
				{
					order: 'A-17',
					data: expect.objectContaining({
						file: { binary: 'attachment_0', fileName: 'order.txt', mimeType: 'text/plain' },
					}),
					files: ['order.txt'],
				},
			],
			[silentId, nobody],
			[lookedId, nobody],
		]);
		const reports = await reportsOf([...expected.keys()]);
		// n8n starts what is due before it looks for what has crashed, so it can break what it continues
		// while it starts.
		const broken = [...reports.keys()].filter((id) => reports.get(id)?.length === 0);
		const stored = await Promise.all(broken.map(async (id) => [id, await describeStored(id)]));
		if (!isStartSlow || broken.length > 1) expect(stored).toEqual([]);
		for (const [id, report] of expected) {
			if (!broken.includes(id)) expect([id, await readReports(id)]).toEqual([id, [report]]);
		}
		expect((await ended(stoppedId)).status).toBe('canceled');
		for (const contact of [typed, sent, stopped, silent, held, looked])
			expect(await questionsTo(contact)).toHaveLength(1);
		for (const [id, contact] of [
			[typedId, typed],
			[sentId, sent],
			[silentId, silent],
		]) {
			if (!broken.includes(id)) expect(await botOf(contact)).toMatchObject({ botEnabled: true });
		}
	});
});

describeForN8n2('An agent', () => {
	const TOOL = 'Send a message to a contact';
	let agent: Awaited<ReturnType<typeof startTurns>>;

	beforeAll(async () => {
		agent = await startTurns(n8n);
	});

	afterAll(async () => {
		await agent?.model.stop();
	});

	/** Says something to the example of a support agent, with a change to its nodes. */
	async function talkTo(change: (workflow: WorkflowFile) => void): Promise<string> {
		const { id, say } = await publishAgent(n8n, change);
		void say('Please ask them.').catch(() => '');
		for (;;) {
			const [execution] = await n8n.client.executionsOf(id);
			if (execution) return execution;
			await sleep(200);
		}
	}

	test('asks a contact, pauses, and gets what the contact typed a minute later', async () => {
		const contact = contacts[9];
		let told = '';
		agent.turns.push(
			{ tool: 'Send_a_message_to_a_contact', args: { Question: 'Which size?' } },
			(result) => {
				told = result;
				return { say: 'They want M.' };
			},
		);
		const id = await talkTo((workflow) => {
			nodeOf(workflow, TOOL).parameters = {
				resource: 'message',
				operation: 'sendAndWait',
				answer: 'chat',
				responseType: 'freeText',
				contact: `id:${contact}`,
				message: "={{ $fromAI('Question', '', 'string') }}",
				descriptionType: 'manual',
				toolDescription: 'Asks the contact',
			};
		});
		await asked(contact);
		while ((await n8n.client.waitForExecution(id)).status !== 'waiting') await sleep(500);
		await workspace.write(`id:${contact}`, 'M, please');
		expect((await ended(id)).status).toBe('success');
		expect(told).toContain('M, please');
		expect((await questionsTo(contact)).map(({ text }) => text)).toEqual(['Which size?']);
	});

	/** The model calls the tool that a person reviews. */
	const call = (contact: string, text: string): Turn => ({
		tool: 'Send_a_message_to_a_contact',
		args: { toolParameters: { Contact: contact, Text: text }, hitlParameters: {} },
	});

	/** Puts a human review before the tool. */
	const reviewedBy = (contact: string) => (workflow: WorkflowFile) => {
		const review = node('Review', `${NODE_TYPE}HitlTool`, 1, {
			resource: 'message',
			operation: 'sendAndWait',
			answer: 'chat',
			contact,
			message: '=Run {{ $tool.name }}?\n{{ $tool.parameters }}',
		});
		review.credentials = { ...ourCredential };
		workflow.nodes.push(review);
		workflow.connections.Review = workflow.connections[TOOL];
		workflow.connections[TOOL] = { ai_tool: [[{ node: 'Review', type: 'ai_tool', index: 0 }]] };
	};

	test('runs a tool only if a person types yes (human review)', async () => {
		const [customer, manager] = [contacts[10], contacts[12]];
		agent.turns.push(call(customer, 'Go away!'), call(customer, 'Welcome!'), { say: 'Done.' });
		const id = await talkTo(reviewedBy(`id:${manager}`));
		for (const [index, text] of ['no', 'yes'].entries()) {
			await asked(manager, index + 1);
			await workspace.write(`id:${manager}`, text);
		}
		expect((await ended(id)).status).toBe('success');
		expect((await questionsTo(manager)).map(({ text }) => text)).toEqual([
			expect.stringContaining('Go away!'),
			expect.stringContaining('Welcome!'),
		]);
		expect((await questionsTo(customer)).map(({ text }) => text)).toEqual(['Welcome!']);
	});

	test.each([
		['nobody has the email', 'No contact has the email nobody@example.com.'],
		['another question is open', 'for another'],
	])('gets to know why a human review asked nobody: %s', async (why, reason) => {
		const [customer, busy] = [contacts[10], contacts[21]];
		const isOpen = why === 'another question is open';
		if (isOpen) {
			// It is still open when n8n ends.
			void start([question(busy)]).catch(() => {});
			await asked(busy);
		}
		const sent = (await questionsTo(customer)).length;
		let told = '';
		agent.turns.push(call(customer, 'Hello!'), (result) => {
			told = result;
			return { say: 'Nobody could be asked.' };
		});
		const id = await talkTo(reviewedBy(isOpen ? `id:${busy}` : 'nobody@example.com'));
		expect((await ended(id)).status).toBe('success');
		expect(told).toContain('Nobody could decide: ');
		expect(told).toContain(reason);
		expect(told).not.toContain('User rejected');
		expect(await questionsTo(customer)).toHaveLength(sent);
	});
});

describeForN8n2('The example', () => {
	const emailOf = async (contact: string, email: string) => {
		const changes = { email };
		await workspace.changeContacts([{ identifier: `id:${contact}`, changes }]);
	};
	const textsTo = async (contact: string) =>
		(await questionsTo(contact)).map(({ text }) => String(text));

	test('book-appointment.json asks three questions, one of them twice, and the answers start nothing else', async () => {
		const contact = contacts[13];
		const id = await n8n.client.importWorkflow(readExample('book-appointment.json'));
		await n8n.client.activate(id);
		await until(
			async () => await countPolls(workspace),
			(count) => count > 0,
		);
		await sleep(5000);
		const answers = ['An appointment, please', '2', 'next week', '2027-03-04', 'yes'];
		for (const [index, text] of answers.entries()) {
			await asked(contact, index, 3000);
			await workspace.write(`id:${contact}`, text);
		}
		await asked(contact, answers.length);
		const day = 'On which day? Please type it like this: 2027-01-31';
		expect(await textsTo(contact)).toEqual([
			'With pleasure. What would you like?\n\n1. Haircut\n2. Colour\n3. Both',
			day,
			day,
			'Colour on 2027-03-04. Shall we book it? Please type yes or no.',
			'Your appointment is booked. See you!',
		]);
		await sleep(130_000);
		expect(await questionsTo(contact)).toHaveLength(5);
		const executions = await Promise.all(
			(await n8n.client.executionsOf(id)).map(
				async (each) => await n8n.client.waitForExecution(each),
			),
		);
		const begun = executions.filter(
			({ data }) => data.resultData.runData['Wants an Appointment?'] !== undefined,
		);
		expect(begun).toHaveLength(1);
		await n8n.client.deactivate(id);
	});

	test.each([
		['Send it', true],
		['not like this!', false],
	])('approve-by-typing.json: "%s"', async (typed, isSent) => {
		const [customer, manager] = isSent ? contacts.slice(14, 16) : contacts.slice(16, 18);
		const name = isSent ? 'first' : 'second';
		await emailOf(customer, `${name}-customer@example.com`);
		await emailOf(manager, `${name}-manager@example.com`);
		const model = await startScriptedModel([() => ({ say: 'Yes, until noon.' })]);
		await n8n.client.importCredential(modelCredential(model.url));
		const workflow = readExample('approve-by-typing.json');
		const { assignments } = nodeOf(workflow, 'Question').parameters.assignments as {
			assignments: Array<{ value: string }>;
		};
		assignments[0].value = `${name}-customer@example.com`;
		assignments[1].value = `${name}-manager@example.com`;
		const running = n8n.client.run(await n8n.client.importWorkflow(workflow));
		await asked(manager);
		await workspace.write(`id:${manager}`, typed);
		expect((await ended((await running).id)).status).toBe('success');
		expect(await textsTo(customer)).toEqual(isSent ? ['Yes, until noon.'] : []);
		await model.stop();
	});

	test('remind-in-chat.json reminds a contact who types nothing, and takes the later answer', async () => {
		const contact = contacts[10];
		await emailOf(contact, 'slow@example.com');
		const workflow = readExample('remind-in-chat.json');
		const { assignments } = nodeOf(workflow, 'Order').parameters.assignments as {
			assignments: Array<{ value: string }>;
		};
		assignments[0].value = 'slow@example.com';
		// Not two hours.
		Object.assign(
			nodeOf(workflow, 'Ask in the Chat').parameters,
			limitWait({ resumeAmount: 0.2, resumeUnit: 'minutes' }),
		);
		const before = (await questionsTo(contact)).length;
		const running = n8n.client.run(await n8n.client.importWorkflow(workflow));
		await asked(contact, before + 2, 3000);
		await workspace.write(`id:${contact}`, 'wednesday');
		expect((await ended((await running).id)).status).toBe('success');
		expect((await textsTo(contact)).slice(before + 1)).toEqual([
			expect.stringContaining('Hello again'),
			'We deliver on Wednesday.',
		]);
	});
});

describeForN8n2('Message Received, and then a question', () => {
	test('asks two contacts who write in the same minute, each in an execution of its own', async () => {
		const both = contacts.slice(18, 20);
		const id = await n8n.client.importWorkflow({
			name: 'Ask who writes',
			nodes: [
				{
					...node('Trigger', `${NODE_TYPE}Trigger`, 1, {
						event: 'messageReceived',
						pollTimes: { item: [{ mode: 'everyMinute' }] },
					}),
					credentials: ourCredential,
				},
				question('={{ $json.contact.id }}'),
				node('Thanks', NODE_TYPE, 1, {
					resource: 'message',
					operation: 'send',
					identifier: { __rl: true, mode: 'id', value: '={{ $("Trigger").item.json.contact.id }}' },
					text: '={{ $json.data.approved ? "It ships." : "It waits." }}',
				}),
			],
			connections: {
				Trigger: { main: [[to('Ask')]] },
				Ask: { main: [[to('Thanks')]] },
			},
		});
		const polls = await countPolls(workspace);
		await n8n.client.activate(id);
		await until(
			async () => await countPolls(workspace),
			(count) => count > polls,
		);
		await sleep(5000);
		for (const contact of both) await workspace.write(`id:${contact}`, 'Hello');
		for (const contact of both) await asked(contact, 1, 3000);
		const [first, second] = both;
		await workspace.write(`id:${first}`, 'yes');
		await workspace.write(`id:${second}`, 'no');
		for (const contact of both) await asked(contact, 2, 3000);
		const texts = await Promise.all(both.map(async (contact) => await questionsTo(contact)));
		expect(texts.map(([, { text }]) => text)).toEqual(['It ships.', 'It waits.']);
		const executions = await n8n.client.executionsOf(id);
		expect(executions).toHaveLength(2);
		await n8n.client.deactivate(id);
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
