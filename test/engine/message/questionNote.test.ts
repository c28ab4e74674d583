import type { IDataObject } from 'n8n-workflow';
import { findQuestionFieldId } from '../../../nodes/WorkspaceMessaging/contacts/customFields/questionField';
import {
	formatQuestionNote,
	looksLikeNote,
	parseQuestionNote,
	type QuestionNote,
} from '../../../nodes/WorkspaceMessaging/contacts/customFields/questionNote';
import { chatWithAnn } from '../../support/engine/chat';
import { by, writesOf } from '../../support/engine/helpers';
import { clock, setClock, skipPauses } from '../../support/engine/skipPauses';
import { SubWorkflows } from '../../support/engine/subWorkflows';
import { limitWait } from '../../support/limitWait';

/* The custom field of a contact that says until when a question is open, and which messages were answers. */

type Test = Awaited<ReturnType<typeof chatWithAnn>>;

const FIELD = 'n8n question';

async function fieldsNamed({ workspace }: Test, name = FIELD) {
	const { customFields } = await workspace.state();
	return customFields.filter((field) => field.name === name);
}

/** Returns the note of Ann's questions; undefined if there is none. */
async function noteOf(test: Test) {
	const [field] = await fieldsNamed(test);
	const contact = (await test.workspace.state()).contacts.find(({ id }) => id === test.ann.id);
	const values = contact?.contactCustomFields as IDataObject[];
	return values.find(({ customFieldId }) => customFieldId === field?.id)?.value;
}

/** Returns what the note says. */
const readNoteOf = async (test: Test) => parseQuestionNote(await noteOf(test));

/** Returns whether the note says that a question is open, and the IDs of all answers. */
async function shortNoteOf(test: Test) {
	const { until, answers } = await readNoteOf(test);
	return { isOpen: until !== undefined, answers: Object.values(answers).flat() };
}

const wait = limitWait({ resumeAmount: 2, resumeUnit: 'hours' });

describe.each(['newer', 'older'] as const)('On a service that is %s, the note', (service) => {
	const chat = async () => await chatWithAnn({ service });

	test('says until when the question is open, and then which message was the answer', async () => {
		const test = await chat();
		let open: unknown;
		const asked = clock();
		const answers: string[] = [];
		await test.ask(wait, async () => {
			open ??= await noteOf(test);
			const { id } = await test.write('yes');
			answers.push(String(id));
		});
		const { until = 0, question } = parseQuestionNote(open);
		expect(until - asked).toBeGreaterThan(2 * 3_600_000 - 5_000);
		expect(until - asked).toBeLessThan(2 * 3_600_000 + 120_000);
		const closed = await readNoteOf(test);
		expect(closed.until).toBeUndefined();
		expect(closed.answers).toEqual({ [question!]: [answers[0]] });
		expect(await fieldsNamed(test)).toMatchObject([{ type: 'longText' }]);
	});

	test('keeps the IDs of all messages of an answer, and of the answers before', async () => {
		const test = await chat();
		const ids: string[] = [];
		for (let count = 0; count < 3; count++) {
			let isWritten = false;
			await test.ask({ ...wait, responseType: 'freeText' }, async () => {
				for (let line = 0; line < 6 && !isWritten; line++)
					ids.push(String((await test.write(`Line ${line}`)).id));
				isWritten = true;
			});
		}
		expect(ids).toHaveLength(18);
		expect(await shortNoteOf(test)).toEqual({ isOpen: false, answers: ids });
	});
});

test('Who has an open question is asked nothing before it is over', async () => {
	const test = await chatWithAnn();
	await test.ask(wait);
	const { error } = await test.ask();
	expect(error?.message).toMatch(
		/^This contact has an open question in the chat, for another 2 hours\. Nothing was sent\. Ask again when it is answered\. If you have stopped its workflow, use Message → Cancel Question\./,
	);
	expect((await test.workspace.journal()).messages).toHaveLength(1);

	setClock(clock() + 12 * 60_000);
	expect((await test.ask()).error?.message).toContain('for another 1 hour and 48 minutes.');

	// The last look may come a little late.
	setClock(clock() + 108 * 60_000 + 60_000);
	expect((await test.ask()).error?.message).toContain('has an open question');
	setClock(clock() + 60_000);
	expect((await test.ask()).error).toBeUndefined();
});

