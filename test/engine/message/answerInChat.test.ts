import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters, IWorkflowSettings } from 'n8n-workflow';
import { chatWithAnn } from '../../support/engine/chat';
import { by, received, text, writesOf } from '../../support/engine/helpers';
import { clock, setClock } from '../../support/engine/skipPauses';
import { limitWait } from '../../support/limitWait';

/* Questions that a contact answers by typing. What each text means is tested with its function. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Test = Awaited<ReturnType<typeof chatWithAnn>>;

const kinds: Record<string, INodeParameters> = Object.fromEntries(
	['number', 'date', 'email', 'phoneNumber', 'file'].map((expectedAnswer) => [
		expectedAnswer,
		{ responseType: 'freeText', expectedAnswer },
	]),
);

const lastParts = (requests: Array<{ path: string }>) =>
	requests.map(({ path }) => path.split('?')[0].split('/').at(-1));

test('The node returns the answer of a contact who answers at once', async () => {
	const { workspace, ask, write, ann } = await chatWithAnn();
	const result = await ask({}, async () => await write('Yes!'));
	expect(result.error).toBeUndefined();
	expect(result.json).toEqual([
		{
			contact: 'email:ann@example.com',
			contactId: ann.id,
			email: 'ann@example.com',
			phoneNumber: '+4915100000001',
			data: {
				answer: 'Yes!',
				approved: true,
				understood: true,
				respondedAt: expect.any(String),
			},
			message: expect.objectContaining({ text: 'Yes!', direction: 'incoming' }),
		},
	]);
	expect(lastParts(await writesOf(workspace))).toEqual([
		'custom-fields',
		'disable-bot',
		'custom-fields',
		'messages',
		'custom-fields',
		'enable-bot',
	]);
});

test('Another workflow waits in place of the node, and returns what the contact types later', async () => {
	const { workspace, ask, write, subWorkflows } = await chatWithAnn();
	const result = await ask();
	expect(result.error).toBeUndefined();
	expect(new Date(result.run.waitTill!).getFullYear()).toBe(2999);
	await subWorkflows.wake();
	expect(subWorkflows.waitTill).toBeDefined();
	await write('no');
	const [{ json, pairedItem }] = await subWorkflows.wake();
	expect(json.data).toMatchObject({ answer: 'no', approved: false });
	expect(pairedItem).toEqual({ item: 0 });
	expect((await workspace.journal()).messages).toHaveLength(1);
});

test('The looks come after 1, 1, 1, 2, 5, 10 and 15 minutes, each is two requests, and the last one is at the end, with a note that the question is over', async () => {
	const { workspace, ask, subWorkflows } = await chatWithAnn();
	await ask(limitWait({ resumeAmount: 1, resumeUnit: 'hours' }, { pauseBot: false }));
	const minutes: number[] = [];
	for (let looks = 0; looks < 12 && subWorkflows.waitTill; looks++) {
		const wakeAt = subWorkflows.waitTill.getTime();
		minutes.push(Math.round((wakeAt - clock()) / 60_000));
		setClock(wakeAt);
		await workspace.clearJournal();
		await subWorkflows.wake();
		const isLast = !subWorkflows.waitTill;
		expect(await received(workspace)).toHaveLength(isLast ? 4 : 2);
	}
	expect(minutes).toEqual([1, 1, 1, 2, 5, 10, 15, 15, 10]);
	expect(subWorkflows.output[0].json).toEqual({ order: 1 });
});

test('A file that the contact sends is a file of the item', async () => {
	const { ask, write } = await chatWithAnn();
	const content = Buffer.from('hello').toString('base64');
	const attachments = [{ name: 'order.txt', mimeType: 'text/plain', content }];
	const { outputs } = await ask(kinds.file, async () => await write({ attachments }));
	const [{ json, binary }] = outputs[0];
	expect(json.data).toMatchObject({
		file: { binary: 'attachment_0', fileName: 'order.txt', mimeType: 'text/plain' },
		answer: '[attachments: order.txt]',
	});
	expect(binary?.attachment_0).toMatchObject({ fileName: 'order.txt' });
});

test('A file that cannot be downloaded leaves the answer to the next one', async () => {
	const { ask, write } = await chatWithAnn();
	const content = Buffer.from('hello').toString('base64');
	const { outputs } = await ask(kinds.file, async () => {
		await write({ attachments: [{ url: 'http://169.254.169.254/order.txt' }] });
		await write({ attachments: [{ name: 'small.txt', mimeType: 'text/plain', content }] });
	});
	expect(outputs[0][0].json.data).toMatchObject({ file: { fileName: 'small.txt' } });
});

test.each<[string, string, unknown]>([
	['number', '1,234.5', undefined],
	['number', '12.5', 12.5],
	['date', '2026-02-30', undefined],
	['date', '2026-01-31', '2026-01-31'],
	['email', 'ann at example', undefined],
	['email', ' Ann@Example.com ', 'Ann@Example.com'],
	['phoneNumber', 'call me', undefined],
	['phoneNumber', '+49 151 1', undefined],
	['phoneNumber', '+49 (151) 1000-0001', '+4915110000001'],
	['phoneNumber', '＋４９ 0151 1000-0001', '+4915110000001'],
	['phoneNumber', '5511999999999@s.whatsapp.net', '+5511999999999'],
	['phoneNumber', '+49 30 12345 / 12346', undefined],
	['email', '5511999999999@s.whatsapp.net', undefined],
])('As a %s, "%s" becomes %s', async (type, typed, value) => {
	const { ask, write } = await chatWithAnn();
	let isWritten = false;
	const answerOnce = async () => {
		if (!isWritten) await write(typed);
		isWritten = true;
	};
	const options = { ifNotUnderstood: 'continue' };
	const { json } = await ask({ ...kinds[type], options }, answerOnce);
	expect(json[0].data).toEqual({
		answer: expect.any(String),
		understood: value !== undefined,
		respondedAt: expect.any(String),
		...(value !== undefined && { [type]: value }),
	});
});

test('The contact sees the choices with numbers, and can answer with one', async () => {
	const { workspace, ask, write } = await chatWithAnn();
	const choices = { responseType: 'choices', choices: ['Small', '', 'Large', 'Small'] };
	const { json } = await ask(choices, async () => await write('2'));
	const [{ text: sent }] = (await workspace.journal()).messages;
	expect(sent).toBe('May we ship on Friday?\n\n1. Small\n2. Large');
	expect(json[0].data).toMatchObject({ answer: '2', choice: 'Large' });
});

test('Words for yes and no are separated by commas or line breaks', async () => {
	const { ask, write } = await chatWithAnn();
	const options = { yesWords: '"ja"\ngerne', noWords: 'nein' };
	const { json } = await ask({ options }, async () => await write('Gerne!'));
	expect(json[0].data).toMatchObject({ approved: true });
});

test('Only messages on the channel of the question are answers', async () => {
	const { workspace, ann, ask, write } = await chatWithAnn();
	const { channels } = await workspace.state();
	const [first, second] = channels.map(({ id }) => id);
	const changes = { inboxIds: [first, second] };
	await workspace.changeContacts([{ identifier: `id:${ann.id}`, changes }]);
	const { json } = await ask({ inboxId: by('id', second) }, async () => {
		await write({ text: 'no', inboxId: first });
		await write({ text: 'yes', inboxId: second });
	});
	expect(json[0].data).toMatchObject({ answer: 'yes' });
});

test('What the contact wrote before the question is no answer, even if it came while n8n was sending', async () => {
	const { workspace, ann, ask, write } = await chatWithAnn();
	const { json } = await ask({}, async () => {
		const [question] = await workspace.messages(`id:${ann.id}`);
		const before = new Date(Date.parse(String(question.createdAt)) - 1).toISOString();
		await write({ text: 'yes', at: before });
		await write('no');
	});
	expect(json[0].data).toMatchObject({ answer: 'no', approved: false });
});

describe('Before anything is sent, the node refuses', () => {
	const long = { responseType: 'choices', choices: ['A', 'B'] };
	test.each<[string, INodeParameters, IWorkflowSettings, string]>([
		[
			'a wait without an end',
			limitWait({ limitType: 'noLimit' }),
			{},
			'Answers in the chat need a limit. Choose another Limit Type under Limit Wait Time',
		],
		['a place for a link', { message: 'Here: {link}' }, {}, 'Message contains {link}'],
		[
			'a text of 1,001 characters with its choices',
			{ ...long, message: text(990) },
			{},
			'Message must have at most 1,000 characters with its choices, but has 1,001',
		],
		[
			'no choices',
			{ responseType: 'choices', choices: ['', ' '] },
			{},
			'Choices must have at least one entry',
		],
		[
			'a workflow that ends before the wait',
			limitWait({ resumeAmount: 61, resumeUnit: 'minutes' }),
			{ executionTimeout: 3600 },
			'This workflow ends after 60 minutes, before the wait is over. Shorten the wait, or turn off Timeout Workflow in the settings of the workflow',
		],
		[
			'a word that means yes and no',
			{ options: { yesWords: 'sure, Maybe', noWords: 'maybe!' } },
			{},
			'"Maybe" stands for yes and for no. Remove it from one of them',
		],
		[
			'an unknown kind of answer',
			{ responseType: 'freeText', expectedAnswer: 'colour' },
			{},
			'Expected Answer must be one of',
		],
	])('%s', async (_, parameters, settings, sentence) => {
		const { workspace, ask } = await chatWithAnn();
		const { error } = await ask(parameters, undefined, { settings });
		expect(error?.message).toContain(sentence);
		expect(await received(workspace)).toEqual([]);
	});

	test('a service that does not let n8n read messages', async () => {
		const { workspace, ask } = await chatWithAnn({ service: 'reference' });
		const { error } = await ask();
		expect(error?.message).toContain(
			"This service doesn't let n8n read what a contact types (405). Nothing was sent. Choose By Link under Answer.",
		);
		expect(await writesOf(workspace)).toEqual([]);
	});
});

test('A text of 1,000 characters with its choices is sent, and so is a question in a workflow that ends after the wait', async () => {
	const { workspace, ask, write } = await chatWithAnn();
	const answer = async () => await write('a');
	const choices = { responseType: 'choices', choices: ['A', 'B'], message: text(989) };
	const wait = limitWait({ resumeAmount: 59, resumeUnit: 'minutes' });
	const settings = { executionTimeout: 3600 };
	const { error } = await ask({ ...choices, ...wait }, answer, { settings });
	expect(error).toBeUndefined();
	expect((await workspace.journal()).messages[0].text).toHaveLength(1000);
});

test('On a service that cannot pause its bot, the node asks all the same, and says so', async () => {
	const { ask, write } = await chatWithAnn({ service: 'older' });
	const { json, hints } = await ask({}, async () => await write('yes'));
	expect(json[0].data).toMatchObject({ approved: true });
	expect(hints.join()).toContain("This service can't pause its bot");
});

describe('The bot', () => {
	const isBotOn = async ({ workspace }: Test) => {
		const [{ conversation }] = (await workspace.state()).contacts;
		return conversation?.botEnabled;
	};

	test('is back if the question could not be sent', async () => {
		const test = await chatWithAnn();
		const fail = [{ status: 400, match: { operation: 'sendMessage' as const } }];
		await test.workspace.faults({ fail });
		const { error } = await test.ask();
		expect(error).toBeDefined();
		expect(lastParts(await writesOf(test.workspace))).toEqual([
			'custom-fields',
			'disable-bot',
			'custom-fields',
			'messages',
			'custom-fields',
			'enable-bot',
		]);
		expect(await isBotOn(test)).toBe(true);
	});

	test('is back if the pause itself failed after it had begun', async () => {
		const test = await chatWithAnn();
		const fail = [{ status: 500, after: true, match: { operation: 'disableBot' as const } }];
		await test.workspace.faults({ fail });
		const { error } = await test.ask({ requestOptions: { maxRetries: 1 } });
		expect(error).toBeDefined();
		expect(await isBotOn(test)).toBe(true);
		expect((await test.workspace.journal()).messages).toEqual([]);
	});

	const failsToReturn = [{ status: 500, match: { operation: 'enableBot' as const } }];

	/** Lets the workflow in the background try again. */
	const tryAgain = async ({ subWorkflows }: Test) => {
		const [ending] = subWorkflows.inBackground;
		setClock(ending.waitTill!.getTime());
		await ending.wake();
		return ending;
	};

	test('is returned by another workflow if the service fails, and the answer does not wait for that', async () => {
		const test = await chatWithAnn();
		await test.workspace.faults({ fail: failsToReturn });
		let looks = 0;
		let answeredAt = 0;
		const { json } = await test.ask({}, async () => {
			looks++;
			if (looks < 4) return;
			answeredAt ||= performance.now();
			await test.write('yes');
		});
		// At the fourth look, five of the 25 seconds are left.
		expect(performance.now() - answeredAt).toBeLessThan(7000);
		expect(json[0].data).toMatchObject({ approved: true });
		expect(await isBotOn(test)).toBe(false);
		await test.workspace.faults({ fail: null });
		const ending = await tryAgain(test);
		expect(ending.waitTill).toBeUndefined();
		expect(ending.hints).toEqual([]);
		expect(await isBotOn(test)).toBe(true);
	});

	test('stays paused with a hint if the service does not return it within ten minutes', async () => {
		const test = await chatWithAnn();
		await test.workspace.faults({ fail: failsToReturn });
		await test.ask({ requestOptions: { maxRetries: 0 } }, async () => await test.write('yes'));
		for (let minutes = 0; minutes < 9; minutes++)
			expect((await tryAgain(test)).waitTill).toBeDefined();
		const ending = await tryAgain(test);
		expect(ending.waitTill).toBeUndefined();
		expect(ending.hints.join()).toMatch(
			/The bot is still paused in conversation \d+, for up to 24 hours: .* use Conversation → Hand Over\./,
		);
	});

	/** Asks Ann for two minutes, at whose end the service fails. */
	const askUntilOutage = async () => {
		const test = await chatWithAnn();
		const { subWorkflows, workspace } = test;
		await test.ask({
			...limitWait({ resumeAmount: 2, resumeUnit: 'minutes' }),
			requestOptions: { maxRetries: 0 },
		});
		await subWorkflows.wake();
		await workspace.faults({ fail: [{ status: 503 }] });
		setClock(clock() + 2 * MINUTE);
		const [{ json }] = await subWorkflows.wake();
		expect(subWorkflows.waitTill).toBeUndefined();
		expect(json).toEqual({ order: 1 });
		return test;
	};

	test('comes back after an outage at the end of the wait, for which the workflow does not wait', async () => {
		const test = await askUntilOutage();
		expect((await tryAgain(test)).waitTill).toBeDefined();
		await test.workspace.faults({ fail: null });
		expect((await tryAgain(test)).waitTill).toBeUndefined();
		expect(await isBotOn(test)).toBe(true);
		const { contacts } = await test.workspace.state();
		expect(JSON.stringify(contacts[0].contactCustomFields)).not.toContain('until');
	});

	test.each<[string, (test: Test) => Promise<unknown>]>([
		[
			'has taken over',
			async ({ workspace, ann }) =>
				await workspace.changeConversation(`id:${ann.id}`, { botResumeAt: null }),
		],
		['has written', async ({ workspace, ann }) => await workspace.reply(`id:${ann.id}`, 'Hi')],
	])('stays away after such an outage if a person %s', async (_, happens) => {
		const test = await askUntilOutage();
		await test.workspace.faults({ fail: null });
		await happens(test);
		expect((await tryAgain(test)).waitTill).toBeUndefined();
		expect(await isBotOn(test)).toBe(false);
	});

	test('stays away after such an outage while a newer question is open, and comes back when that is over', async () => {
		const test = await askUntilOutage();
		await test.workspace.faults({ fail: null });
		setClock(clock() + 2 * MINUTE);
		await test.ask();
		expect((await tryAgain(test)).waitTill).toBeUndefined();
		expect(await isBotOn(test)).toBe(false);
		await test.write('yes');
		await test.subWorkflows.wake();
		expect(await isBotOn(test)).toBe(true);
	});

	test('is back when time is over', async () => {
		const test = await chatWithAnn();
		await test.ask(limitWait({ resumeAmount: 2, resumeUnit: 'minutes' }));
		const { subWorkflows } = test;
		while (subWorkflows.waitTill) {
			expect(await isBotOn(test)).toBe(false);
			setClock(subWorkflows.waitTill.getTime());
			await subWorkflows.wake();
		}
		expect(await isBotOn(test)).toBe(true);
	});

	test('is paused again before the service ends the pause, and still comes back', async () => {
		const test = await chatWithAnn();
		const { workspace, subWorkflows } = test;
		await test.ask(limitWait({ resumeAmount: 3 }));
		setClock(clock() + 22 * HOUR);
		await subWorkflows.wake();
		const pausesOf = async () =>
			lastParts(await writesOf(workspace)).filter((part) => part === 'disable-bot');
		expect(await pausesOf()).toHaveLength(1);
		setClock(clock() + HOUR);
		await subWorkflows.wake();
		expect(await pausesOf()).toHaveLength(2);
		const [{ conversation, contactCustomFields }] = (await workspace.state()).contacts;
		expect(JSON.stringify(contactCustomFields)).toContain(String(conversation?.botResumeAt));
		await test.write('yes');
		await subWorkflows.wake();
		expect(subWorkflows.waitTill).toBeUndefined();
		expect(await isBotOn(test)).toBe(true);
	});

	test('stays away if a person has taken over in the same conversation, even if n8n had paused it', async () => {
		const test = await chatWithAnn();
		await test.ask({}, async () => {
			const taken = { botEnabled: false, botResumeAt: null };
			await test.workspace.changeConversation(`id:${test.ann.id}`, taken);
			await test.write('yes');
		});
		expect(await isBotOn(test)).toBe(false);
	});
});

