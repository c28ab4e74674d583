import fc from 'fast-check';
import { Snapshot } from '../../../nodes/WorkspaceMessaging/trigger/snapshot';
import type { StoredSnapshot } from '../../../nodes/WorkspaceMessaging/trigger/snapshot';

type Records = Record<string, string[]>;

const values = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', '7301444403311000001'), { maxLength: 5 });
const records = fc.dictionary(fc.stringMatching(/^[0-9]{1,20}$/), values, { maxKeys: 40 });

const DAY_MS = 86_400_000;

/** Adds the records of a list, and returns what has changed and what is remembered. */
const remember = (now: Records, stored?: StoredSnapshot) => {
	const snapshot = new Snapshot(stored);
	const changes = Object.entries(now).map(([id, own]) => ({ id, ...snapshot.add(id, own)! }));
	return { changes, stored: JSON.parse(JSON.stringify(snapshot.toStored())) as StoredSnapshot };
};

afterEach(() => jest.useRealTimers());

test('says exactly how values have changed, after it was stored', () => {
	fc.assert(
		fc.property(records, records, (before, after) => {
			const { stored } = remember(before);
			for (const { id, added, removed } of remember(after, stored).changes) {
				const old = before[id] ?? [];
				expect(added.sort()).toEqual(after[id].filter((value) => !old.includes(value)).sort());
				expect(removed.sort()).toEqual(old.filter((value) => !after[id].includes(value)).sort());
			}
		}),
	);
});

test('is the same whatever the order, and when nothing has changed', () => {
	fc.assert(
		fc.property(records, (now) => {
			const { stored } = remember(now);
			const reversed = Object.fromEntries(
				Object.entries(now)
					.reverse()
					.map(([id, own]) => [id, [...own].reverse()]),
			);
			expect(remember(reversed).stored).toEqual(stored);
			expect(remember(now, stored).stored).toEqual(stored);
		}),
	);
});

test('a record is added once', () => {
	const snapshot = new Snapshot();
	expect(snapshot.add('1', ['a'])).toEqual({ added: ['a'], removed: [] });
	expect(snapshot.add('1', ['b'])).toBeUndefined();
});

test.each([
	[29, []],
	[30, ['a']],
])('a record that is missing for %i days', (days, added) => {
	jest.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12) });
	let { stored } = remember({ 1: ['a'], 2: ['b'] });
	({ stored } = remember({ 2: ['b'] }, stored));
	jest.setSystemTime(Date.now() + days * DAY_MS);
	({ stored } = remember({ 2: ['b'] }, stored));
	expect(stored.values).toEqual(days < 30 ? ['a', 'b'] : ['b']);
	expect(remember({ 1: ['a'] }, stored).changes).toEqual([{ id: '1', added, removed: [] }]);
});

test('a record that was back meanwhile is remembered for as long again', () => {
	jest.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12) });
	let { stored } = remember({ 1: ['a'], 2: ['b'] });
	const lists: Records[] = [{ 2: ['b'] }, { 1: ['a'], 2: ['b'] }, { 2: ['b'] }];
	for (const now of lists) {
		({ stored } = remember(now, stored));
		jest.setSystemTime(Date.now() + 20 * DAY_MS);
	}
	({ stored } = remember({ 2: ['b'] }, stored));
	expect(remember({ 1: ['a'] }, stored).changes[0].added).toEqual([]);
});

test('nothing is forgotten while the list is empty', () => {
	jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
	const { stored } = remember({ 1: ['a'], 2: ['b'] });
	jest.setSystemTime(Date.now() + 100 * DAY_MS);
	expect(remember({}, remember({}, stored).stored).stored).toEqual(stored);
});

test('takes some nine characters a record, however many there are', () => {
	const many = Object.fromEntries(
		Array.from({ length: 20_000 }, (_, index) => [`${index * 7919}`, [`${index % 8}`, `more ${index % 20}`]]),
	);
	expect(JSON.stringify(remember(many).stored).length / 20_000).toBeLessThan(10);
});

test('100,000 contacts are compared', () => {
	const many = Object.fromEntries(
		Array.from({ length: 100_000 }, (_, index) => [`7301444403${index}`, [`${index % 8}`]]),
	);
	const { stored } = remember(many);
	expect(remember(many, stored).stored).toEqual(stored);
});
