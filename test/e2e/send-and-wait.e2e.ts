import { setTimeout as sleep } from 'node:timers/promises';
import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { credentialFor, nodeOf, readExample } from '../../scripts/examples';
import { DEFAULT_N8N_VERSION } from '../../scripts/n8n/install';
import {
	itemsOf,
	NODE_TYPE,
	startN8n,
	type RunningN8n,
	type WorkflowFile,
} from '../../scripts/n8n/run';
import { publishAgent, startTurns } from '../support/n8n/agentExample';
import type { Turn } from '../support/n8n/scriptedModel';
import { limitWait } from '../support/limitWait';
import { chain, node, to } from '../support/n8n/workflow';

/** A contact answers a question by the link in the message, in a real n8n. */

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;
let contacts: string[];

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-questions', { contacts: 3 });
	contacts = (await workspace.state()).contacts.map(({ id }) => id);
	n8n = await startN8n();
	await n8n.client.importCredential(credentialFor(workspace));
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

beforeEach(async () => {
	await workspace.clearJournal();
});

const question = (parameters: INodeParameters = {}): INode =>
	node('Ask', NODE_TYPE, 1, {
		resource: 'message',
		operation: 'sendAndWait',
		identifier: { __rl: true, mode: 'id', value: contacts[0] },
		message: 'May we ship on <b>Friday</b>?',
		...parameters,
	});

/**
 * Starts a workflow whose manual trigger leads to these nodes, one after the other; `back` leads
 * from the last to the first.
 */
async function start(nodes: INode[], connections?: IConnections): Promise<string> {
	const id = await n8n.client.importWorkflow(chain('Ask', nodes, connections));
	return (await n8n.client.run(id)).id;
}

/** Asks one question; the execution waits then. */
async function ask(parameters: INodeParameters = {}) {
	const id = await start([question(parameters)]);
	return { id, link: await nextLink(1) };
}

/** The link in the message that the sandbox received as the given one of all. */
async function nextLink(count: number): Promise<string> {
	for (let tries = 0; tries < 500; tries++) {
		const text = (await workspace.journal()).messages[count - 1]?.text;
		if (text) return /http\S+/.exec(text)![0];
		await sleep(200);
	}
	throw new Error('No message arrived');
}

const post = async (link: string, answer: Record<string, string>) =>
	await fetch(link, { method: 'POST', body: new URLSearchParams(answer) });

/** n8n looks once a minute for executions whose time is over. */
const LONGEST_WAIT_MS = 240_000;

/**
 * Waits until an execution no longer waits for an answer, and returns what its question put out,
 * pass by pass.
 */
async function answersOf(id: string): Promise<IDataObject[]> {
	const deadline = Date.now() + LONGEST_WAIT_MS;
	while (Date.now() < deadline) {
		const execution = await n8n.client.waitForExecution(id);
		if (execution.status !== 'waiting') {
			const runs = execution.data.resultData.runData.Ask;
			return runs.flatMap(({ data }) => (data?.main[0] ?? []).map(({ json }) => json));
		}
		await sleep(200);
	}
	throw new Error('The execution goes on waiting');
}

test.each([
	['approves', {}, { approved: 'true' }, { approved: true }],
	['declines', {}, { approved: 'false' }, { approved: false }],
	[
		'writes a text',
		{ responseType: 'freeText' },
		{ text: ' On Monday\r\nplease ' },
		{ text: 'On Monday\nplease' },
	],
	[
		'picks a choice',
		{ responseType: 'choices', choices: ['S', 'M', 'L'] },
		{ choice: '1' },
		{ choice: 'M' },
	],
])('The workflow continues when the contact %s', async (_what, parameters, answer, data) => {
	const { id, link } = await ask(parameters);
	const page = await fetch(link);
	expect(page.status).toBe(200);
	expect(await page.text()).toContain('May we ship on &lt;b&gt;Friday&lt;/b&gt;?');
	expect(page.headers.get('content-security-policy')).toContain('sandbox allow-forms');

	const thanks = await post(link, answer);
	expect(thanks.headers.get('content-type')).toBe('text/html; charset=utf-8');
	expect(thanks.headers.get('cache-control')).toBe('no-store');
	expect(thanks.headers.get('content-security-policy')).toContain('sandbox');
	expect([thanks.status, await thanks.text()]).toEqual([
		200,
		expect.stringContaining('Thank you.'),
	]);
	expect(await answersOf(id)).toEqual([
		{
			contact: `id:${contacts[0]}`,
			contactId: contacts[0],
			data: { ...data, respondedAt: expect.any(String) },
		},
	]);
});

