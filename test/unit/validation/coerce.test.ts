import { z } from 'zod/v4';
import { coerce, toNumber } from '../../../nodes/WorkspaceMessaging/validation/coerce';

const schema = z.strictObject({
	name: z.string().min(1),
	note: z.string().max(5).optional(),
	id: z.string().regex(/^\d+$/).optional(),
	folder: z.string().min(1).nullable().optional(),
	ids: z.array(z.string()).optional(),
	filter: z.record(z.string(), z.unknown()).optional(),
	page: z.number().optional(),
	rows: z.array(z.strictObject({ column: z.string().min(1), id: z.string().optional() })).optional(),
});
const repaired = (given: Record<string, unknown>) => coerce(schema, { name: 'x', ...given });

test.each([
	['what is right', { note: 'a', id: '1', ids: ['1'] }, { note: 'a', id: '1', ids: ['1'] }],
	['undefined is left out', { note: undefined }, {}],
	['null in an optional field is left out', { id: null }, {}],
	['an empty text that the field does not take is left out', { id: '' }, {}],
	['an empty text that the field takes is sent', { note: '' }, { note: '' }],
	['an empty text where null is taken is null', { folder: '' }, { folder: null }],
	['null where it is taken is null', { folder: null }, { folder: null }],
	['a number where text is asked for', { id: 12 }, { id: '12' }],
	['white space around other text stays', { note: ' a ', id: ' 1' }, { note: ' a ', id: ' 1' }],
	['a fraction stays', { id: 1.5 }, { id: 1.5 }],
	['a number that is not exact stays', { id: 2 ** 53 }, { id: 2 ** 53 }],
	['text of digits where a number is asked for', { page: ' 12 ' }, { page: 12 }],
	['other text stays', { page: '1e3' }, { page: '1e3' }],
	['text with commas', { ids: ' a, b ,,c' }, { ids: ['a', 'b', 'c'] }],
	['text with semicolons', { ids: 'a;b ; c,d;' }, { ids: ['a', 'b', 'c', 'd'] }],
	['one entry', { ids: 'a' }, { ids: ['a'] }],
	['a blank', { ids: ' ' }, { ids: [] }],
	['one number', { ids: 12 }, { ids: ['12'] }],
	['JSON', { ids: '["a","b"]' }, { ids: ['a', 'b'] }],
	['JSON of numbers', { ids: '[1,2]' }, { ids: ['1', '2'] }],
	['JSON that is none', { ids: '["a"' }, { ids: '["a"' }],
	['a list with numbers in it', { ids: ['a', 2] }, { ids: ['a', '2'] }],
	['a repeating field', { rows: { entries: [{ column: 'a' }] } }, { rows: [{ column: 'a' }] }],
	['a repeating field without entries', { rows: {} }, { rows: [] }],
	['a number inside of an entry', { rows: [{ column: 'a', id: 1 }] }, { rows: [{ column: 'a', id: '1' }] }],
	['an empty text inside of an entry stays', { rows: [{ column: '' }] }, { rows: [{ column: '' }] }],
	['JSON of an object', { filter: '{"a":{"b":1}}' }, { filter: { a: { b: 1 } } }],
	['JSON of an object that is none', { filter: '{a}' }, { filter: '{a}' }],
	['what nobody knows stays', { other: 1 }, { other: 1 }],
])('%s', (_, given, result) => {
	expect(repaired(given)).toEqual({ name: 'x', ...result });
});

test('a required field is never left out', () => {
	expect(coerce(schema, { name: '' })).toEqual({ name: '' });
	expect(coerce(schema, { name: null })).toEqual({ name: null });
});

test('nothing of what is given is changed', () => {
	const given = { name: 'x', ids: ['a', 2], rows: { entries: [{ column: 'a', id: 1 }] }, id: '' };
	const before = structuredClone(given);
	coerce(schema, given);
	expect(given).toEqual(before);
	const list = [{ column: 'a', id: 1 }];
	coerce(schema, { name: 'x', rows: list });
	expect(list).toEqual([{ column: 'a', id: 1 }]);
});

test.each([undefined, null, 'text', 5])('%p is no request', (given) => {
	expect(coerce(schema, given)).toBe(given);
});

test.each([
	['12', 12],
	[' 12 ', 12],
	['', ''],
	['-1', '-1'],
	['1.5', '1.5'],
	['12a', '12a'],
	[7, 7],
])('toNumber(%p) is %p', (given, result) => {
	expect(toNumber(given)).toBe(result);
});