describe('After the question was sent,', () => {
	test('a look that fails is one without an answer', async () => {
		const { workspace, ask, write, subWorkflows } = await chatWithAnn();
		const { error } = await ask(
			{ requestOptions: { maxRetries: 0 } },
			async () => await workspace.faults({ fail: [{ status: 500 }] }),
		);
		expect(error).toBeUndefined();
		await write('yes');
		await subWorkflows.wake();
		expect(Math.round((subWorkflows.waitTill!.getTime() - clock()) / MINUTE)).toBe(1);
		await workspace.faults({ fail: null });
		const [{ json }] = await subWorkflows.wake();
		expect(json.data).toMatchObject({ approved: true });
	});

	test('a token that the service refuses fails the execution with a sentence that says so', async () => {
		const { workspace, ask } = await chatWithAnn();
		const { error } = await ask(
			{},
			async () => await workspace.faults({ fail: [{ status: 401 }] }),
		);
		expect(error?.message).toContain(
			'The question was sent, but n8n can no longer read the answer.',
		);
		expect(error?.message).toContain('token');
		expect((await workspace.journal()).messages).toHaveLength(1);
	});

	test('only 20 executions look at once; the next one waits in another workflow at once', async () => {
		const { workspace, question, run, subWorkflows } = await chatWithAnn();
		const { executeWorkflow } = subWorkflows;
		const people = Array.from({ length: 21 }, (_, index) => ({ firstName: `Person ${index}` }));
		const contacts = await workspace.addContacts(people);
		const running = contacts.map(async ({ id }) => {
			const parameters = question({ identifier: by('id', id), options: { pauseBot: false } });
			return await run(parameters, [{}], { executeWorkflow });
		});
		while ((await workspace.journal()).messages.length < 21 || subWorkflows.called.length === 0)
			await sleep(100);
		for (const { id } of contacts) await workspace.write(`id:${id}`, 'yes');
		const results = await Promise.all(running);
		expect(results.map(({ error }) => error?.message).filter(Boolean)).toEqual([]);
		expect(subWorkflows.called).toHaveLength(1);
	});
});

test('A later version of the package reads a question that this version stored', async () => {
	const { run, write, ann } = await chatWithAnn();
	await write('yes');
	const question = {
		id: 'q1',
		contactId: ann.id,
		contact: { contact: 'email:ann@example.com', contactId: ann.id },
		text: 'May we ship on Friday?',
		form: { type: 'approval', yes: ['Approve'], no: ['Decline'] },
		goesOnIfNotUnderstood: false,
		before: { at: 1_000_000_000_000, ids: ['1'] },
		askedAt: clock(),
		until: clock() + HOUR,
	};
	const { json, error } = await run({
		resource: 'message',
		operation: 'checkAnswer',
		question: JSON.stringify(question),
	});
	expect(error).toBeUndefined();
	expect(json[0]).toMatchObject({ contactId: ann.id, data: { approved: true } });
});