/**
 * n8n 1 has no human review; what only takes minutes of waiting for n8n's own timer runs in one
 * line.
 */
const testOfN8n2 = DEFAULT_N8N_VERSION.startsWith('1.') ? test.skip : test;

test.each(['}} "quoted" \\', 'a\u2028b', 'constructor', 'prototype', 'toString'])(
	'A node called %j asks its question, and the answer continues the workflow',
	async (name) => {
		const id = await start([{ ...question(), name }]);
		const link = await nextLink(1);
		const page = await fetch(link);
		expect([page.status, await page.text()]).toEqual([
			200,
			expect.stringContaining('May we ship on'),
		]);
		expect((await n8n.client.waitForExecution(id)).status).toBe('waiting');
		expect((await post(link, { approved: 'true' })).status).toBe(200);
		await until(async () => (await n8n.client.waitForExecution(id)).status === 'success');
		const { data } = await n8n.client.waitForExecution(id);
		const [run] = Object.entries(data.resultData.runData).find(([node]) => node === name)![1];
		expect(run.data?.main[0]?.[0].json.data).toMatchObject({ approved: true });
	},
);

// n8n 1 thanks before it knows which answer counts.
testOfN8n2(
	'Of answers that come at once, one counts, and its thank-you is the only one',
	async () => {
		for (let round = 0; round < 3; round++) {
			await workspace.clearJournal();
			const { id, link } = await ask({ responseType: 'freeText' });
			const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
			const pages = await Promise.all(texts.map(async (text) => await post(link, { text })));
			const bodies = await Promise.all(pages.map(async (page) => await page.text()));
			const thanked = texts.filter((_, index) => bodies[index].includes('Thank you.'));
			expect(pages.filter(({ ok }) => ok)).toHaveLength(1);
			expect(thanked).toHaveLength(1);
			expect(await answersOf(id)).toEqual([
				expect.objectContaining({ data: expect.objectContaining({ text: thanked[0] }) }),
			]);
		}
	},
);

test('The node shows during the wait that the contact cannot open a private address', async () => {
	const { id } = await ask();
	const { data } = await n8n.client.waitForExecution(id);
	expect(data.resultData.runData.Ask[0].hints?.map(({ message }) => message)).toEqual([
		expect.stringMatching(
			/^The contact cannot open http:\/\/127\.0\.0\.1:\d+, .* Set N8N_WEBHOOK_URL/,
		),
	]);
});

test('Opening the link repeatedly decides nothing, and an answer counts once', async () => {
	const { id, link } = await ask();
	for (let times = 0; times < 3; times++) expect((await fetch(link)).status).toBe(200);
	expect((await n8n.client.waitForExecution(id)).status).toBe('waiting');

	await post(link, { approved: 'true' });
	const [{ data }] = await answersOf(id);
	const second = await post(link, { approved: 'false' });
	expect(await second.text()).not.toContain('Thank you.');
	expect(await answersOf(id)).toEqual([expect.objectContaining({ data })]);
});

test.each([
	['another question', (link: string) => link.replace(/question=\d+/, 'question=1')],
	['no question', (link: string) => link.replace(/question=\d+&?/, '')],
	[
		'another signature',
		(link: string) =>
			link.replace(/signature=(.)/, (_, first) => `signature=${first === '0' ? 1 : 0}`),
	],
])('n8n refuses a changed link (%s)', async (_what, change) => {
	const { id, link } = await ask();
	expect(change(link)).not.toBe(link);
	expect((await fetch(change(link))).status).toBe(401);
	expect((await post(change(link), { approved: 'true' })).status).toBe(401);
	expect((await n8n.client.waitForExecution(id)).status).toBe('waiting');
});

