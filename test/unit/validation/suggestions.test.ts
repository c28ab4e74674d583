import { nearest, suggest } from '../../../nodes/WorkspaceMessaging/validation/suggestions';

const named = (...names: string[]) => names.map((name) => ({ name }));
const near = (asked: string, ...names: string[]) => nearest(asked, named(...names)).map(({ name }) => name);

test.each([
	['letters that are swapped', 'VPI', ['VIP', 'Other'], ['VIP']],
	['a letter too many', 'Neewsletter', ['Newsletter'], ['Newsletter']],
	['a letter too few', 'Newsleter', ['Newsletter'], ['Newsletter']],
	['another letter', 'Gald', ['Gold', 'Golf club'], ['Gold']],
	['another case, dashes and blanks', 'follow_UP', ['Follow  up', 'Following'], ['Follow  up', 'Following']],
	['accents', 'Zurich', ['Zürich'], ['Zürich']],
	['part of the name', 'VIP', ['VIP 2024', 'Not a V.I.P.'], ['VIP 2024']],
	['more than the name', 'VIP customers', ['VIP', 'Customers'], ['Customers', 'VIP']],
	['a word of it', 'summer offer', ['Summer Sale', 'Winter Sale'], ['Summer Sale']],
	[
		'the most similar first',
		'Plan',
		['Planet', 'Plans', 'My plan', 'Plan'],
		['Plan', 'Plans', 'Planet', 'My plan'],
	],
])('%s', (_, asked, names, expected) => {
	expect(near(asked, ...names)).toEqual(expected);
});

test.each([
	['X', ['A', 'B', 'Extra']],
	['AB', ['CD', 'A', 'B']],
	['it', ['is', 'at last']],
	['VIP', ['Gold', 'Newsletter']],
	['', ['A']],
	['  ', ['A']],
])('nothing is near %p in %p', (asked, names) => {
	expect(near(asked, ...names)).toEqual([]);
});

test('an ID is near to none but itself', () => {
	const all = [
		{ name: 'Sale', id: '4711' },
		{ name: 'Other', id: '4712' },
	];
	expect(nearest('4711', all)).toEqual([all[0]]);
	expect(nearest('4713', all)).toEqual([]);
});

describe('in words', () => {
	test.each([
		['VPI', named('VIP', 'VIP 2024', 'Gold'), 'Near it: "VIP".'],
		['Gone', named('VIP', 'Gold'), 'The workspace has: "VIP", "Gold".'],
		['Gone', [], 'The workspace has no tags yet.'],
		['Sal', [{ name: 'Sale', id: '12' }], 'Near it: "Sale" (12).'],
		['Gone', named('A', 'B', 'C', 'D', 'F'), 'The workspace has: "A", "B", "C", "D", "F".'],
		[
			'Gone',
			named('A', 'B', 'C', 'D', 'F', 'G'),
			'The workspace has 6 tags, such as "A", "B", "C", "D", "F".',
		],
	])('%s', (asked, all, expected) => {
		expect(suggest(asked, all, 'tags')).toBe(expected);
	});

	test('no more than five, however many are near', () => {
		const all = named(...Array.from({ length: 1234 }, (_, n) => `Tag ${n}`));
		expect(suggest('Tag 12x', all, 'tags').match(/"/g)).toHaveLength(10);
		expect(suggest('Gone', all, 'tags')).toBe(
			'The workspace has 1,234 tags, such as "Tag 0", "Tag 1", "Tag 2", "Tag 3", "Tag 4".',
		);
	});

	test('of a list that is cut', () => {
		const all = named(...Array.from({ length: 50 }, (_, n) => `Tag ${n}`));
		expect(suggest('Gone', all, 'tags', 50)).toBe(
			'The service shows only its first 50 tags. Among them: "Tag 0", "Tag 1", "Tag 2", "Tag 3", "Tag 4".',
		);
		expect(suggest('Tag 49x', all, 'tags', 50)).toMatch(
			/^The service shows only its first 50 tags\. Near it: "Tag 49"/,
		);
	});

	test('long names are shortened, names of several lines stand in one, HTML is left out', () => {
		const all = named('x'.repeat(255), 'two\nlines', '<b>bold</b>');
		expect(suggest('Gone', all, 'tags')).toBe(`The workspace has: "${'x'.repeat(60)}…", "two lines".`);
		expect(suggest('bold', all, 'tags')).not.toContain('<b>');
	});
});

test('ten thousand names of any length take no time', () => {
	const all = named(...Array.from({ length: 10_000 }, (_, n) => `${n} ${'long name '.repeat(25)}`));
	const start = performance.now();
	nearest('z'.repeat(5000), all);
	expect(performance.now() - start).toBeLessThan(5000);
});
