import { createContactMatcher } from '../../../../nodes/WorkspaceMessaging/contacts/conditions/filterContacts';
import {
	getConditionDates,
	type Clock,
	type Condition,
} from '../../../../nodes/WorkspaceMessaging/contacts/conditions/condition';
import { readMoment } from '../../../../nodes/WorkspaceMessaging/values/dates';
import { toServerFilter } from '../../../../nodes/WorkspaceMessaging/contacts/conditions/serverConditions';

const clock: Clock = { now: Date.parse('2026-11-21T12:00:00Z'), timezone: 'Europe/Berlin' };

/** Returns the first moment of the day around a moment, and of the day after it. */
function dayAround(moment: number, timezone: string) {
	const day = {
		field: 'createdAt',
		operator: 'eq',
		values: [new Date(moment).toISOString()],
	} as const;
	const [from, to] = getConditionDates(day, { now: 0, timezone });
	return [from, to + 1];
}

describe('Dates of conditions', () => {
	test.each([
		['2026-11-21', '2026-11-20T23:00:00.000Z'],
		['2026-07-01', '2026-06-30T22:00:00.000Z'],
		['2026-07-01 08:30', '2026-07-01T06:30:00.000Z'],
		['2026-07-01T08:30:15.5', '2026-07-01T06:30:15.500Z'],
		['2026-07-01T08:30Z', '2026-07-01T08:30:00.000Z'],
		['2026-07-01T08:30+05:30', '2026-07-01T03:00:00.000Z'],
		// Clocks are put back at 03:00 on the 25th of October, and forward at 02:00 on the 29th of
		// March.
		['2026-10-25 01:59', '2026-10-24T23:59:00.000Z'],
		['2026-10-25 03:00', '2026-10-25T02:00:00.000Z'],
		['2026-03-29 01:59', '2026-03-29T00:59:00.000Z'],
		['2026-03-29 03:00', '2026-03-29T01:00:00.000Z'],
		// What clocks leave out is taken as the time after the change; of what they show twice, it is
		// the first.
		['2026-03-29 02:30', '2026-03-29T01:30:00.000Z'],
		['2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
		['2026-07-01 08:30:00 +02', '2026-07-01T06:30:00.000Z'],
		['0001-01-02', '0001-01-01T23:06:32.000Z'],
	])('read %s in Berlin', (text, moment) => {
		expect(new Date(readMoment(text, 'Europe/Berlin')!).toISOString()).toBe(moment);
	});

	test.each([
		['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', 23],
		['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
		['Atlantic/Azores', '2026-03-29', '2026-03-29T01:00:00.000Z', 23],
		['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', 23],
		// Clocks are put back to 23:00 or to 00:00: the day before has an hour more, or the day itself
		// has.
		['America/Santiago', '2026-04-05', '2026-04-05T04:00:00.000Z', 24],
		['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
	])(
		'start the day in %s, where clocks change at midnight, on %s at %s',
		(timezone, day, from, hours) => {
			const begins = readMoment(day, timezone)!;
			expect(new Date(begins).toISOString()).toBe(from);
			const until = begins + hours * 3_600_000;
			expect(dayAround(begins, timezone)).toEqual([begins, until]);
			expect(dayAround(begins - 1, timezone)[1]).toBe(begins);
			expect(dayAround(until - 1, timezone)).toEqual([begins, until]);
		},
	);

	test.each([
		'',
		'soon',
		'2026-02-30',
		'2026-13-01',
		'21.11.2026',
		'2026-11-21T25:00',
		'1763726400',
	])('do not include %p', (text) => {
		expect(readMoment(text, 'UTC')).toBeUndefined();
	});

	test.each([
		['2026-11-20T23:30:00Z', '2026-11-20T23:00:00.000Z', '2026-11-21T23:00:00.000Z'],
		['2026-11-20T22:30:00Z', '2026-11-19T23:00:00.000Z', '2026-11-20T23:00:00.000Z'],
		// Days of 25 and of 23 hours.
		['2026-10-25T12:00:00Z', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
		['2026-03-29T12:00:00Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
	])('include the day of %s in Berlin', (moment, from, until) => {
		const around = dayAround(Date.parse(moment), 'Europe/Berlin');
		expect(around.map((each) => new Date(each).toISOString())).toEqual([from, until]);
	});
});

const text = (operator: Condition['operator'], value: string): Condition => ({
	field: 'firstName',
	type: 'text',
	operator,
	values: [value],
});

describe('The rules of conditions', () => {
	test.each([
		[text('eq', 'ann'), 'ANN', true],
		[text('eq', 'ann'), ' Ann ', true],
		[text('eq', 'ann'), 'Anna', false],
		[text('ne', 'ann'), null, true],
		[text('notContains', 'ann'), '', true],
		[text('contains', 'LÖW'), 'Löwe', true],
		[{ ...text('isEmpty', ''), values: [] }, '  ', true],
		[{ ...text('isNotEmpty', ''), values: [] }, '  ', false],
	] as Array<[Condition, string | null, boolean]>)(
		'compare %o with %p: %p',
		(condition, firstName, expected) => {
			expect(
				createContactMatcher({ match: 'all', conditions: [condition], clock })({ firstName }),
			).toBe(expected);
		},
	);

	test.each<[Condition['operator'], string[], string, boolean]>([
		// Midnight in Berlin is at 23:00 UTC of the day before.
		['isBetween', ['2026-01-01', '2026-01-31'], '2025-12-31T23:00:00.000Z', true],
		['isBetween', ['2026-01-01', '2026-01-31'], '2025-12-31T22:59:59.999Z', false],
		['isBetween', ['2026-01-01', '2026-01-31'], '2026-01-31T22:59:59.999Z', true],
		['isBetween', ['2026-01-01', '2026-01-31'], '2026-01-31T23:00:00.000Z', false],
		['isBetween', ['2026-01-01T00:00:00', '2026-01-31T00:00:00'], '2026-01-31T12:00:00Z', true],
		['isBetween', ['2026-01-01', '2026-01-31T08:00'], '2026-01-31T07:00:00.000Z', true],
		['isBetween', ['2026-01-01', '2026-01-31T08:00'], '2026-01-31T07:00:00.001Z', false],
		['gt', ['2026-01-31'], '2026-01-31T22:59:59.999Z', false],
		['gt', ['2026-01-31'], '2026-01-31T23:00:00.000Z', true],
		['gt', ['2026-01-31T08:00'], '2026-01-31T07:00:00.001Z', true],
		['gt', ['2026-01-31T08:00'], '2026-01-31T07:00:00.000Z', false],
		['lt', ['2026-01-31'], '2026-01-30T22:59:59.999Z', true],
		['lt', ['2026-01-31'], '2026-01-30T23:00:00.000Z', false],
		// A day of 25 hours.
		['gt', ['2026-10-25'], '2026-10-25T22:59:59.999Z', false],
		['gt', ['2026-10-25'], '2026-10-25T23:00:00.000Z', true],
	])('compare dates by %s %j with %s: %p', (operator, values, createdAt, expected) => {
		const condition: Condition = { field: 'createdAt', type: 'date', operator, values };
		expect(
			createContactMatcher({ match: 'all', conditions: [condition], clock })({ createdAt }),
		).toBe(expected);
	});

	test.each<[Condition['operator'], string, string, boolean]>([
		['gte', '5', '5', true],
		['gt', '5', '5', false],
		['lte', '5', '5', true],
		['lt', '5', '5', false],
		['eq', '9007199254740993', '9007199254740993', true],
		['eq', '9007199254740993', '9007199254740992', false],
		['ne', '9007199254740993', '9007199254740992', true],
		['gt', '9007199254740992', '9007199254740993', true],
		['lte', '-9007199254740993', '-9007199254740992', false],
		['eq', '+0009007199254740993', ' 9007199254740993 ', true],
		['eq', '1000000000000000', '1e15', true],
		['eq', '5', '5.0', true],
		['eq', '0', 'many', false],
	])('compare numbers by %s %s with %s: %p', (operator, given, value, expected) => {
		const field = { customFieldId: '7' };
		const condition: Condition = { field, type: 'number', operator, values: [given] };
		const contact = { contactCustomFields: [{ customFieldId: '7', value }] };
		expect(createContactMatcher({ match: 'all', conditions: [condition], clock })(contact)).toBe(
			expected,
		);
	});

	test.each([
		['7', 'days', '2026-11-14T12:00:00.000Z', true],
		['7', 'days', '2026-11-14T11:59:59.999Z', false],
		['1', 'weeks', '2026-11-14T12:00:00.000Z', true],
		['90', 'minutes', '2026-11-21T10:30:00.000Z', true],
		['90', 'minutes', '2026-11-21T10:29:59.999Z', false],
		// The service's clock may be up to an hour ahead.
		['2', 'hours', '2026-11-21T13:00:00.000Z', true],
		['2', 'hours', '2026-11-21T13:00:00.001Z', false],
	])('compare "in the last %s %s" with %s: %p', (amount, unit, createdAt, expected) => {
		const condition: Condition = {
			field: 'createdAt',
			type: 'date',
			operator: 'inLast',
			values: [amount, unit],
		};
		expect(
			createContactMatcher({ match: 'all', conditions: [condition], clock })({ createdAt }),
		).toBe(expected);
	});
});

describe('The filter of the service', () => {
	const fields = {
		staticFields: [
			{ field: 'fullName', operators: ['eq', 'contains'] },
			{ field: 'tags', operators: ['in', 'notIn'] },
			{ field: 'blocked', operators: ['eq'] },
		],
		customFields: [
			{ id: '731', type: 'shortText', valueType: 'text' },
			{ id: '732', type: 'shortText' },
			{ id: '733', type: 'number', valueType: 'number' },
		],
	};
	const name = (value: string): Condition => ({ ...text('eq', value), field: 'fullName' });
	const blocked = (value: string): Condition => ({
		field: 'blocked',
		type: 'boolean',
		operator: 'eq',
		values: [value],
	});
	const tags: Condition = { field: 'tags', type: 'list', operator: 'in', values: ['12'] };

	test('has the format that the service accepts', () => {
		expect(
			toServerFilter({ match: 'all', conditions: [name('Ann'), tags], clock }, fields),
		).toEqual({
			operator: 'and',
			conditions: [
				{ field: 'fullName', operator: 'contains', value: 'Ann' },
				{ field: 'tags', operator: 'in', value: ['12'] },
			],
		});
	});

	test('compares a boolean with true, not with false, which some services store as nothing', () => {
		const filterOf = (value: string) =>
			toServerFilter({ match: 'all', conditions: [blocked(value)], clock }, fields);
		expect(filterOf('true')?.conditions).toEqual([
			{ field: 'blocked', operator: 'eq', value: 'true' },
		]);
		expect(filterOf('false')).toBeUndefined();
	});

	test.each([
		['a letter that is not the same everywhere', name('Löwe')],
		['what means something to databases', name('a\\b')],
		[
			'a number that others may be taken for',
			{
				field: { customFieldId: '733' },
				type: 'number',
				operator: 'gt',
				values: ['9007199254740992'],
			},
		],
		['more text than a value holds', name('x'.repeat(256))],
		['an operator that the service lacks', { ...tags, operator: 'isNotEmpty' as const }],
		['a field that the service lacks', text('eq', 'Ann')],
		[
			'a custom field of which it does not say what it compares',
			{ ...name('Ann'), field: { customFieldId: '732' } },
		],
	] as Array<[string, Condition]>)('leaves out %s', (_, condition) => {
		expect(
			toServerFilter({ match: 'all', conditions: [condition], clock }, fields),
		).toBeUndefined();
		expect(
			toServerFilter({ match: 'all', conditions: [condition, tags], clock }, fields),
		).toBeDefined();
		expect(
			toServerFilter({ match: 'any', conditions: [condition, tags], clock }, fields),
		).toBeUndefined();
	});

	test('holds as much text as a value can hold', () => {
		expect(
			toServerFilter({ match: 'all', conditions: [name('x'.repeat(255))], clock }, fields),
		).toBeDefined();
	});
});