test('A question whose place another one has taken ends as if nobody had answered, and leaves bot and note alone', async () => {
	const test = await chatWithAnn();
	await test.ask(wait);
	const until = Date.parse('2999-01-01T00:00:00Z');
	const other = formatQuestionNote({ until, question: 'other', others: [], answers: {} });
	const [field] = await fieldsNamed(test);
	await test.run({
		resource: 'contact',
		operation: 'setCustomFields',
		identifier: by('id', test.ann.id),
		customFields: { mappingMode: 'defineBelow', value: { [field.id]: other } },
	});
	await test.write('yes');
	await test.workspace.clearJournal();
	const [{ json }] = await test.subWorkflows.wake();
	expect(test.subWorkflows.waitTill).toBeUndefined();
	expect(json).toEqual({ order: 1 });
	expect(await writesOf(test.workspace)).toEqual([]);
});

describe('Cancel Question', () => {
	const cancel = async ({ run, ann }: Test) => {
		const { json, error } = await run({
			resource: 'message',
			operation: 'cancelQuestion',
			identifier: by('id', ann.id),
		});
		expect(error).toBeUndefined();
		return json[0];
	};
	const isBotOn = async ({ workspace }: Test) =>
		(await workspace.state()).contacts[0].conversation?.botEnabled;

	test('ends the open question, returns the bot, and the workflow continues as if nobody had answered', async () => {
		const test = await chatWithAnn();
		await test.ask(wait);
		expect(await isBotOn(test)).toBe(false);
		expect(await cancel(test)).toMatchObject({
			success: true,
			contactId: test.ann.id,
			cancelled: true,
		});
		expect(await isBotOn(test)).toBe(true);
		await test.write('yes');
		const [{ json }] = await test.subWorkflows.wake();
		expect(test.subWorkflows.waitTill).toBeUndefined();
		expect(json).toEqual({ order: 1 });
		expect((await test.ask({}, async () => await test.write('no'))).json[0].data).toMatchObject({
			approved: false,
		});
	});

	test('leaves the conversation with a person who has written', async () => {
		const test = await chatWithAnn();
		await test.ask(wait);
		await test.workspace.reply(`id:${test.ann.id}`, 'I am on it');
		expect(await cancel(test)).toMatchObject({ cancelled: true });
		expect(await isBotOn(test)).toBe(false);
	});

	test('changes nothing if no question is open', async () => {
		const test = await chatWithAnn();
		expect(await cancel(test)).toMatchObject({ success: true, cancelled: false });
		await test.ask({}, async () => await test.write('yes'));
		await test.workspace.clearJournal();
		expect(await cancel(test)).toMatchObject({ cancelled: false });
		expect(await writesOf(test.workspace)).toEqual([]);
	});
});

test('A question that could not be sent is not noted', async () => {
	const test = await chatWithAnn();
	await test.ask({}, async () => await test.write('yes'));
	const before = await shortNoteOf(test);
	const fail = [{ status: 400, match: { operation: 'sendMessage' as const } }];
	await test.workspace.faults({ fail });
	expect((await test.ask()).error).toBeDefined();
	expect(await shortNoteOf(test)).toEqual(before);
});

test('A token that may make no custom field is refused before anything is sent', async () => {
	const test = await chatWithAnn();
	const fail = [
		{
			status: 403,
			message: "Token is not authorized for the 'contacts' scope",
			match: { operation: 'createCustomField' as const },
		},
	];
	await test.workspace.faults({ fail });
	const { error } = await test.ask();
	expect(error?.message).toContain(
		'n8n notes open questions in a custom field named "n8n question", but could not make it.',
	);
	expect(error?.message).toContain('the scope "contacts"');
	expect(error?.message).toContain('Nothing was sent.');
	expect((await test.workspace.journal()).messages).toEqual([]);
	expect(await writesOf(test.workspace)).toHaveLength(1);
});