test('A link answers only its own question in a loop of three contacts', async () => {
	const many = node('Contacts', NODE_TYPE, 1, {
		resource: 'contact',
		operation: 'getAll',
		returnAll: true,
	});
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 1, options: {} });
	const asking = question({
		identifier: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		responseType: 'freeText',
	});
	const id = await start([many, loop, asking], {
		Loop: { main: [[], [to('Ask')]] },
		Ask: { main: [[to('Loop')]] },
	});
	const links = [await nextLink(1)];
	expect((await post(links[0], { text: 'first' })).status).toBe(200);
	links.push(await nextLink(2));
	expect(links[1]).not.toBe(links[0]);
	await until(async () => (await fetch(links[1])).status === 200);
	const crosswise = await post(links[0], { text: 'wrong' });
	expect([crosswise.status, await crosswise.text()]).toEqual([
		410,
		expect.stringContaining('This link belongs to an earlier question.'),
	]);
	await post(links[1], { text: 'second' });
	links.push(await nextLink(3));
	await until(async () => (await fetch(links[2])).status === 200);
	for (const earlier of links.slice(0, 2)) expect((await fetch(earlier)).status).toBe(410);
	await post(links[2], { text: 'third' });
	const answers = (await answersOf(id)).map(({ contactId, data }) => [
		contactId,
		(data as IDataObject).text,
	]);
	const asked = (await workspace.journal()).messages.map(({ contactId }) => contactId);
	expect(answers).toEqual([
		[asked[0], 'first'],
		[asked[1], 'second'],
		[asked[2], 'third'],
	]);
});

test('A loop that calls a sub-workflow without waiting asks three contacts at once, and each answer counts for its own', async () => {
	const called = node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
		inputSource: 'passthrough',
	});
	const asking = question({
		identifier: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		responseType: 'freeText',
	});
	const subWorkflow = await n8n.client.importWorkflow({
		name: 'Ask one contact',
		nodes: [called, asking],
		connections: { Called: { main: [[to('Ask')]] } },
	});
	const many = node('Contacts', NODE_TYPE, 1, {
		resource: 'contact',
		operation: 'getAll',
		returnAll: true,
	});
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 1, options: {} });
	const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
		workflowId: { __rl: true, mode: 'id', value: subWorkflow },
		mode: 'once',
		options: { waitForSubWorkflow: false },
	});
	const id = await start([many, loop, call], {
		Loop: { main: [[], [to('Call')]] },
		Call: { main: [[to('Loop')]] },
	});
	await nextLink(3);
	expect((await n8n.client.waitForExecution(id)).status).toBe('success');
	const { messages } = await workspace.journal();
	const asked = messages.map(({ contactId }) => String(contactId));
	expect([...asked].sort()).toEqual([...contacts].sort());

	// In another order than that of the questions.
	for (const index of [2, 0, 1]) {
		const link = await nextLink(index + 1);
		await until(async () => (await fetch(link)).status === 200);
		expect((await post(link, { text: `I am ${asked[index]}` })).status).toBe(200);
	}
	const executions = await n8n.client.executionsOf(subWorkflow);
	expect(executions).toHaveLength(3);
	const answers = (await Promise.all(executions.map(answersOf))).flat();
	expect(
		answers.map(({ contactId, data }) => [contactId, (data as IDataObject).text]).sort(),
	).toEqual([...contacts].sort().map((contact) => [contact, `I am ${contact}`]));
});

test('The input continues without data after the time limit', async () => {
	const { id } = await ask(limitWait({ resumeAmount: 0.05, resumeUnit: 'minutes' }));
	expect((await answersOf(id)).every(({ data }) => data === undefined)).toBe(true);
});

testOfN8n2('An execution continues to wait after n8n restarts', async () => {
	const { id, link } = await ask();
	await n8n.restart();
	expect((await post(link, { approved: 'true' })).status).toBe(200);
	expect(await answersOf(id)).toEqual([
		expect.objectContaining({ data: expect.objectContaining({ approved: true }) }),
	]);
});

