import type { IDataObject } from 'n8n-workflow';
import type { Faults } from '../../../sandbox/options';
import { casesOf, pairs } from '../../support/cases';
import { fromItem, idsOf, queryOf, received } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

/** Whole records: nothing has to be looked up for them. */
const many = (resource: string, parameters = {}) => ({
	resource,
	operation: 'getAll',
	simplify: false,
	...parameters,
});
const all = (resource: string, parameters = {}) =>
	many(resource, { returnAll: true, ...parameters });

/** The pages that were asked for. */
const pagesOf = (requests: Awaited<ReturnType<typeof received>>) =>
	requests
		.map((request) => Number(Object.fromEntries(queryOf(request)).page))
		.sort((a, b) => a - b);

const servers: Array<[string, Faults]> = [
	['as documented', {}],
	['that gives at most 50 a page', { maxPerPage: 50 }],
	['that gives at most 7 a page', { maxPerPage: 7 }],
	['without pageCount', { pageCount: 'nowhere' }],
	['without pageCount that gives at most 7 a page', { pageCount: 'nowhere', maxPerPage: 7 }],
	['with pageCount everywhere', { pageCount: 'everywhere' }],
	[
		'with pageCount everywhere that gives at most 7 a page',
		{ pageCount: 'everywhere', maxPerPage: 7 },
	],
	['that counts pages by what was asked and gives 50', { pageCount: 'fromAsked', maxPerPage: 50 }],
	['that counts pages by what was asked and gives 7', { pageCount: 'fromAsked', maxPerPage: 7 }],
	['that answers with bare lists', { bareArrays: true }],
	['that answers with bare lists of at most 7', { bareArrays: true, maxPerPage: 7 }],
];

describe.each(servers)('Return All is complete on a server %s', (_, faults) => {
	test('lists all contacts', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 250, faults });
		const { json, error } = await run(all('contact'));
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(idsOf((await workspace.state()).contacts).reverse());
	});
});

const collections = {
	tag: 'tags',
	customField: 'customFields',
	member: 'members',
	channel: 'channels',
	broadcast: 'broadcasts',
	flow: 'flows',
} as const;

test.each(
	pairs(servers, Object.keys(collections) as Array<keyof typeof collections>).map(
		([[server, faults], resource]) => [server, resource, faults] as const,
	),
)('Return All is complete on a server %s: it lists every %s', async (_, resource, faults) => {
	const collection = collections[resource];
	const { workspace, run } = await testWorkspace({ counts: { [collection]: 120 }, faults });
	const { json, error } = await run(all(resource));
	expect(error).toBeUndefined();
	expect(idsOf(json)).toEqual(idsOf((await workspace.state())[collection]));
});

/** The lists of newer and older services with more records than one page, or than they count. */
describe.each([
	['newer', {}],
	['newer', { countCap: 50 }],
	['older', {}],
] as const)('Return All is complete on a %s service (%p)', (service, options) => {
	const records = 130;

	test.each([
		// Pages of one record take many requests.
		...casesOf<[number, number]>([], [[1, 55]]),
		[5, 55],
		[50, records],
		[51, records],
		[60, records],
		[100, records],
		[1000, records],
	])('lists contacts, %d a page, of %d', async (perPage, contacts) => {
		const { workspace, run } = await testWorkspace({ service, contacts, ...options });
		const before = idsOf((await workspace.state()).contacts);
		const { json, error } = await run(all('contact', { options: { perPage } }));
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(expect.arrayContaining(before));
		expect(new Set(idsOf(json)).size).toBe(json.length);
	});

	const without = {
		newer: ['channels'],
		// Older services list channels, broadcasts and sequences for people who are logged in alone, and
		// tags and custom fields up to 50.
		older: ['channels', 'broadcasts', 'sequences', 'tags', 'customFields'],
	}[service];
	const lists = [
		['tag', 'tags'],
		['customField', 'customFields'],
		['member', 'members'],
		['broadcast', 'broadcasts'],
		['sequence', 'sequences'],
		['flow', 'flows'],
	] as const;

	test.each(lists.filter(([, collection]) => !without.includes(collection)))(
		'%s',
		async (resource, collection) => {
			const { workspace, run } = await testWorkspace({
				service,
				counts: { [collection]: records },
				...options,
			});
			const { json, error, hints } = await run(all(resource));
			expect(error).toBeUndefined();
			const { [collection]: kept } = await workspace.state();
			const listed = (kept as Array<{ id: string; active?: boolean }>).filter(
				({ active }) => collection !== 'flows' || active !== false,
			);
			expect(new Set(idsOf(json))).toEqual(new Set(idsOf(listed)));
			expect(json).toHaveLength(listed.length);
			expect(hints).toEqual([]);
		},
	);
});

