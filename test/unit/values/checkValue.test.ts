import { checkText, checkValue } from '../../../nodes/WorkspaceMessaging/values/checkValue';

const HALF = 'must not contain half a character (a lone surrogate)';
const NUL = "contains the character NUL (U+0000), which services can't store";
const FILE = { mimeType: 'image/png', data: 'AAAA' };
const BIG = 7615917337495251000;
const LOST = `the number ${BIG}, whose digits are not exact; enter it as text`;

const itself: Record<string, unknown> = {};
itself.self = itself;

test.each([
	['a text', 'a\ud83d', HALF],
	['a text in a list', [['a\ud83d']], HALF],
	['a key', { 'a\u0000': 1 }, NUL],
	['a file in a list', [{ photo: FILE }], "can't hold binary data"],
	[
		'the text of an object',
		{ a: '[object Object]' },
		'contains [object Object]. Point the expression at one of its fields.',
	],
	['an unsafe key', JSON.parse('{"a":{"__proto__":1}}'), 'must not contain the key "__proto__"'],
])('The gate finds what is wrong in %s', (_, value, problem) => {
	expect(() => checkValue('Field', value)).toThrow(new Error(`Field ${problem}`));
});

test.each(['', 'Ann 😀', 7.5, null, undefined, [], {}, new Date(), { a: [null, ''] }, BIG, itself])(
	'The gate lets %p through',
	(value) => {
		expect(() => checkValue('Field', value)).not.toThrow();
	},
);

test('A number that lost digits is found in a value, in a list, and in what a text was made from', () => {
	const use = { getSources: () => [{ order: { no: BIG } }] };
	const check = (value: unknown) => () => checkValue('Field', value, use);
	expect(check(BIG)).toThrow(`Field is ${LOST}`);
	expect(check([BIG])).toThrow(`Field contains ${LOST}`);
	expect(check(`No. ${BIG}`)).toThrow(`Field contains ${LOST}`);
	expect(check([`No. ${BIG}`])).toThrow(`Field contains ${LOST}`);
	expect(check('No. 1234567890123456789')).not.toThrow();
});

test.each([
	[{ a: null }, 'null'],
	[{ a: [] }, 'an empty list or object'],
	[{ 'a[b]': 1 }, 'the key "a[b]"'],
	[{ '': 1 }, 'the key ""'],
])('A query cannot express %j', (value, what) => {
	expect(() => checkValue('Field', value, { form: 'url' })).toThrow(
		`Field must not contain ${what}, which a query cannot express`,
	);
	expect(() => checkValue('Field', value, { form: 'json' })).not.toThrow();
});

test('NUL around a text matters only if n8n does not remove it', () => {
	expect(() => checkValue('Field', 'Ann\u0000', { isTrimmed: true })).not.toThrow();
	expect(() => checkValue('Field', 'A\u0000nn', { isTrimmed: true })).toThrow(NUL);
	expect(() => checkValue('Field', 'Ann\u0000')).toThrow(NUL);
});

test.each([
	[{ name: 'Ann' }, 'an object'],
	[['Ann', {}], 'a list'],
	[true, 'true'],
	[NaN, 'NaN'],
])('A field for a text does not take %j', (value, what) => {
	expect(() => checkText('Field', value)).toThrow(`Field must be text, but is ${what}`);
});
