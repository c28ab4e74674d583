import fc from 'fast-check';
import { Ledger } from '../../nodes/WorkspaceMessaging/trigger/ledger';

type Records = Record<string, string[]>;

const marks = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', '7301444403311000001'), { maxLength: 5 });
const records = fc.dictionary(fc.stringMatching(/^[0-9]{1,20}$/), marks, { maxKeys: 40 });

const remember = (now: Records, stored?: ReturnType<Ledger['close']>) => {
	const ledger = new Ledger(stored);
	const changes = Object.entries(now).map(([id, own]) => ({ id, ...ledger.enter(id, own)! }));
	return { changes, stored: JSON.parse(JSON.stringify(ledger.close())) as ReturnType<Ledger['close']> };
};

test('says exactly how marks have changed, after it was stored', () => {
	fc.assert(
		fc.property(records, records, (before, after) => {
			const { stored } = remember(before);
			for (const { id, added, removed } of remember(after, stored).changes) {
				const old = before[id] ?? [];
				expect(added.sort()).toEqual(after[id].filter((mark) => !old.includes(mark)).sort());
				expect(removed.sort()).toEqual(old.filter((mark) => !after[id].includes(mark)).sort());
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

test('a record is entered once', () => {
	const ledger = new Ledger();
	expect(ledger.enter('1', ['a'])).toEqual({ added: ['a'], removed: [] });
	expect(ledger.enter('1', ['b'])).toBeUndefined();
});

test('a record that is missing is remembered for ten thousand polls', () => {
	let { stored } = remember({ 1: ['a'], 2: ['b'] });
	for (let poll = 0; poll < 10_000; poll++) ({ stored } = remember({ 2: ['b'] }, stored));
	expect(remember({ 1: ['a'] }, stored).changes).toEqual([{ id: '1', added: [], removed: [] }]);
	({ stored } = remember({ 2: ['b'] }, stored));
	expect(remember({ 1: ['a'] }, stored).changes).toEqual([{ id: '1', added: ['a'], removed: [] }]);
	expect(stored.marks).toEqual(['b']);
});

test('nothing is forgotten while the list is empty', () => {
	const { stored } = remember({ 1: ['a'], 2: ['b'] });
	let later = stored;
	for (let poll = 0; poll < 200; poll++) ({ stored: later } = remember({}, later));
	expect(later).toEqual(stored);
});

test('takes some nine characters a record, however many there are', () => {
	const many = Object.fromEntries(
		Array.from({ length: 20_000 }, (_, index) => [`${index * 7919}`, [`${index % 8}`]]),
	);
	expect(remember(many).stored.records.length / 20_000).toBeLessThan(10);
});