test.each(['newer', 'older'] as const)(
	'Return All is complete on a %s service while new contacts push the others down (difference 4)',
	async (service) => {
		const faults = { growWhilePaging: true };
		const { workspace, run } = await testWorkspace({ service, contacts: 130, faults });
		const before = idsOf((await workspace.state()).contacts);
		for (const perPage of casesOf([50], [7, 20, 100])) {
			const { json } = await run(all('contact', { options: { perPage } }));
			expect(idsOf(json)).toEqual(expect.arrayContaining(before));
			expect(new Set(idsOf(json)).size).toBe(json.length);
		}
	},
);

test.each(
	(['reference', 'newer', 'older'] as const).flatMap((service) => [
		[service, 'tag', 'tags'] as const,
		[service, 'customField', 'customFields'] as const,
	]),
)(
	'Keyword lists only records whose name contains it: on a %s service, %s (difference 16)',
	async (service, resource, collection) => {
		const { workspace, run } = await testWorkspace({ service, counts: { [collection]: 0 } });
		for (const name of ['Plan', 'City', 'Floor plan'])
			await workspace.add(collection, {
				name,
				...(collection === 'customFields' && { type: 'shortText' }),
			} as never);
		const { json } = await run(all(resource, { filters: { keyword: 'plan' } }));
		expect(json.map(({ name }) => name).sort()).toEqual(['Floor plan', 'Plan']);
		const first = await run(many(resource, { limit: 1, filters: { keyword: 'city' } }));
		expect(first.json.map(({ name }) => name)).toEqual(['City']);
		const one = await run(many(resource, { limit: 1, filters: { keyword: 'plan' } }));
		expect(one.json).toHaveLength(1);
	},
);

describe('Lists without pages (difference 5)', () => {
	test.each([
		[49, 49, false],
		[50, 50, true],
		[51, 50, true],
	])(
		'of %d tags, the service lists %d; a hint says that some may be missing: %p',
		async (tags, listed, isTold) => {
			const { workspace, run } = await testWorkspace({ service: 'older', counts: { tags } });
			const { json, hints } = await run(all('tag'));
			expect(json).toHaveLength(listed);
			expect(hints).toEqual(
				isTold
					? [
							'This service lists only 50 tags. If the workspace has more, the others are missing here.',
						]
					: [],
			);
			expect(await received(workspace)).toHaveLength(2);
		},
	);

	test('name custom fields in the hint', async () => {
		const { run } = await testWorkspace({ service: 'older', counts: { customFields: 51 } });
		const { hints } = await run(all('customField'));
		expect(hints).toEqual([expect.stringContaining('only 50 custom fields')]);
	});

	test('have no hint if Limit is at most 50', async () => {
		const { run } = await testWorkspace({ service: 'older', counts: { tags: 60 } });
		const { json, hints } = await run(many('tag', { limit: 50 }));
		expect(json).toHaveLength(50);
		expect(hints).toEqual([]);
	});
});

test.each([0, 1, 100, 101, 200])('Return All reads each of %d records once', async (contacts) => {
	const { run } = await testWorkspace({ contacts });
	const { json } = await run(all('contact'));
	expect(new Set(idsOf(json)).size).toBe(contacts);
});

test.each([
	// The first page again, because records may have moved.
	[{}, [1, 1, 2, 3]],
	[{ pageCount: 'nowhere' } as const, [1, 2, 3, 4]],
])('Return All reads no more pages than it must (%p)', async (faults, pages) => {
	const { workspace, run } = await testWorkspace({ contacts: 250, faults });
	await run(all('contact'));
	expect(pagesOf(await received(workspace))).toEqual(pages);
});

test('Return All reads pages at the same time if the service sends pageCount', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 1000, faults: { latencyMs: 30 } });
	await run(all('contact'));
	expect((await workspace.summary()).maxInFlight).toBeGreaterThan(4);
});

