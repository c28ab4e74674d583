import type { IDataObject } from 'n8n-workflow';
import type { ChatForm } from '../../../nodes/WorkspaceMessaging/resources/message/question/chat/chatQuestion';
import {
	areNumbered,
	findTypedAnswers,
	listTypedChoices,
} from '../../../nodes/WorkspaceMessaging/resources/message/question/chat/understandAnswers';

/* What a contact types, as an answer. Conversions of values are tested with the engine. */

const keepText = (_: string, text: string) => (text.startsWith('bad') ? undefined : text);

const messages = (...texts: Array<string | IDataObject>): IDataObject[] =>
	texts.map((text, index) => ({
		id: String(index),
		...(typeof text === 'string' ? { text } : text),
	}));

const answerTo = (form: ChatForm, ...texts: Array<string | IDataObject>) =>
	findTypedAnswers(form, messages(...texts), keepText).at(0)?.values;

const approval: ChatForm = { type: 'approval', yes: ['Approve'], no: ['Decline'] };

describe('Approval', () => {
	test.each([
		'yes',
		'YES!',
		' Yes. ',
		'ok',
		'Ok 👍',
		'👍',
		'👍🏽',
		'👍👍👍',
		'approve',
		'“Yes”',
		'yes 😀',
	])('"%s" approves', (text) => expect(answerTo(approval, text)).toEqual({ approved: true }));

	test.each(['no', 'No.', 'NO!!', '👎', '👎🏿👎🏿', 'decline', '- no -'])('"%s" declines', (text) =>
		expect(answerTo(approval, text)).toEqual({ approved: false }),
	);

	test.each([
		'yes please',
		'no idea',
		'not yes',
		'yesterday',
		'nope',
		'okay',
		'',
		' ',
		'!',
		'👍👎',
		'🎉',
		'y',
		'1',
	])('"%s" is not understood', (text) => expect(answerTo(approval, text)).toBeUndefined());

	test('Words of the user count besides, in any case and with any accents', () => {
		const german: ChatForm = {
			type: 'approval',
			yes: ['Ja', 'gerne', 'Gewiß'],
			no: ['Nein', 'später', '❌'],
		};
		for (const text of ['ja', 'JA!', 'Gerne', 'gewiss', 'yes'])
			expect([text, answerTo(german, text)]).toEqual([text, { approved: true }]);
		for (const text of ['nein.', 'Spater', 'SPÄTER', '❌', '❌❌', 'no'])
			expect([text, answerTo(german, text)]).toEqual([text, { approved: false }]);
	});

	test("The user's own words win over the usual ones", () => {
		const reversed: ChatForm = { type: 'approval', yes: ['No'], no: ['Yes'] };
		expect(answerTo(reversed, 'no')).toEqual({ approved: true });
		expect(answerTo(reversed, 'yes')).toEqual({ approved: false });
	});

	test('The first message that is understood counts, each by itself', () => {
		expect(answerTo(approval, 'hm', 'no', 'yes')).toEqual({ approved: false });
		expect(answerTo(approval, 'ye', 's')).toBeUndefined();
	});
});

