import { nearest, suggest } from '../../../nodes/WorkspaceMessaging/values/suggestions';

const named = (...names: string[]) => names.map((name) => ({ name }));

describe('nearest', () => {
	const near = (asked: string, ...names: string[]) =>
		nearest(asked, named(...names)).map(({ name }) => name);

	test.each([
		['two letters in the wrong order', 'VPI', ['Gold', 'VIP'], ['VIP']],
		['a letter too few', 'Newsleter', ['Newsletter'], ['Newsletter']],
		[
			'another case, dashes and blanks',
			'follow_UP',
			['Follow  up', 'Following'],
			['Follow  up', 'Following'],
		],
		['accents', 'Zurich', ['Zürich'], ['Zürich']],
		['more letters than asked', 'VIP', ['Not a VIP', 'VIP 2024'], ['VIP 2024']],
		['fewer letters than asked', 'VIP customers', ['VIP', 'Customers'], ['VIP']],
		[
			'the longest shared beginning first',
			'Plan',
			['Pla', 'Planet', 'Plans'],
			['Planet', 'Plans', 'Pla'],
		],
		['as few letters as asked', 'AB', ['ABC', 'A', 'B'], ['ABC']],
	])('returns names that are alike: %s', (_, asked, names, expected) => {
		expect(near(asked, ...names)).toEqual(expected);
	});

	test.each([
		['X', ['A', 'B', 'Extra']],
		['AB', ['CD', 'A', 'B']],
		['it', ['is', 'at last']],
		['VIP', ['Gold', 'Newsletter']],
		['', ['A']],
		['  ', ['A']],
	])('returns nothing for %p in %p', (asked, names) => {
		expect(near(asked, ...names)).toEqual([]);
	});

	test('compares an ID as a whole', () => {
		const all = [
			{ name: 'Sale', id: '4711' },
			{ name: 'Other', id: '4712' },
		];

		expect([nearest('4711', all), nearest('4713', all)]).toEqual([[all[0]], []]);
	});

	test('compares ten thousand names of any length in no time', () => {
		const all = named(
			...Array.from({ length: 10_000 }, (_, n) => `${n} ${'long name '.repeat(25)}`),
		);
		const start = performance.now();

		nearest('z'.repeat(5000), all);

		expect(performance.now() - start).toBeLessThan(5000);
	});
});

describe('suggest', () => {
	const tags = (count: number) => named(...Array.from({ length: count }, (_, n) => `Tag ${n}`));

	test.each([
		['VIPs', named('VIP', 'Gold', 'VIP 2024'), 'Similar: "VIP", "VIP 2024".'],
		['Gone', named('VIP', 'Gold'), 'The workspace has: "VIP", "Gold".'],
		['Gone', [], 'The workspace has no tags yet.'],
		['Sal', [{ name: 'Sale', id: '12' }], 'Similar: "Sale" (12).'],
		['Gone', named('A', 'B', 'C', 'D', 'F'), 'The workspace has: "A", "B", "C", "D", "F".'],
		[
			'Gone',
			named('A', 'B', 'C', 'D', 'F', 'G'),
			'The workspace has 6 tags, such as "A", "B", "C", "D", "F".',
		],
		[
			'Gone',
			tags(1234),
			'The workspace has 1,234 tags, such as "Tag 0", "Tag 1", "Tag 2", "Tag 3", "Tag 4".',
		],
	])('%#: for %p, says what exists', (asked, all, expected) => {
		expect(suggest(asked, all, 'tags')).toBe(expected);
	});

	test('names five at most, however many begin alike', () => {
		expect(suggest('Tag 12x', tags(1234), 'tags').match(/"/g)).toHaveLength(10);
	});

	test.each([
		['Gone', 'Among them: "Tag 0", "Tag 1", "Tag 2", "Tag 3", "Tag 4".'],
		['Tag 49x', 'Similar: "Tag 49", "Tag 4", "Tag 40", "Tag 41", "Tag 42".'],
	])('says, for %p, if the service lists only the first records', (asked, expected) => {
		expect(suggest(asked, tags(50), 'tags', 50)).toBe(
			`The service only lists its first 50 tags. ${expected}`,
		);
	});

	test('cuts long names, writes names of several lines in one, and leaves out HTML', () => {
		const all = named('x'.repeat(255), 'two\nlines', '<b>bold</b>');

		expect(suggest('Gone', all, 'tags')).toBe(
			`The workspace has: "${'x'.repeat(60)}…", "two lines".`,
		);
		expect(suggest('bold', all, 'tags')).not.toContain('<b>');
	});
});
