import type { Page } from '../../../nodes/WorkspaceMessaging/transport/pagination';
import { readWhole } from '../../../nodes/WorkspaceMessaging/trigger/lists';

afterEach(() => jest.restoreAllMocks());

/** A list of three records in two pages, of which other ones come with each of the first readings. */
function restless(changes: number, secondsEach = 0) {
	let readings = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => readings * secondsEach * 1000);
	async function* read(): AsyncGenerator<Page> {
		const first = readings++ < changes ? `other ${readings}` : '1';
		for (const ids of [[first, '2'], ['3']]) {
			const rows = ids.map((id) => ({ id }));
			yield { number: 1, rows, fresh: rows, isLast: false };
		}
	}
	const visited: string[] = [];
	return {
		isComplete: async (most: number) =>
			await readWhole(read, most, (rows) => visited.push(...rows.map(({ id }) => String(id)))),
		readings: () => readings,
		visited,
	};
}

test.each([
	[0, 2, true],
	[1, 3, true],
	[2, 4, true],
	[3, 4, false],
])('with %i changes it takes %i of at most 4 readings', async (changes, expected, isComplete) => {
	const list = restless(changes);
	expect(await list.isComplete(4)).toBe(isComplete);
	expect(list.readings()).toBe(expected);
});

test('every reading hands over every record', async () => {
	const list = restless(1);
	await list.isComplete(4);
	expect(list.visited).toEqual(['other 1', '2', '3', '1', '2', '3', '1', '2', '3']);
});

test('once where that is enough, which proves nothing', async () => {
	const list = restless(0);
	expect(await list.isComplete(1)).toBe(false);
	expect(list.readings()).toBe(1);
});

test.each([
	[9, 2],
	[10, 1],
	[6, 3],
])('a list that takes %i seconds is read %i times within 20 seconds', async (seconds, readings) => {
	const list = restless(9, seconds);
	expect(await list.isComplete(4)).toBe(false);
	expect(list.readings()).toBe(readings);
});
