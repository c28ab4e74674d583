import fc from 'fast-check';
import { compareWithSnapshot } from '../../../../nodes/WorkspaceMessaging/trigger/changes/snapshot';
import type { Snapshot } from '../../../../nodes/WorkspaceMessaging/trigger/changes/snapshot';
import { caseCount } from '../../../support/cases';

type Records = Record<string, string[]>;

const values = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', '7301444403311000001'), {
	maxLength: 5,
});
const records = fc.dictionary(fc.stringMatching(/^[0-9]{1,20}$/), values, { maxKeys: 40 });

const DAY_MS = 86_400_000;

/** Compares a list of entries, each an ID with its values, with the last snapshot. */
async function compareEntries(entries: Array<[id: string, values: string[]]>, last?: Snapshot) {
	async function* read() {
		yield { rows: entries.map(([id, own]) => ({ id, own })) };
	}
	const { changes, snapshot } = await compareWithSnapshot(read, ({ own }) => own as string[], last);
	return {
		changes: changes.map(({ record: { id }, added, removed }) => ({ id, added, removed })),
		snapshot: JSON.parse(JSON.stringify(snapshot)) as Snapshot,
	};
}
const compare = async (now: Records, last?: Snapshot) =>
	await compareEntries(Object.entries(now), last);

afterEach(() => jest.useRealTimers());

describe('The snapshot', () => {
	test('shows exactly which values each record gained and lost', async () => {
		const without = (list: string[], other: string[] = []) =>
			list.filter((value) => !other.includes(value));
		await fc.assert(
			fc.asyncProperty(records, records, async (before, after) => {
				const { changes } = await compare(after, (await compare(before)).snapshot);
				const expected = Object.entries(after).map(([id, own]) => ({
					id,
					added: without(own, before[id]).sort(),
					removed: without(before[id] ?? [], own).sort(),
				}));
				expect(
					changes.map(({ id, added, removed }) => ({
						id,
						added: added.sort(),
						removed: removed.sort(),
					})),
				).toEqual(expected.filter(({ added, removed }) => added.length + removed.length > 0));
			}),
		);
	});

	test('stays the same in any order of the list and if nothing changed', async () => {
		await fc.assert(
			fc.asyncProperty(records, async (now) => {
				const { snapshot } = await compare(now);
				const reversed = Object.entries(now).map(([id, own]): [string, string[]] => [
					id,
					[...own].reverse(),
				]);
				expect((await compareEntries(reversed.reverse())).snapshot).toEqual(snapshot);
				expect((await compare(now, snapshot)).snapshot).toEqual(snapshot);
			}),
		);
	});

	test('counts a record once if the list holds it twice', async () => {
		const { snapshot } = await compare({});
		const { changes } = await compareEntries(
			[
				['1', ['a']],
				['1', ['b']],
			],
			snapshot,
		);
		expect(changes).toEqual([{ id: '1', added: ['a'], removed: [] }]);
	});

	test.each([
		{ days: 29, remembers: true },
		{ days: 30, remembers: false },
	])(
		'remembers a record that the list lacks for $days days: $remembers',
		async ({ days, remembers }) => {
			jest.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12) });
			let { snapshot } = await compare({ 1: ['a'], 2: ['b'] });
			({ snapshot } = await compare({ 2: ['b'] }, snapshot));
			jest.setSystemTime(Date.now() + days * DAY_MS);
			({ snapshot } = await compare({ 2: ['b'] }, snapshot));
			expect(snapshot.values).toEqual(remembers ? ['a', 'b'] : ['b']);
			const { changes } = await compare({ 1: ['a'] }, snapshot);
			expect(changes).toEqual(remembers ? [] : [{ id: '1', added: ['a'], removed: [] }]);
		},
	);

	test('remembers a record for another 30 days if it returned meanwhile', async () => {
		jest.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12) });
		let { snapshot } = await compare({ 1: ['a'], 2: ['b'] });
		const lists: Records[] = [{ 2: ['b'] }, { 1: ['a'], 2: ['b'] }, { 2: ['b'] }];
		for (const now of lists) {
			({ snapshot } = await compare(now, snapshot));
			jest.setSystemTime(Date.now() + 20 * DAY_MS);
		}
		({ snapshot } = await compare({ 2: ['b'] }, snapshot));
		expect((await compare({ 1: ['a'] }, snapshot)).changes).toEqual([]);
	});

	test('forgets nothing while the list is empty', async () => {
		jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
		const { snapshot } = await compare({ 1: ['a'], 2: ['b'] });
		jest.setSystemTime(Date.now() + 100 * DAY_MS);
		const empty = await compare({}, snapshot);
		expect((await compare({}, empty.snapshot)).snapshot).toEqual(snapshot);
	});

	test('takes less than ten characters per record', async () => {
		const many = Object.fromEntries(
			Array.from({ length: 20_000 }, (_, index) => [
				`${index * 7919}`,
				[`${index % 8}`, `more ${index % 20}`],
			]),
		);
		expect(JSON.stringify((await compare(many)).snapshot).length / 20_000).toBeLessThan(10);
	});

	const most = caseCount({ few: 20_000, many: 100_000 });

	test(`compares ${most} records`, async () => {
		const many = Object.fromEntries(
			Array.from({ length: most }, (_, index) => [`7301444403${index}`, [`${index % 8}`]]),
		);
		const { snapshot } = await compare(many);
		expect((await compare(many, snapshot)).snapshot).toEqual(snapshot);
	});
});
