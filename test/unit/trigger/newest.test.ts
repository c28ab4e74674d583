import fc from 'fast-check';
import { watermarkFor } from '../../../nodes/WorkspaceMessaging/trigger/events/contacts';
import { latestOf, timeOf } from '../../../nodes/WorkspaceMessaging/trigger/newest';

test('rows come newest first, each once, in their latest state', () => {
	const rows = latestOf([
		{ id: 'a', at: 1, contact: {} },
		{ id: 'b', at: 3, contact: {} },
		{ id: 'a', at: 5, contact: { city: 'Rome' } },
		{ id: 'a', at: 1, contact: {} },
	]);
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
	['nobody', [], 6, true, 0],
	['one', [5], 6, true, 0],
	['one of more', [5], 1, false, 5],
	['all of one time', [5, 5, 5, 5], 6, true, 0],
	['half of the room stays above', [9, 8, 7, 6, 5, 4, 3], 6, false, 6],
	['those of one time stay together', [9, 8, 7, 7, 7, 4, 3], 6, false, 4],
	['those of one time that have no room go below', [9, 8, 7, 7, 7, 7, 7, 6], 6, false, 7],
	['more of one time than there is room for', [7, 7, 7, 7, 7, 7, 7, 7], 6, false, 7],
	['all are remembered where there are no others', [9, 8, 7, 7, 7, 7], 6, true, 0],
])('the watermark: %s', (_, times, room, isAll, watermark) => {
	expect(watermarkFor(times, room, isAll)).toBe(watermark);
});

test('no more stay above the watermark than have room, and half of them do', () => {
	fc.assert(
		fc.property(
			fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 60 }),
			fc.integer({ min: 1, max: 40 }),
			(seconds, room) => {
				const times = [...seconds].sort((a, b) => b - a);
				const watermark = watermarkFor(times, room, times.length <= room);
				const above = times.filter((time) => time > watermark).length;
				expect(above).toBeLessThanOrEqual(room);
				const sizeOfRun = times.filter((time) => time === watermark).length;
				if (watermark > 0 && sizeOfRun === 1)
					expect(above).toBeGreaterThanOrEqual(Math.floor(Math.min(room, times.length) / 2));
			},
		),
	);
});
