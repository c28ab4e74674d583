import fc from 'fast-check';
import { mergeNewest } from '../../../../nodes/WorkspaceMessaging/trigger/changes/timedRecords';
import { chooseWatermark } from '../../../../nodes/WorkspaceMessaging/trigger/changes/watermark';
import { parseTime } from '../../../../nodes/WorkspaceMessaging/values/dates';

test('mergeNewest sorts records newest first, each once in its latest state', () => {
	const rows = mergeNewest([
		{ id: 'a', at: 1, record: {} },
		{ id: 'b', at: 3, record: {} },
		{ id: 'a', at: 5, record: { city: 'Rome' } },
		{ id: 'a', at: 1, record: {} },
	]);
	expect(rows.map(({ id }) => id)).toEqual(['a', 'b']);
	expect(rows[0].record.city).toBe('Rome');
});

test.each([
	['2026-01-01T00:00:00.000Z', Date.UTC(2026, 0, 1)],
	['2026-01-01T01:00:00+01:00', Date.UTC(2026, 0, 1)],
	['2026-01-01T00:00:00.000001Z', Date.UTC(2026, 0, 1)],
	['soon', 0],
	[null, 0],
	[undefined, 0],
])('parseTime reads %p as %i', (value, time) => {
	expect(parseTime(value)).toBe(time);
});

describe('The watermark', () => {
	test.each([
		['is 0 without records', [], 6, true, 0],
		['is 0 for a single record', [5], 6, true, 0],
		['is the time of the only record that has room', [5], 1, false, 5],
		['is 0 if all records of the list have the same time', [5, 5, 5, 5], 6, true, 0],
		['leaves half of the room above it', [9, 8, 7, 6, 5, 4, 3], 6, false, 6],
		['keeps records of the same time together above it', [9, 8, 7, 7, 7, 4, 3], 6, false, 4],
		[
			'keeps records of the same time below it if they have no room',
			[9, 8, 7, 7, 7, 7, 7, 6],
			6,
			false,
			7,
		],
		[
			'is the time of the newest records if these alone have no room',
			[7, 7, 7, 7, 7, 7, 7, 7],
			6,
			false,
			7,
		],
		['is 0 if the list has no other records', [9, 8, 7, 7, 7, 7], 6, true, 0],
	])('%s', (_, times, room, isAll, watermark) => {
		expect(chooseWatermark(times, room, isAll)).toBe(watermark);
	});

	test('never has more records above it than have room, and at least half of these', () => {
		fc.assert(
			fc.property(
				fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 60 }),
				fc.integer({ min: 1, max: 40 }),
				(seconds, room) => {
					const times = [...seconds].sort((a, b) => b - a);
					const watermark = chooseWatermark(times, room, times.length <= room);
					const above = times.filter((time) => time > watermark).length;
					expect(above).toBeLessThanOrEqual(room);
					const atWatermark = times.filter((time) => time === watermark).length;
					if (watermark > 0 && atWatermark === 1)
						expect(above).toBeGreaterThanOrEqual(Math.floor(Math.min(room, times.length) / 2));
				},
			),
		);
	});
});
