import { readNames, toList } from '../../../nodes/WorkspaceMessaging/values/list';

const lists: Array<[text: string, names: string[]]> = [
	['"a","b"', ['a', 'b']],
	["['a', 'b']", ['a', 'b']],
	['a\nb', ['a', 'b']],
	['- a\n- b', ['a', 'b']],
	['["a", "b, c"]', ['a', 'b, c']],
	['a, b; c', ['a', 'b', 'c']],
	['"Berlin, Mitte", VIP', ['Berlin, Mitte', 'VIP']],
	['"a, b";"c; d"\n"e\nf"', ['a, b', 'c; d', 'e\nf']],
	["'a', 'b'", ['a', 'b']],
	["['a', \"b's\"]", ['a', "b's"]],
	["['VIP']", ['VIP']],
	['["a", "b",]', ['a', 'b']],
	['[VIP, Gold]', ['VIP', 'Gold']],
	['a\r\n\r\n b \r\n', ['a', 'b']],
	['* a\n* b, c', ['a', 'b', 'c']],
	['\n  – a\n  – b\n', ['a', 'b']],
	['• a\u00a0\n• b', ['a', 'b']],
	['“a, b”, „c, d“, «e, f», ‘g, h’', ['a, b', 'c, d', 'e, f', 'g, h']],
	['"say ""hi""", b', ['say "hi"', 'b']],
	['" a " , b', ['a', 'b']],
	['"VIP"', ['VIP']],
	["['']", []],
	[' ,;\n "" ', []],
	['“a”，“b”', ['a', 'b']],
	['a，b、c；d،e؛f', ['a', 'b', 'c', 'd', 'e', 'f']],
	['"a，b"、c', ['a，b', 'c']],
	['a\tb\vc\u0085d\u2028e\u2029f', ['a', 'b', 'c', 'd', 'e', 'f']],
	['+ a\n+ b', ['a', 'b']],
	['· a\v‣ b\n— c\n▪ d\n◦ e', ['a', 'b', 'c', 'd', 'e']],
	['- "a, b"\n- c', ['a, b', 'c']],
	["('a', 'b')", ['a', 'b']],
	['{VIP,"Gold, 1"}', ['VIP', 'Gold, 1']],
	[JSON.stringify('["a","b, c"]'), ['a', 'b, c']],
];

const single: string[] = [
	...['- VIP', '-VIP', '* VIP', 'A', '[VIP]', '[VIP] Gold', '{x}', '5" nails', "'90s kids"],
	...["O'Brien", 'say "hi"', '"A" team', "Rock 'n' Roll", '🎉', '—'],
	...['1. FC Köln', '+ Gold', '(VIP)', 'a|b', 'Gold / VIP', '{{name}}'],
];
const several: Array<[text: string, names: string[]]> = [
	["O'Brien, D'Angelo", ["O'Brien", "D'Angelo"]],
	["'90s kids, '80s kids", ["'90s kids", "'80s kids"]],
	['5" nails, 6" nails', ['5" nails', '6" nails']],
	['"A" team, B', ['"A" team', 'B']],
	['[A], [B]', ['[A]', '[B]']],
	['VIP\n- Gold', ['VIP', '- Gold']],
	['- VIP, Gold', ['- VIP', 'Gold']],
	['1. Mahnung\n2. Mahnung', ['1. Mahnung', '2. Mahnung']],
	['(A), (B)', ['(A)', '(B)']],
	['-a\n-b', ['-a', '-b']],
];

test.each([...lists, ...several])('%j is read as a list of names and of IDs', (text, names) => {
	expect(readNames(text)).toEqual(names);
	expect(toList(text)).toEqual(names);
});

test.each(single)('%j is one name', (name) => {
	expect(readNames(name)).toEqual([name]);
});

test.each([
	...['["a", "b"', "['a', 'b'", '["a"] b', '[{"a": 1}'],
	...['{"a": 1, "b"', '{"a": 1, "b": 2,}', "{'a':1}", "{ 'a' : 1, 'b': 2 }"],
])('%j is the beginning of a list or an object, and no name', (text) => {
	expect(readNames(text)).toBeUndefined();
	expect(toList(text)).toBe(text);
});

test.each(['{', '{nope', '{x}', '{{ $json.files }}', '{a} b'])('%j is no list of files', (text) => {
	expect(toList(text)).toBe(text);
});

test('The entries of a list stay as they are, without white space around them and without blank ones', () => {
	expect(readNames([' "a", b ', '- c', '', '\u200b', null, 7])).toEqual(['"a", b', '- c', 7]);
	expect(readNames('VIP\u200b, \u200b , \ufeff;K\u00f6ln')).toEqual(['VIP\u200b', 'K\u00f6ln']);
});

test('An object is no list of names, but an entry of a list of files', () => {
	expect(readNames('{"name": "VIP"}')).toBeUndefined();
	expect(toList(' {"name": "VIP"} ')).toEqual([{ name: 'VIP' }]);
});

test('A long text with quotation marks that have no end is read, too', () => {
	for (const part of ['"a,', "'a,", '"', "' ", '“a ', '"" ', '['])
		expect(toList(part.repeat(50_000))).toBeDefined();
});
