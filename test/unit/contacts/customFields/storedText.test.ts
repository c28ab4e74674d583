import { isSameAsStoredText } from '../../../../nodes/WorkspaceMessaging/contacts/customFields/storedText';
import { toStored } from './toStored';

const field = (type: string) => ({ id: '1', name: 'Field', type });

describe('A date with time', () => {
	test.each([
		['a day is its midnight', '2026-01-31', 'Europe/Berlin', '2026-01-30T23:00:00.000Z'],
		['in summer, too', '2026-07-01', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
		['on the day the clocks go forward', '2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
		['and the day after', '2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
		['on the day they go back', '2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
		['west of Greenwich', '2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
		['far in the east', '2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
		[
			'where clocks go forward at midnight, that is when',
			'2026-04-24',
			'Africa/Cairo',
			'2026-04-23T22:00:00.000Z',
		],
		['in UTC', '2026-01-31', 'UTC', '2026-01-31T00:00:00.000Z'],
		[
			'just before clocks go forward',
			'2026-03-29T01:30',
			'Europe/Berlin',
			'2026-03-29T00:30:00.000Z',
		],
		[
			'a time that clocks leave out',
			'2026-03-29T02:30',
			'Europe/Berlin',
			'2026-03-29T01:30:00.000Z',
		],
		[
			'a time that clocks show twice',
			'2026-10-25 02:30:00',
			'Europe/Berlin',
			'2026-10-25T00:30:00.000Z',
		],
		[
			'a time with seconds',
			'2026-01-31T09:30:15.250',
			'America/New_York',
			'2026-01-31T14:30:15.250Z',
		],
		[
			'an offset counts, not the zone',
			'2026-01-31T09:30:00Z',
			'Europe/Berlin',
			'2026-01-31T09:30:00.000Z',
		],
		['an offset without colon', '2026-01-31T09:30:00+0530', 'UTC', '2026-01-31T04:00:00.000Z'],
		['an offset of hours', '2026-01-31 09:30:00.5+02', 'UTC', '2026-01-31T07:30:00.500Z'],
		['in small letters', '2026-01-31t09:30:00z', 'Europe/Berlin', '2026-01-31T09:30:00.000Z'],
	])('is stored in the right form: %s', (_, text, zone, expected) => {
		expect(toStored(field('datetime'), text, zone)).toBe(expected);
	});

	test('can be a Date object', () => {
		const date = new Date('2026-01-31T09:30:00Z');
		expect(toStored(field('datetime'), date, 'Europe/Berlin')).toBe('2026-01-31T09:30:00.000Z');
		const luxon = { toISO: () => '2026-01-31T10:30:00.000+01:00' };
		expect(toStored(field('datetime'), luxon, 'UTC')).toBe('2026-01-31T09:30:00.000Z');
	});
});

test('A date keeps the day that the item holds', () => {
	for (const text of [
		'2026-01-31',
		' 2026-01-31 ',
		'2026-01-31T23:30',
		'2026-01-31T23:30:00-05:00',
	]) {
		expect(toStored(field('date'), text, 'Asia/Tokyo')).toBe('2026-01-31');
	}
});

describe('A date is the day that a moment in UTC has in the time zone of the workflow', () => {
	test.each([
		['1990-01-30T23:00:00.000Z', 'Europe/Berlin', '1990-01-31'],
		['1990-01-30T23:00:00Z', 'Europe/Berlin', '1990-01-31'],
		['1990-01-30 23:00:00+00', 'Europe/Berlin', '1990-01-31'],
		['1990-01-30T23:00:00+00:00', 'Europe/Berlin', '1990-01-31'],
		['1990-07-30T22:00:00.000Z', 'Europe/Berlin', '1990-07-31'],
		['1990-12-31T23:00:00.000Z', 'Europe/Berlin', '1991-01-01'],
		['1990-01-31T05:00:00.000Z', 'America/New_York', '1990-01-31'],
		['1990-01-31T04:59:59.999Z', 'America/New_York', '1990-01-30'],
		['1990-01-30T23:00:00.000Z', 'Europe/London', '1990-01-30'],
	])('%s in %s is %s, as text and as a Date object', (text, zone, day) => {
		expect(toStored(field('date'), text, zone)).toBe(day);
		expect(toStored(field('date'), new Date(Date.parse(text)), zone)).toBe(day);
	});

	test.each(['Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati'])(
		'in %s, too, exactly midnight in UTC is a day without a time',
		(zone) => {
			for (const text of ['1990-01-31', '1990-01-31T00:00:00.000Z', '1990-01-31 00:00:00+00'])
				expect(toStored(field('date'), text, zone)).toBe('1990-01-31');
			expect(toStored(field('date'), new Date('1990-01-31T00:00Z'), zone)).toBe('1990-01-31');
		},
	);

	test('and a luxon object or a text with another offset keeps its own day', () => {
		const luxon = { toISO: () => '1990-01-31T00:00:00.000+01:00' };
		expect(toStored(field('date'), luxon, 'Europe/Berlin')).toBe('1990-01-31');
		const text = '1990-01-30T23:30:00+00:30';
		expect(toStored(field('date'), text, 'Europe/Berlin')).toBe('1990-01-30');
	});
});

test.each(
	['date', 'datetime'].flatMap((type) =>
		[
			'2026-01-31garbage',
			'2026-01-31 garbage',
			'2026-01-31T',
			'2026-01-31Z',
			'2026-01-31T25:00',
			'2026-01-31T10:00:00+99:00',
			'2026-01-31T10:00:00Z and more',
			'2026-02-29',
			'2026-13-01',
			'31.01.2026',
			'20260131',
			'',
		].map((text) => [type, text]),
	),
)('A %s field refuses "%s"', (type, text) => {
	expect(() => toStored(field(type), text, 'UTC')).toThrow(/^Custom field Field must be a date/);
});

describe('Comparing a value with the stored value', () => {
	test.each([
		['number', 42, '42'],
		['number', '42', '42.0'],
		['number', '1e3', '+1000'],
		['boolean', true, 'true'],
		['boolean', '0', 'false'],
		['date', '2026-01-31T00:00:00.000Z', '2026-01-31'],
		['datetime', '2026-01-31T10:00:00+01:00', '2026-01-31T09:00:00.000Z'],
		['datetime', '2026-01-31 09:00:00+00', '2026-01-31T09:00:00.000Z'],
		['shortText', 'Blue', 'Blue'],
		['shortText', 7, '7'],
	])('finds a %s equal: %s', (type, shown, stored) => {
		expect(isSameAsStoredText(field(type), shown, stored)).toBe(true);
	});

	test.each([
		['number', '', '0'],
		['number', '9007199254740993', '9007199254740992.0'],
		['boolean', false, 'true'],
		['boolean', 'perhaps', 'true'],
		['date', '2026-01-31T23:00:00.000Z', '2026-01-31'],
		// Whose time this is, is not known.
		['datetime', '2026-01-31T09:00:00', '2026-01-31T09:00:00.000Z'],
		['datetime', 'soon', '2026-01-31T09:00:00.000Z'],
		['shortText', 'blue', 'Blue'],
		['shortText', null, 'null'],
		['shortText', undefined, 'undefined'],
	])('finds a %s different: %s', (type, shown, stored) => {
		expect(isSameAsStoredText(field(type), shown, stored)).toBe(false);
	});
});
