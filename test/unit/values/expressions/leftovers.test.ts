import {
	describeNoText,
	findLeftover,
} from '../../../../nodes/WorkspaceMessaging/values/expressions/leftovers';

describe('findLeftover', () => {
	test.each([
		['Hi undefined', 'undefined'],
		['undefined', 'undefined'],
		['On Invalid DateTime', 'Invalid DateTime'],
		['Due: Invalid Date.', 'Invalid Date'],
		['Total NaN EUR', 'NaN'],
		['vip-undefined', 'undefined'],
		['vip_null', 'null'],
		['undefined@example.com', 'undefined'],
		['Dear\nundefined,\nyour order', 'undefined'],
		['https://example.com/orders/undefined?ref=null', 'undefined'],
		['Name: null, City: Bonn', 'null'],
		['(null)', 'null'],
		['0 of NaN%', 'NaN'],
		['你好undefined，你的订单', 'undefined'],
		['Приветundefined', 'undefined'],
		['Hi undefined and null', 'undefined'],
		['In Invalid Duration', 'Invalid Duration'],
		['From Invalid Interval on', 'Invalid Interval'],
		['{"a":[1]} null', 'null'],
		['[undefined]', 'undefined'],
		['*undefined*, _NaN_', 'undefined'],
		['€NaN', 'NaN'],
	])('finds in %j the word %s', (text, word) => {
		expect(findLeftover(text, '={{ $json.text }}')).toBe(word);
	});

	test.each([
		'Hi Ann',
		'J',
		'The form shows "Invalid Date"',
		'Der Knopf heißt „undefined“',
		"const x = 'null'",
		'{"name":"Ann","phone":null}',
		'Order: { "phone": null, "no": 5 }',
		'[1,null,2] and [null]',
		'[1, null, 2] and [ null ]',
		'{\n  "a" : null,\n  "b": [\n    null,\n    null\n  ]\n}',
		'Infinity Pool',
		'Invalid Dates',
		'Mr Null from Nan',
		'undefinedness, nullify, NaNa',
		'An undefinable nullity',
		'Undefined',
	])('finds nothing in %j', (text) => {
		expect(findLeftover(text, '={{ $json.text }}')).toBeUndefined();
	});

	test.each([
		['Null Fehler heißt null Fehler, Ann', '=Null Fehler heißt null Fehler, {{ $json.name }}'],
		['Why Invalid Date? Ann', '=Why Invalid Date? {{ $json.name }}'],
		['Hi undefined friend', '={{ "Hi undefined " + $json.name }}'],
		['Hi undefined friend', "={{ $json.name ? 'Hi undefined friend' : '' }}"],
		['Hi null friend', '={{ `Hi null ${$json.name}` }}'],
		['Infinity Pool', '={{ $json.product }}'],
		['Infinity is 1/0', '=Infinity is {{ $json.a / $json.b }}'],
		['To "Infinity"', '={{ $json.a / $json.b }}'],
	])('finds nothing in %j if the user entered the word: %s', (text, entered) => {
		expect(findLeftover(text, entered)).toBeUndefined();
	});

	test.each([
		['Hi undefined', '={{ "Hi " + ($json.name === undefined ? undefined : "x") }}', 'undefined'],
		['Hi null', '={{ "Hi " + ($json.name ?? null) }}', 'null'],
		['null null undefined', '=null {{ $json.name }} {{ $json.city }}', 'undefined'],
		['Each -Infinity EUR', '={{ `Each ${$json.sum / $json.count} EUR` }}', 'Infinity'],
	])('in %j, a word in the code of %s is not meant', (text, entered, word) => {
		expect(findLeftover(text, entered)).toBe(word);
	});
});

test('A word is looked for in code with marks that begin no text without making n8n wait', () => {
	for (const part of ['\\"', "\\'", '\\`', '"\\"', '\\\n"'])
		expect(findLeftover('Hi null', `={{ ${part.repeat(100_000)} }}`)).toBe('null');
	for (const part of ['[', 'null,', '[null', ' null', '"null', '": null'])
		findLeftover(part.repeat(100_000), '={{ $json.text }}');
});

test.each([
	[true, /^is true\. To choose a text by a condition/],
	[NaN, /^is NaN\. /],
	[Infinity, /^is Infinity\. Its expression divides by zero\.$/],
	[-Infinity, /^is -Infinity\. /],
	['Invalid Interval', /^is an invalid date\. /],
	[new Date('31.01.2026'), /^is an invalid date\. /],
	['Invalid DateTime', /^is an invalid date\. /],
	['Invalid Date\n', /^is an invalid date\. /],
])('%s is no text', (value, description) => {
	expect(describeNoText(value)).toMatch(description);
});

test.each([
	'true',
	'NaN',
	12.5,
	null,
	undefined,
	'',
	new Date(0),
	'"Invalid Date"',
	'Invalid date',
	'No Invalid Date',
	'Infinity',
	'Invalid',
	[],
])('%j is text, or something that its schema speaks of', (value) => {
	expect(describeNoText(value)).toBeUndefined();
});
