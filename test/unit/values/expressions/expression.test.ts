import {
	canLackExpression,
	splitExpressions,
} from '../../../../nodes/WorkspaceMessaging/values/expressions/expression';

test.each([
	['Hi', ['Hi'], []],
	['', [''], []],
	['{{ a }}', ['', ''], [' a ']],
	['Hi {{ a }}, {{b}}{{ c }}!', ['Hi ', ', ', '', '!'], [' a ', 'b', ' c ']],
	['Hi {{ a', ['Hi {{ a'], []],
	['}} {{ a }} }}', ['}} ', ' }}'], [' a ']],
	['{{{ a }}}', ['', '}'], ['{ a ']],
])('%j is split where n8n splits it', (text, literals, codes) => {
	expect(splitExpressions(text)).toEqual({ literals, codes });
});

describe('canLackExpression', () => {
	test.each([
		['Hi {{ a }}!', 'Hi !'],
		['Hi {{ a }} {{ b }}!', 'Hi Ann !'],
		['Hi {{ a }} {{ b }}!', 'Hi  Lee!'],
		['{{ a }} bye', ' bye'],
		['bye {{ a }}', 'bye '],
		['A{{ a }}A{{ b }}A', 'AAxA'],
		['A{{ a }}A{{ b }}A', 'AxAA'],
		['A{{ a }}A{{ b }}A', 'AAAA'],
		['no{{ a }}no{{ b }}nono{{ c }}no', 'nonoxnonoyno'],
		['line\n{{ a }}\nline {{ b }}.', 'line\n\nline x\ny.'],
	])('%j can have become %j with one that returned nothing', (text, value) => {
		expect(canLackExpression(value, splitExpressions(text).literals)).toBe(true);
	});

	test.each([
		['Hi {{ a }}!', 'Hi Ann!'],
		['Hi {{ a }}!', 'Hello !'],
		['Hi {{ a }} {{ b }}!', 'Hi Ann Lee!'],
		['A{{ a }}A', 'A'],
		['A{{ a }}A{{ b }}A', 'AxAyA'],
		['ab{{ a }}ba', 'aba'],
		['aa{{ a }}aa{{ b }}aa', 'aaaaa'],
		['x{{ a }}ab{{ b }}ba{{ c }}y', 'xabay'],
		['x{{ a }}aa{{ b }}aa{{ c }}y', 'xaaay'],
		['no{{ a }}no{{ b }}nono{{ c }}no', 'noxnoynonozno'],
		['Hi', 'Hi'],
	])('%j cannot have become %j so', (text, value) => {
		expect(canLackExpression(value, splitExpressions(text).literals)).toBe(false);
	});
});

/** Runs `work`, and returns how many characters it has looked at, at most. */
function countLookedAt(work: () => unknown): number {
	let count = 0;
	const { indexOf } = String.prototype;
	const spy = jest.spyOn(String.prototype, 'indexOf').mockImplementation(function (
		this: string,
		...[part, from = 0]
	) {
		const at = indexOf.call(this, part, from);
		count += (at === -1 ? this.length : at + part.length) - from;
		return at;
	});
	try {
		work();
	} finally {
		spy.mockRestore();
	}
	return count;
}

describe('The work grows with the text, and no faster', () => {
	const words = (length: number) => 'word '.repeat(length / 5);
	const codes = (count: number, between: string) => `{{ $json.a }}${between}`.repeat(count);

	test.each<[string, (length: number) => { text: string; value: string }]>([
		[
			'50 expressions between blanks, in a text of blanks and words',
			(length) => ({ text: `Hi ${codes(50, ' ')}bye`, value: `Hi ${words(length)}!` }),
		],
		[
			'50 expressions between letters that are everywhere',
			(length) => ({ text: `${codes(50, 'aa')}b`, value: 'a'.repeat(length) }),
		],
		[
			'one value that holds the whole text many times',
			(length) => ({
				text: `Hi ${codes(50, ' and ')}!`,
				value: `Hi ${' and '.repeat(length / 5)}?`,
			}),
		],
		[
			'brackets that never close',
			(length) => ({ text: '{'.repeat(length), value: '{'.repeat(length) }),
		],
	])('%s', (_, makeTexts) => {
		const countFor = (length: number) => {
			const { text, value } = makeTexts(length);
			return countLookedAt(() => canLackExpression(value, splitExpressions(text).literals));
		};
		const short = countFor(10_000);
		const long = countFor(100_000);
		expect(long).toBeGreaterThan(0);
		expect(long).toBeLessThanOrEqual(short * 11);
		expect(long).toBeLessThan(100_000 * 60);
	});
});