test('The node refuses several items before it sends anything', async () => {
	const many = node('Contacts', NODE_TYPE, 1, {
		resource: 'contact',
		operation: 'getAll',
		returnAll: true,
	});
	const id = await start([
		many,
		question({ identifier: { __rl: true, mode: 'id', value: '={{ $json.id }}' } }),
	]);
	const { status, data } = await n8n.client.waitForExecution(id);
	expect([status, data.resultData.error?.message]).toEqual([
		'error',
		expect.stringContaining('Loop Over Items'),
	]);
	expect((await workspace.journal()).messages).toEqual([]);
});

/** Waits until something is so. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
	for (let tries = 0; tries < 500; tries++) {
		if (await isSo()) return;
		await sleep(200);
	}
	throw new Error('It did not become so');
}

describe('The example ask-delivery-date.json', () => {
	const run = async () => {
		const workflow = readExample('ask-delivery-date.json');
		const { email } = await workspace.contact(`id:${contacts[0]}`);
		const order = nodeOf(workflow, 'Order').parameters.assignments as {
			assignments: Array<{ name: string; value: string }>;
		};
		order.assignments[0].value = String(email);
		for (const name of ['Ask for Date', 'Remind'])
			Object.assign(
				nodeOf(workflow, name).parameters,
				limitWait({ resumeAmount: 0.05, resumeUnit: 'minutes' }),
			);
		const id = await n8n.client.importWorkflow(workflow);
		return (await n8n.client.run(id)).id;
	};

	testOfN8n2(
		'reminds a contact who does not answer, and accepts the answer to the reminder',
		async () => {
			const id = await run();
			const first = await nextLink(1);
			const second = await nextLink(2);
			expect(second).not.toBe(first);
			await until(async () => (await fetch(second)).status === 200);
			await post(second, { choice: '2' });
			await until(async () => (await n8n.client.waitForExecution(id)).status === 'success');
			const { messages } = await workspace.journal();
			expect(messages.at(-1)?.text).toBe('We deliver on Friday.');
		},
	);

	testOfN8n2('gives up after the reminder, and tags the contact', async () => {
		const id = await run();
		await nextLink(2);
		await until(async () => (await n8n.client.waitForExecution(id)).status === 'success');
		const { tags } = await workspace.contact(`id:${contacts[0]}`);
		expect(tags.map(({ name }) => name)).toContain('No delivery date');
		expect((await workspace.journal()).messages).toHaveLength(2);
	});
});

test('The example ask-three-people.json asks one person after the other, and lists the answers', async () => {
	const workflow = readExample('ask-three-people.json');
	const tag = await workspace.add('tags', { name: 'Late shift' });
	const three = contacts.slice(0, 3);
	await workspace.changeContacts(
		three.map((id) => ({ identifier: `id:${id}`, changes: { tagIds: [tag.id] } })),
	);
	const { tags } = nodeOf(workflow, 'Get Three People').parameters.conditions as {
		tags: Array<{ tagIds: string[] }>;
	};
	tags[0].tagIds = [tag.id];
	const { id } = await n8n.client.run(await n8n.client.importWorkflow(workflow));
	const choices = ['1', '0', '1'];
	for (const [at, choice] of choices.entries()) {
		const link = await nextLink(at + 1);
		await until(async () => (await fetch(link)).status === 200);
		expect((await workspace.journal()).messages).toHaveLength(at + 1);
		expect((await post(link, { choice })).status).toBe(200);
	}
	await until(async () => (await n8n.client.waitForExecution(id)).status === 'success');
	const answers = itemsOf(await n8n.client.waitForExecution(id), 'Answers').map(
		({ json }) => json.answer,
	);
	expect(answers).toEqual(['No', 'Yes', 'No']);
	const asked = (await workspace.journal()).messages.map(({ contactId }) => contactId);
	expect(asked.sort()).toEqual([...three].sort());
});

describe('An agent', () => {
	let agent: Awaited<ReturnType<typeof startTurns>>;
	const TOOL = 'Send a message to a contact';

	beforeAll(async () => {
		agent = await startTurns(n8n);
	});

	afterAll(async () => {
		await agent?.model.stop();
	});

	test.each([
		['approves', { approved: 'true' }, true],
		['declines', { approved: 'false' }, false],
	])('sends the drafted reply only if a person %s it', async (_what, answer, isSent) => {
		agent.turns.push({ say: 'Yes, until noon.' });
		const workflow = readExample('approve-draft.json');
		const [customer, approver] = (await workspace.state()).contacts;
		const question = nodeOf(workflow, 'Question').parameters.assignments as {
			assignments: Array<{ name: string; value: string }>;
		};
		question.assignments[0].value = String(customer.email);
		question.assignments[1].value = String(approver.email);
		const { id } = await n8n.client.run(await n8n.client.importWorkflow(workflow));
		const link = await nextLink(1);
		expect((await workspace.journal()).messages[0]).toMatchObject({
			contactId: approver.id,
			text: expect.stringContaining('May we reply: Yes, until noon.'),
		});
		await post(link, answer);
		await until(async () => (await n8n.client.waitForExecution(id)).status === 'success');
		const sent = (await workspace.journal()).messages.slice(1);
		expect(sent.map(({ contactId, text }) => [contactId, text])).toEqual(
			isSent ? [[customer.id, 'Yes, until noon.']] : [],
		);
	});

	/**
	 * The example of a support agent, published, with a change to its nodes; says something to it.
	 */
	async function talkTo(change: (workflow: WorkflowFile) => void) {
		const { id, say } = await publishAgent(n8n, change);
		// The answer of the chat comes as soon as the workflow waits.
		await say('Please welcome them.').catch(() => '');
		return async () => {
			const [execution] = await n8n.client.executionsOf(id);
			await until(async () => (await n8n.client.waitForExecution(execution)).status === 'success');
		};
	}

	/** Answers the question that is the given one of all messages. */
	async function answer(message: number, answers: Record<string, string>) {
		const link = await nextLink(message);
		await until(async () => (await fetch(link)).status === 200);
		expect((await post(link, answers)).status).toBe(200);
	}

	test('gets the answer of a contact that it asks with the node as a tool', async () => {
		agent.turns.push({ tool: 'Send_a_message_to_a_contact', args: { Question: 'Which size?' } });
		let told = '';
		agent.turns.push((result) => {
			told = result;
			return { say: 'They want M.' };
		});
		const ended = await talkTo((workflow) => {
			nodeOf(workflow, TOOL).parameters = {
				...{ resource: 'message', operation: 'sendAndWait', responseType: 'freeText' },
				...{ descriptionType: 'manual', toolDescription: 'Asks the contact' },
				...{ contact: `id:${contacts[0]}`, message: "={{ $fromAI('Question', '', 'string') }}" },
			};
		});
		await answer(1, { text: 'M, please' });
		await ended();
		expect(told).toContain('M, please');
		expect((await workspace.journal()).messages[0].text).toMatch(/^Which size\?\n\nhttp/);
	});

	// n8n makes this step of the node from 2.8 on.

	testOfN8n2('runs a tool only for those calls that a person approves (human review)', async () => {
		const call = (text: string): Turn => ({
			tool: 'Send_a_message_to_a_contact',
			args: { toolParameters: { Contact: contacts[1], Text: text }, hitlParameters: {} },
		});
		agent.turns.push(call('Go away!'), call('Welcome!'), { say: 'Done.' });
		const ended = await talkTo((workflow) => {
			const review = node('Review', `${NODE_TYPE}HitlTool`, 1, {
				...{ resource: 'message', operation: 'sendAndWait', contact: `id:${contacts[0]}` },
				message: '=Run {{ $tool.name }}?\n{{ $tool.parameters }}',
			});
			review.credentials = { workspaceMessagingApi: { id: null, name: '' } };
			workflow.nodes.push(review);
			workflow.connections.Review = workflow.connections[TOOL];
			workflow.connections[TOOL] = { ai_tool: [[{ node: 'Review', type: 'ai_tool', index: 0 }]] };
		});
		await answer(1, { approved: 'false' });
		await answer(2, { approved: 'true' });
		await ended();
		const { messages } = await workspace.journal();
		expect(messages.map(({ contactId, text }) => [contactId, text?.split('\n\n')[0]])).toEqual([
			[contacts[0], expect.stringContaining('Go away!')],
			[contacts[0], expect.stringContaining('Welcome!')],
			[contacts[1], 'Welcome!'],
		]);
	});
});
