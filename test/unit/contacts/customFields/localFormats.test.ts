import { DateTime } from 'luxon';
import { toStored } from './toStored';

/** Returns the expression in the error for a value that a field of this type does not take. */
function expressionFor(type: string, value: string): string | undefined {
	try {
		toStored({ id: '1', name: 'Field', type }, value, 'UTC');
	} catch (error) {
		return /{{ (.*) }}/.exec((error as Error).message)?.[1];
	}
	throw new Error(`A ${type} takes ${value}`);
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
	['02/01/2026', '2026-01-02'],
	['31-1-2026', '2026-01-31'],
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
	['1,234', 1.234],
	['1,234.5', 1234.5],
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
