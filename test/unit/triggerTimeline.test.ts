import fc from 'fast-check';
import { floorOf, higher, timeOf, toRows } from '../../nodes/WorkspaceMessaging/trigger/timeline';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const contacts = (...seconds: number[]) =>
	seconds.map((second, index) => ({ id: `${index}`, createdAt: at(second) }));
const rowsOf = (...seconds: number[]) => toRows(contacts(...seconds), 'createdAt');
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
	expect(secondOf(floorOf(rowsOf(...seconds), page, true))).toBe(floor);
});

test('contacts of one time that fill more than the rest of a page go below the floor', () => {
	expect(secondOf(floorOf(rowsOf(9, 8, 7, 7, 7, 7, 7, 6), 6, false))).toBe(7);
	expect(secondOf(floorOf(rowsOf(7, 7, 7, 7, 7, 7, 7, 7), 6, false))).toBe(7);
});

test('no time is parted by the floor, and one request reaches it', () => {
	fc.assert(
		fc.property(
			fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 60 }),
			fc.integer({ min: 1, max: 40 }),
			(seconds, size) => {
				const rows = rowsOf(...seconds);
				const page = Math.min(size, rows.length);
				const floor = floorOf(rows, page, rows.length <= page)!;
				const above = rows.filter((row) => row.at > floor);
				expect(above.length).toBeLessThanOrEqual(page);
				const isWhole = rows.length <= page;
				expect(rows[page - 1].at <= floor || isWhole).toBe(true);
			},
		),
	);
});

test('the higher of two floors', () => {
	expect(higher(null, null)).toBeNull();
	expect(higher(3, null)).toBe(3);
	expect(higher(null, 4)).toBe(4);
	expect(higher(3, 4)).toBe(4);
});
