import fc from 'fast-check';
import {
	floorOf,
	higher,
	needsToRise,
	timeOf,
	toRows,
} from '../../nodes/WorkspaceMessaging/trigger/timeline';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const contacts = (...seconds: number[]) =>
	seconds.map((second, index) => ({ id: `${index}`, createdAt: at(second) }));
const timesOf = (...seconds: number[]) => toRows(contacts(...seconds), 'createdAt').map((row) => row.at);
const secondOf = (floor: number | null) => (floor === null ? null : (floor - Date.UTC(2026, 0, 1)) / 1000);

test('rows come newest first, each once, in their latest state', () => {
	const rows = toRows(
		[
			{ id: 'a', updatedAt: at(1) },
			{ id: 'b', updatedAt: at(3) },
			{ id: 'a', updatedAt: at(5), city: 'Rome' },
			{ id: 'a', updatedAt: at(1) },
		],
		'updatedAt',
	);
	expect(rows.map(({ id }) => id)).toEqual(['a', 'b']);
	expect(rows[0].contact.city).toBe('Rome');
});

test.each([
	['2026-01-01T00:00:00.000Z', Date.UTC(2026, 0, 1)],
	['2026-01-01T01:00:00+01:00', Date.UTC(2026, 0, 1)],
	['2026-01-01T00:00:00.000001Z', Date.UTC(2026, 0, 1)],
	['soon', 0],
	[null, 0],
	[undefined, 0],
])('the time of %p', (value, time) => {
	expect(timeOf(value)).toBe(time);
});

test.each([
	['nobody', [], 0, null],
	['one', [5], 1, 4.999],
	['all of one time', [5, 5, 5, 5], 4, 4.999],
	['half a page stays above', [9, 8, 7, 6, 5, 4], 6, 6],
	['those of one time stay together', [9, 8, 7, 7, 7, 4], 6, 4],
	['a short list of one time from the middle on', [9, 8, 7, 7, 7, 7], 6, 6.999],
])('the floor: %s', (_, seconds, page, floor) => {
	expect(secondOf(floorOf(timesOf(...seconds), page, true))).toBe(floor);
});

test('contacts of one time that fill more than the rest of a page go below the floor', () => {
	expect(secondOf(floorOf(timesOf(9, 8, 7, 7, 7, 7, 7, 6), 6, false))).toBe(7);
	expect(secondOf(floorOf(timesOf(7, 7, 7, 7, 7, 7, 7, 7), 6, false))).toBe(7);
});

test('no time is parted by the floor, and one request reaches it', () => {
	fc.assert(
		fc.property(
			fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 60 }),
			fc.integer({ min: 1, max: 40 }),
			(seconds, size) => {
				const times = timesOf(...seconds);
				const page = Math.min(size, times.length);
				const floor = floorOf(times, page, times.length <= page)!;
				const above = times.filter((time) => time > floor);
				expect(above.length).toBeLessThanOrEqual(page);
				const isWhole = times.length <= page;
				expect(times[page - 1] <= floor || isWhole).toBe(true);
			},
		),
	);
});

test.each([
	['a page above it', 5, 7, [9, 8, 7, 6], true],
	['less than a page above it', 6, 7, [9, 8, 7, 6], false],
	['less than a page remembered', 5, 7, [9, 8], false],
	['nowhere to rise to', 5, 5, [9, 8, 7, 6], false],
	['no floor yet', null, 7, [9, 8, 7, 6], true],
	['an empty list', null, null, [], false],
])('whether the floor needs to rise: %s', (_, floor, nextFloor, times, expected) => {
	const recent = times.map((time): [string, number] => [`${time}`, time]);
	expect(needsToRise({ floor, nextFloor, recent }, 4)).toBe(expected);
});

test('the higher of two floors', () => {
	expect(higher(null, null)).toBeNull();
	expect(higher(3, null)).toBe(3);
	expect(higher(null, 4)).toBe(4);
	expect(higher(3, 4)).toBe(4);
});
