import { DateTime } from 'luxon';
import { toStored } from './toStored';

/** Returns what the error says about a value that a field of this type does not take. */
function errorAbout(type: string, value: string): string {
	try {
		toStored({ id: '1', name: 'Field', type }, value, 'UTC');
	} catch (error) {
		return (error as Error).message;
	}
	throw new Error(`A ${type} takes ${value}`);
}

/** Returns the only expression in the error about a value; undefined if it has none. */
function expressionFor(type: string, value: string): string | undefined {
	const found = [...errorAbout(type, value).matchAll(/{{ (.*?) }}/g)];
	expect(found.length).toBeLessThan(2);
	return found[0]?.[1];
}

/** What an expression of n8n makes of a value. */
function valueOf(expression: string | undefined, value: string): unknown {
	if (expression === undefined) return undefined;
	const evaluate = new Function('DateTime', '$json', `return ${expression};`);
	return evaluate(DateTime, { value }) as unknown;
}

test.each([
	['31.01.2026', '2026-01-31'],
	['1.2.2026', '2026-02-01'],
	['31/01/2026', '2026-01-31'],
	['01/31/2026', '2026-01-31'],
	['31-1-2026', '2026-01-31'],
	['12-31-2026', '2026-12-31'],
	['02.01.2026', '2026-01-02'],
	['31.01.26', '2026-01-31'],
	['2026/1/31', '2026-01-31'],
	['29.02.2024', '2024-02-29'],
	['29.02.24', '2024-02-29'],
	['2026-1-5', '2026-01-05'],
	['2026.01.31', '2026-01-31'],
	['31.01.2026 09:30', '2026-01-31'],
])('The suggested expression for the date %s returns %s', (value, date) => {
	expect(valueOf(expressionFor('date', value), value)).toBe(date);
});

test.each([
	['31.01.2026 9:30', '2026-01-31T09:30:00.000'],
	['31.01.2026, 09:30:15', '2026-01-31T09:30:15.000'],
	['1/31/2026 9:30 PM', '2026-01-31T21:30:00.000'],
	['1/31/2026 9:30:15am', '2026-01-31T09:30:15.000'],
	['31.01.2026', '2026-01-31T00:00:00.000'],
])('The suggested expression for the time %s returns %s', (value, time) => {
	expect(valueOf(expressionFor('datetime', value), value)).toMatch(time);
});

test.each([
	'tomorrow',
	'31.13.2026',
	'32.01.2026',
	'0.1.2026',
	'31.01',
	'31.02.2026',
	'29.02.2026',
	'2026-02-31',
	'2026-31-31',
	'1.2/2026',
	"1.2.2026'",
])('No expression converts the date "%s"', (value) => {
	expect(expressionFor('date', value)).toBeUndefined();
});

test.each([
	['1,5', 1.5],
	['-1,5', -1.5],
	['1.234,5', 1234.5],
	['1 234,5', 1234.5],
	['1.234.567,89', 1234567.89],
	['1,234.5', 1234.5],
	['0,234', 0.234],
	['1234,567', 1234.567],
	['1 234,567', 1234.567],
	['12,34', 12.34],
	['1,234,567', 1234567],
	["1'234.50", 1234.5],
	['1 234 567', 1234567],
])('The suggested expression for the number %s returns %d', (value, number) => {
	expect(valueOf(expressionFor('number', value), value)).toBe(number);
});

test.each(['many', '1,5 €', '1,2,3', '1.2.3', ',5', '12:30'])(
	'No expression converts the number "%s"',
	(value) => {
		expect(expressionFor('number', value)).toBeUndefined();
	},
);

describe('A value with two readings gets an expression for each, and the error says which is which', () => {
	const readings = (type: string, value: string) =>
		[...errorAbout(type, value).matchAll(/If the (.*?), convert it with {{ (.*?) }}/g)].map(
			([, condition, expression]) => [condition, valueOf(expression, value)],
		);

	test.each([
		['01/02/2026', '2026-02-01', '2026-01-02'],
		['02/01/2026', '2026-01-02', '2026-02-01'],
		['3/4/2026', '2026-04-03', '2026-03-04'],
		['12-11-2026', '2026-11-12', '2026-12-11'],
		['07/08/26', '2026-08-07', '2026-07-08'],
		['5/5/2026', '2026-05-05', '2026-05-05'],
	])('the date %s', (value, ifDay, ifMonth) => {
		expect(readings('date', value)).toEqual([
			['day comes first', ifDay],
			['month comes first', ifMonth],
		]);
	});

	test.each([
		['01/02/2026 09:30', '2026-02-01T09:30', '2026-01-02T09:30'],
		['6/7/2026, 1:05:09 PM', '2026-07-06T13:05:09', '2026-06-07T13:05:09'],
	])('the time %s', (value, ifDay, ifMonth) => {
		expect(readings('datetime', value)).toEqual([
			['day comes first', expect.stringContaining(ifDay)],
			['month comes first', expect.stringContaining(ifMonth)],
		]);
	});

	test.each([
		['1,234', 1.234, 1234],
		['12,345', 12.345, 12345],
		['123,456', 123.456, 123456],
		['-9,000', -9, -9000],
		['+1,500', 1.5, 1500],
		['999,999', 999.999, 999999],
	])('the number %s', (value, ifDecimals, ifThousands) => {
		expect(readings('number', value)).toEqual([
			['comma begins the decimals', ifDecimals],
			['comma separates thousands', ifThousands],
		]);
	});

	test('the whole sentence', () => {
		expect(errorAbout('date', '01/02/2026')).toBe(
			`Custom field Field must be a date, such as 2026-01-31, but is "01/02/2026". Nothing was changed. If the day comes first, convert it with {{ DateTime.fromFormat($json.value, 'd/M/yyyy').toISODate() }}. If the month comes first, convert it with {{ DateTime.fromFormat($json.value, 'M/d/yyyy').toISODate() }}. Replace "value" with your column name.`,
		);
	});
});