describe('Choices', () => {
	const months: ChatForm = {
		type: 'choices',
		choices: ['October', 'November', 'No thanks', 'Any month'],
	};

	test.each([
		['November', 'November'],
		['november!', 'November'],
		['2', 'November'],
		['2.', 'November'],
		['(2)', 'November'],
		['2️⃣', 'November'],
		['no', 'No thanks'],
		['No, thanks', 'No thanks'],
		['any', 'Any month'],
		['Any month 🙂', 'Any month'],
		['nov', undefined],
		['0', undefined],
		['5', undefined],
		['2 or 3', undefined],
		['o', undefined],
		['', undefined],
	])('"%s" means %s', (text, choice) =>
		expect(answerTo(months, text)).toEqual(choice && { choice }),
	);

	test.each([
		['dong y', 'Đồng ý'],
		['LODZ', 'Łódź'],
		['smorrebrod', 'Smørrebrød'],
		['aeble', 'Æble'],
		['strasse', 'Straße'],
		['isik', 'Işık'],
		['Don’t know', "Don't know"],
		['dont know', undefined],
	])('"%s" typed on a phone means %s', (text, choice) => {
		const choices = ['Đồng ý', 'Łódź', 'Smørrebrød', 'Æble', 'Straße', 'Işık', "Don't know"];
		expect(answerTo({ type: 'choices', choices }, text)).toEqual(choice && { choice });
	});

	test('Choices that look the same without accents must be typed with them', () => {
		const form: ChatForm = { type: 'choices', choices: ['Da', 'Đa'] };
		expect(answerTo(form, 'da')).toEqual({ choice: 'Da' });
		expect(answerTo(form, 'đa')).toEqual({ choice: 'Đa' });
		expect(answerTo(form, 'Đa!')).toBeUndefined();
	});

	test.each([
		['large please', 'Large'],
		['Hello, large please!', 'Large'],
		['Large, thank you 🙂', 'Large'],
		['2 please', 'Large'],
		['Bitte groß', 'Groß'],
		['not large', undefined],
		['anything but large', undefined],
		['large or small please', undefined],
		['pleaselarge', undefined],
		['please', undefined],
		['thanks', 'Thanks'],
	])('"%s" means %s: only polite words around a choice do not matter', (text, choice) => {
		const choices = ['Small', 'Large', 'Groß', 'Thanks'];
		expect(answerTo({ type: 'choices', choices }, text)).toEqual(choice && { choice });
	});

	test('The beginning of two choices means none of them', () => {
		const form: ChatForm = { type: 'choices', choices: ['Large red', 'Large blue'] };
		expect(answerTo(form, 'large')).toBeUndefined();
		expect(answerTo(form, 'large red')).toEqual({ choice: 'Large red' });
	});

	test('Choices that begin with a number have no other numbers', () => {
		const times = ['10:00', '11:00', '2 pieces'];
		expect(areNumbered(times)).toBe(false);
		expect(listTypedChoices(times)).toBe('10:00\n11:00\n2 pieces');
		const form: ChatForm = { type: 'choices', choices: times };
		expect(answerTo(form, '10:00')).toEqual({ choice: '10:00' });
		expect(answerTo(form, '11')).toEqual({ choice: '11:00' });
		expect(answerTo(form, '2')).toEqual({ choice: '2 pieces' });
		expect(answerTo(form, '1')).toBeUndefined();
	});

	test('Other choices are numbered', () =>
		expect(listTypedChoices(['Small', 'Large'])).toBe('1. Small\n2. Large'));

	test('Signs tell choices apart that have the same letters', () => {
		const form: ChatForm = { type: 'choices', choices: ['C', 'C++', 'C#'] };
		expect(answerTo(form, 'c++')).toEqual({ choice: 'C++' });
		expect(answerTo(form, 'c')).toEqual({ choice: 'C' });
		expect(answerTo(form, 'c!')).toBeUndefined();
	});

	test('Choices of emoji only', () => {
		const form: ChatForm = { type: 'choices', choices: ['🍕', '🍔'] };
		expect(answerTo(form, '🍔🍔')).toEqual({ choice: '🍔' });
		expect(answerTo(form, '🍕')).toEqual({ choice: '🍕' });
		expect(answerTo(form, '🍣')).toBeUndefined();
	});

	test('Texts in other scripts', () => {
		const form: ChatForm = { type: 'choices', choices: ['да', 'нет', 'はい'] };
		expect(answerTo(form, 'ДА!')).toEqual({ choice: 'да' });
		expect(answerTo(form, 'はい。')).toEqual({ choice: 'はい' });
	});
});

describe('Other answers', () => {
	test('All messages of a look are one text', () => {
		expect(answerTo({ type: 'text' }, 'Hello', 'world')).toEqual({ text: 'Hello\nworld' });
		expect(answerTo({ type: 'text' })).toBeUndefined();
	});

	test('A file without a text is named in the text', () =>
		expect(
			answerTo({ type: 'text' }, 'Here', { text: null, attachments: [{ name: 'a.pdf' }] }),
		).toEqual({ text: 'Here\n[attachments: a.pdf]' }));

	test('Numbers become numbers, and the first value that can be read counts', () => {
		expect(answerTo({ type: 'number' }, 'bad', '12.5', '13')).toEqual({ number: 12.5 });
		expect(answerTo({ type: 'email' }, 'bad', 'a@b.example')).toEqual({ email: 'a@b.example' });
		expect(answerTo({ type: 'date' }, 'bad')).toBeUndefined();
	});

	test('Only a message with a file is a file', () => {
		expect(answerTo({ type: 'file' }, 'later', { attachments: [{ name: 'a.pdf' }] })).toEqual({});
		expect(answerTo({ type: 'file' }, 'a.pdf', { attachments: [] })).toBeUndefined();
	});
});

test.each<[string, number | undefined]>([
	['123456789012345', 123_456_789_012_345],
	['0.00123456789012345', 0.001_234_567_890_123_45],
	['1e3', 1000],
	['1234567890123456', undefined],
	['1e999', undefined],
])('As a number, %s is %s', (text, number) =>
	expect(answerTo({ type: 'number' }, text)).toEqual(number && { number }),
);
