import { z } from 'zod/v4';
import { createContactOnChannel } from '../../../nodes/WorkspaceMessaging/contract/contact';
import { toNumber } from '../../../nodes/WorkspaceMessaging/values/numbers';
import { normalizeInput } from '../../../nodes/WorkspaceMessaging/values/validate';

describe('normalizeInput', () => {
	const normalize = (input: object) => normalizeInput(schema, input, {}, (number) => number);
	const schema = z.strictObject({
		name: z.string().min(1),
		note: z.string().max(5).optional(),
		id: z.string().regex(/^\d+$/).optional(),
		folder: z.string().min(1).nullable().optional(),
		ids: z.array(z.string()).optional(),
		filter: z.record(z.string(), z.unknown()).optional(),
		page: z.number().optional(),
		rows: z
			.array(z.strictObject({ column: z.string().min(1), id: z.string().optional() }))
			.optional(),
	});

	test.each([
		[
			'valid values unchanged',
			{ note: 'a', id: '1', ids: ['1'] },
			{ note: 'a', id: '1', ids: ['1'] },
		],
		['undefined: left out', { note: undefined }, {}],
		['null in an optional field: left out', { id: null }, {}],
		['an empty text that is not valid: left out', { id: '' }, {}],
		['an empty text that is valid: unchanged', { note: '' }, { note: '' }],
		['an empty text where null is valid: null', { folder: '' }, { folder: null }],
		['null where it is valid: unchanged', { folder: null }, { folder: null }],
		['a number for text: its digits', { id: 12 }, { id: '12' }],
		['white space around text: unchanged', { note: ' a ', id: ' 1' }, { note: ' a ', id: ' 1' }],
		['a fraction for text: its digits', { id: 1.5 }, { id: '1.5' }],
		['infinity for text: unchanged', { id: Infinity }, { id: Infinity }],
		['an inexact number for text: unchanged', { id: 2 ** 53 }, { id: 2 ** 53 }],
		['digits for a number: the number', { page: ' 12 ' }, { page: 12 }],
		['other text for a number: unchanged', { page: '1e3' }, { page: '1e3' }],
		['text with commas: a list', { ids: ' a, b ,,c' }, { ids: ['a', 'b', 'c'] }],
		['text with semicolons: a list', { ids: 'a;b ; c,d;' }, { ids: ['a', 'b', 'c', 'd'] }],
		['one entry: a list', { ids: 'a' }, { ids: ['a'] }],
		['a blank: an empty list', { ids: ' ' }, { ids: [] }],
		['one number: a list', { ids: 12 }, { ids: ['12'] }],
		['JSON: a list', { ids: '["a","b"]' }, { ids: ['a', 'b'] }],
		['JSON of numbers: a list of text', { ids: '[1,2]' }, { ids: ['1', '2'] }],
		['broken JSON: unchanged', { ids: '["a"' }, { ids: '["a"' }],
		['a list with numbers: a list of text', { ids: ['a', 2] }, { ids: ['a', '2'] }],
		[
			'a fixed collection: its list',
			{ rows: { entries: [{ column: 'a' }] } },
			{ rows: [{ column: 'a' }] },
		],
		['an empty fixed collection: an empty list', { rows: {} }, { rows: [] }],
		[
			'a number inside an entry: its digits',
			{ rows: [{ column: 'a', id: 1 }] },
			{ rows: [{ column: 'a', id: '1' }] },
		],
		[
			'an empty text inside an entry: unchanged',
			{ rows: [{ column: '' }] },
			{ rows: [{ column: '' }] },
		],
		['JSON of an object: the object', { filter: '{"a":{"b":1}}' }, { filter: { a: { b: 1 } } }],
		['broken JSON of an object: unchanged', { filter: '{a}' }, { filter: '{a}' }],
		['an unknown field: unchanged', { other: 1 }, { other: 1 }],
	])('converts %s', (_, input, result) => {
		expect(normalize({ name: 'x', ...input })).toEqual({ name: 'x', ...result });
	});

	test.each([{ name: '' }, { name: null }])('never leaves out a required field: %p', (input) => {
		expect(normalize(input)).toEqual(input);
	});

	test.each([
		{ name: 'x', ids: ['a', 2], rows: { entries: [{ column: 'a', id: 1 }] }, id: '' },
		{ name: 'x', rows: [{ column: 'a', id: 1 }] },
	])('does not change its input: %j', (input) => {
		const before = structuredClone(input);

		normalize(input);

		expect(input).toEqual(before);
	});
});

describe('normalizeInput, for kinds that people write in several ways,', () => {
	const normalized = (input: Record<string, unknown>) =>
		normalizeInput(createContactOnChannel.body, input, {}, (number) => `read ${number}`);

	test.each([
		[{ email: ' a@b.co\u200b' }, { email: 'a@b.co' }],
		[{ phoneNumber: '0151' }, { phoneNumber: 'read 0151' }],
		[{ phoneNumber: 4915155501234 }, { phoneNumber: 'read 4915155501234' }],
		[{ gender: ' M ' }, { gender: 'male' }],
		[{ gender: 'FEMALE' }, { gender: 'female' }],
		[{ gender: ' other ' }, { gender: 'other' }],
		[{ firstName: ' Ann ' }, { firstName: 'Ann' }],
		[{ firstName: ['Ann', 'Lee '], lastName: '\u00a0' }, { firstName: 'Ann, Lee' }],
		[{ email: ['ａ＠b.co'], lastName: [] }, { email: 'a@b.co' }],
		[
			{ email: null, other: ' x ' },
			{ email: null, other: ' x ' },
		],
	])('turns %j into %j', (input, expected) => {
		expect(normalized(input)).toEqual(expected);
	});
});

test.each([
	['12', 12],
	[' 12 ', 12],
	['', ''],
	['-1', '-1'],
	['1.5', 1.5],
	['1.', '1.'],
	['12a', '12a'],
	[7, 7],
])('toNumber turns %p into %p', (input, result) => {
	expect(toNumber(input)).toBe(result);
});