test('Page Size and Start Page set the pages that are read', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 60 });
	const { json } = await run(all('contact', { options: { perPage: 20, page: 2 } }));
	expect(idsOf(json)).toEqual(
		idsOf((await workspace.state()).contacts)
			.reverse()
			.slice(20),
	);
	expect(
		(await received(workspace)).map((request) => Object.fromEntries(queryOf(request))),
	).toEqual([
		{ page: '2', perPage: '20' },
		{ page: '3', perPage: '20' },
		// The first page again, because records may have moved.
		{ page: '2', perPage: '20' },
		// A full last page is followed by another: the service may have stopped counting.
		{ page: '4', perPage: '20' },
	]);
});

describe('Limit reads no more pages than it takes', () => {
	test.each([
		['less than a page', 10, {}, [1]],
		['exactly what one page can hold', 100, {}, [1]],
		// The first page is read again, because records may have moved.
		['more than one page', 150, {}, [1, 1, 2]],
		['on a server of 50 a page', 120, { maxPerPage: 50 }, [1, 1, 2, 3]],
		['exactly what there is', 250, {}, [1, 1, 2, 3]],
		['without pageCount', 150, { pageCount: 'nowhere' } as const, [1, 2]],
		[
			'without pageCount, of 50 a page',
			120,
			{ pageCount: 'nowhere', maxPerPage: 50 } as const,
			[1, 2, 3],
		],
		['of bare lists', 101, { bareArrays: true }, [1, 2]],
	])('%s', async (_, limit, faults, pages) => {
		const { workspace, run } = await testWorkspace({ contacts: 250, faults });
		const { json } = await run(many('contact', { limit }));
		expect(idsOf(json)).toEqual(
			idsOf((await workspace.state()).contacts)
				.reverse()
				.slice(0, limit),
		);
		expect(pagesOf(await received(workspace))).toEqual(pages);
	});

	test('more than the records that exist', async () => {
		const { run } = await testWorkspace({ contacts: 30 });
		expect((await run(many('contact', { limit: 1000 }))).json).toHaveLength(30);
	});

	test('with a page size of its own', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 60 });
		const { json } = await run(many('contact', { limit: 25, options: { perPage: 10 } }));
		expect(json).toHaveLength(25);
		expect(pagesOf(await received(workspace))).toEqual([1, 1, 2, 3]);
	});
});

describe('No record comes twice', () => {
	test.each([
		['with pageCount', {}],
		['without pageCount', { pageCount: 'nowhere' } as const],
		['of 50 a page', { maxPerPage: 50 }],
	])('and none is lost when rows move while the list is read, %s', async (_, faults) => {
		const { workspace, run } = await testWorkspace({
			contacts: 200,
			faults: { ...faults, growWhilePaging: true },
		});
		const before = idsOf((await workspace.state()).contacts);
		const ids = idsOf((await run(all('contact'))).json);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(expect.arrayContaining(before));
	});

	test.each([
		['with pageCount', {}],
		['without pageCount', { pageCount: 'nowhere' } as const],
		['of bare lists', { bareArrays: true }],
	])('when every page is the first, %s', async (_, faults) => {
		const { workspace, run } = await testWorkspace({
			contacts: 250,
			faults: { ...faults, ignorePaging: true },
		});
		const { json } = await run(all('contact'));
		expect(idsOf(json)).toEqual(
			idsOf((await workspace.state()).contacts)
				.reverse()
				.slice(0, 100),
		);
	});
});

describe('With several items', () => {
	test('each output item is linked to the item that asked for it', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		await workspace.addContacts([
			{ firstName: 'Ana' },
			{ firstName: 'Ben' },
			{ firstName: 'Ana' },
			{ firstName: 'Ana' },
		]);
		const { outputs } = await run(all('contact', { filters: { keyword: fromItem('name') } }), [
			{ name: 'Ana' },
			{ name: 'Nobody' },
			{ name: 'Ben' },
		]);
		const links = outputs[0].map(({ json, pairedItem }) => [json.firstName, pairedItem]);
		expect(links).toEqual([
			['Ana', { item: 0 }],
			['Ana', { item: 0 }],
			['Ana', { item: 0 }],
			['Ben', { item: 2 }],
		]);
	});

	test('each item has its own Limit', async () => {
		const { run } = await testWorkspace({ contacts: 10 });
		const { outputs } = await run(many('contact', { limit: fromItem('count') }), [
			{ count: 1 },
			{ count: 3 },
		]);
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 1 },
			{ item: 1 },
		]);
	});

	test('an empty list outputs no items', async () => {
		const { run } = await testWorkspace({ empty: true });
		const { outputs, error } = await run(all('tag'), [{}, {}] as IDataObject[]);
		expect(error).toBeUndefined();
		expect(outputs.flat()).toEqual([]);
	});
});
