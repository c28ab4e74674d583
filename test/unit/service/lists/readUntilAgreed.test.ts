import type { Page } from '../../../../nodes/WorkspaceMessaging/service/lists/pages';
import { readUntilAgreed } from '../../../../nodes/WorkspaceMessaging/service/lists/repeatedReadings';

afterEach(() => jest.restoreAllMocks());

/**
 * A list of three records on two pages. Each of the first readings has another record in the place
 * of the first.
 */
function changingList(changes: number, secondsEach = 0) {
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
			await readUntilAgreed(read, (rows) => visited.push(...rows.map(({ id }) => String(id))), {
				most,
				withinMs: 20_000,
			}),
		readings: () => readings,
		visited,
	};
}

test.each([
	[0, 2, true],
	[1, 3, true],
	[2, 4, true],
	[3, 4, false],
])(
	'A list with %i changes needs %i of at most 4 readings',
	async (changes, expected, isComplete) => {
		const list = changingList(changes);
		expect(await list.isComplete(4)).toBe(isComplete);
		expect(list.readings()).toBe(expected);
	},
);

test('Each reading passes on all records', async () => {
	const list = changingList(1);
	await list.isComplete(4);
	expect(list.visited).toEqual(['other 1', '2', '3', '1', '2', '3', '1', '2', '3']);
});

test('A list of one page is read once, as nothing can move', async () => {
	let readings = 0;
	async function* read() {
		yield { rows: [{ id: `${++readings}` }] };
	}
	expect(await readUntilAgreed(read, () => undefined, { most: 4 })).toBe(true);
	expect(readings).toBe(1);
});

test('A single reading does not prove that a list of two pages is complete', async () => {
	const list = changingList(0);
	expect(await list.isComplete(1)).toBe(false);
	expect(list.readings()).toBe(1);
});

test.each([
	[9, 2],
	[10, 1],
	[6, 3],
])('A list that takes %i s to read is read %i times, within 20 s', async (seconds, readings) => {
	const list = changingList(9, seconds);
	expect(await list.isComplete(4)).toBe(false);
	expect(list.readings()).toBe(readings);
});