test('Twenty first questions at once make one custom field', async () => {
	const test = await chatWithAnn();
	const people = Array.from({ length: 20 }, (_, index) => ({ firstName: `Person ${index}` }));
	const contacts = await test.workspace.addContacts(people);
	const { executeWorkflow } = test.subWorkflows;
	for (const { id } of contacts) await test.workspace.write(`id:${id}`, 'Hello');
	const running = contacts.map(async ({ id }) => {
		const parameters = test.question({ identifier: by('id', id) });
		return await test.run(parameters, [{}], { executeWorkflow });
	});
	while ((await test.workspace.journal()).messages.length < 20) await new Promise(setImmediate);
	for (const { id } of contacts) await test.workspace.write(`id:${id}`, 'yes');
	const results = await Promise.all(running);
	expect(results.map(({ error }) => error?.message).filter(Boolean)).toEqual([]);
	expect(await fieldsNamed(test)).toHaveLength(1);
});

describe('The form of a note', () => {
	const idsOf = (count: number) =>
		Array.from({ length: count }, (_, index) => `7301444403311000${100 + index}`);

	test('keeps the answers to the newest 100 questions, and the newest 200 IDs of each list', () => {
		const others = idsOf(300);
		const answers = Object.fromEntries(idsOf(120).map((id) => [`q${id}`, [id]]));
		answers.last = others;
		const kept = parseQuestionNote(formatQuestionNote({ others, answers }));
		expect(kept.others).toEqual(others.slice(100));
		expect(kept.answers.last).toEqual(others.slice(100));
		expect(Object.keys(kept.answers)).toEqual(Object.keys(answers).slice(21));
	});

	test('is JSON with a version, and times that people can read', () => {
		const text = formatQuestionNote({
			until: Date.parse('2026-11-24T22:00:00.500Z'),
			question: 'q1',
			others: ['7'],
			answers: { q0: ['5', '6'] },
		});
		expect(JSON.parse(text)).toEqual({
			n8nQuestion: 'v1',
			until: '2026-11-24T22:00:00.500Z',
			question: 'q1',
			others: ['7'],
			answers: { q0: ['5', '6'] },
		});
		expect(text).toMatch(/^\{"n8nQuestion":/);
		expect(looksLikeNote(text)).toBe(true);
	});

	test.each<QuestionNote>([
		{ others: [], answers: {} },
		{ until: 1_800_000_000_000, question: 'b', askedAfter: 0, others: ['1'], answers: {} },
		{ pause: { begunAt: 3, since: 5 }, others: [], answers: { a: ['2'] } },
		{
			pause: { begunAt: 3, since: 5, resumesAt: 7, assignee: 'none' },
			others: ['1', '2'],
			answers: { a: ['2'] },
		},
	])('is read as it was written: %j', (note) => {
		expect(parseQuestionNote(formatQuestionNote(note))).toEqual(note);
	});

	test.each([
		'',
		'what is this',
		'2026-11-24 22:00',
		'{"n8nQuestion":"v1"}',
		'{"n8nQuestion":"v1","until":"soon","others":[],"answers":{}}',
		'{"n8nQuestion":"v2","others":[],"answers":{}}',
		'{"n8nQuestion":',
		'[]',
	])('does not matter if somebody else wrote "%s"', (text) => {
		expect(parseQuestionNote(text)).toEqual({ others: [], answers: {} });
	});
});

test('If several custom fields have the name, all questions use the first one, by all digits of the IDs', () => {
	const fields = ['7301444403311000072', '7301444403311000071', '99'].map((id) => ({
		id,
		name: FIELD,
		type: 'longText',
	}));
	const byId = (ids: typeof fields) => ({ byId: new Map(ids.map((field) => [field.id, field])) });
	expect(findQuestionFieldId(byId(fields.slice(0, 2)) as never)).toBe('7301444403311000071');
	expect(findQuestionFieldId(byId(fields) as never)).toBe('99');
});

test('An older service that shows only 50 custom fields is asked without a note, and a hint says so', async () => {
	const test = await chatWithAnn({ service: 'older', contacts: 0, counts: { customFields: 60 } });
	const { json, hints } = await test.ask({}, async () => await test.write('yes'));
	expect(json[0].data).toMatchObject({ approved: true });
	expect(hints.join()).toContain('This service shows only some of its custom fields');
	expect(await fieldsNamed(test)).toEqual([]);
});

test('If the answer cannot be noted for a moment, the next look takes it', async () => {
	const test = await chatWithAnn();
	const fail = [{ status: 503, match: { operation: 'setContactCustomFields' as const } }];
	const { json } = await test.ask({ requestOptions: { maxRetries: 0 } }, async () => {
		const isFirst = !(await test.workspace.messages(`id:${test.ann.id}`)).some(
			({ messageType }) => messageType === 'incoming',
		);
		if (isFirst) await test.write('yes');
		await test.workspace.faults({ fail: isFirst ? fail : null });
	});
	expect(json[0].data).toMatchObject({ approved: true });
	expect(await shortNoteOf(test)).toEqual({ isOpen: false, answers: [expect.any(String)] });
});

test('If the custom field is gone, the workflow goes on, and a hint says so', async () => {
	const test = await chatWithAnn();
	const { json, hints } = await test.ask({}, async () => {
		const [field] = await fieldsNamed(test);
		if (field)
			await test.run({
				resource: 'customField',
				operation: 'delete',
				customFieldId: by('id', field.id),
			});
		await test.write('yes');
	});
	expect(json[0].data).toMatchObject({ approved: true });
	expect(hints.join()).toContain('n8n could not note that the question to contact');
});

describe('Nobody sees the custom field', () => {
	test('in simplified contacts, but in whole ones', async () => {
		const test = await chatWithAnn();
		await test.ask({}, async () => await test.write('yes'));
		const get = { resource: 'contact', operation: 'get', identifier: by('id', test.ann.id) };
		const simple = await test.run({ ...get, simplify: true });
		expect(simple.json[0].customFields).toEqual({});
		const whole = await test.run({ ...get, simplify: false });
		expect(JSON.stringify(whole.json[0].contactCustomFields)).toContain('n8nQuestion');
	});

	test('by its name', async () => {
		const test = await chatWithAnn();
		await test.ask({}, async () => await test.write('yes'));
		const { error } = await test.run({
			resource: 'contact',
			operation: 'setCustomFields',
			identifier: by('id', test.ann.id),
			customFields: { mappingMode: 'defineBelow', value: { [FIELD]: '2999-01-01T00:00:00Z' } },
		});
		expect(error?.message).toContain('no custom field with the ID or name "n8n question"');
	});
});

test('If two executions ask at the same moment, both questions go out: one gets the answer, the other goes on as if nobody had answered', async () => {
	const test = await chatWithAnn({ service: 'newer' });
	const { workspace, ann, run, question, subWorkflows } = test;
	// The field of the notes exists.
	await test.ask({}, async () => await test.write('yes'));
	const credential = { baseUrl: workspace.url, accessToken: workspace.token };
	const asking = [subWorkflows, new SubWorkflows(credential)];
	// Both have read the contact before one of them writes its note.
	await workspace.faults({ latencyMs: 300 });
	const stop = skipPauses(5000);
	const runs = await Promise.all(
		asking.map(async ({ executeWorkflow }, index) => {
			const parameters = question({ message: `Question ${index}?`, ...wait });
			return await run(parameters, [{ order: index }], { executeWorkflow });
		}),
	).finally(stop);
	await workspace.faults({ latencyMs: null });
	expect(runs.map(({ error }) => error?.message)).toEqual([undefined, undefined]);
	const texts = (await workspace.messages(`id:${ann.id}`)).map(({ text }) => text);
	expect(texts.slice(2).sort()).toEqual(['Question 0?', 'Question 1?']);

	await test.write('yes');
	const outputs = [];
	for (const [index, { run, json }] of runs.entries()) {
		if (run.waitTill) await asking[index].wake();
		outputs.push(run.waitTill ? asking[index].output[0].json : json[0]);
	}
	const [answered, unanswered] = outputs.sort((a, b) => Number('data' in b) - Number('data' in a));
	expect(answered.data).toMatchObject({ approved: true, answer: 'yes' });
	expect(unanswered).toEqual({ order: expect.any(Number) as number });
});
