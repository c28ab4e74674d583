import type { IDataObject } from 'n8n-workflow';
import { getContact, listContacts, listTags, listTeams } from '../../nodes/WorkspaceMessaging/contract';
import { callOf } from '../../nodes/WorkspaceMessaging/routing/call';
import type { Call, Caller } from '../../nodes/WorkspaceMessaging/routing/client';
import { readList, recordOf, rowsOf } from '../../nodes/WorkspaceMessaging/routing/pages';

const rows = (from: number, to: number) =>
	Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ id: String(from + index) }));

interface Server {
	total: number;
	/** Records that a page has at most. */
	cap?: number;
	/** How the pages are counted; not at all when left out. */
	count?: (perPage: number, asked: number) => number;
	bare?: boolean;
}

/** A service that answers from memory and notes which pages it was asked for. */
function serve({ total, cap = Infinity, count, bare }: Server) {
	const pages: number[] = [];
	const caller: Caller = {
		async send({ query }: Call) {
			await Promise.resolve();
			const { page, perPage: asked } = query as { page: number; perPage: number };
			const perPage = Math.min(asked, cap);
			pages.push(page);
			const data = rows((page - 1) * perPage, Math.min(page * perPage, total));
			return bare ? data : { data, ...(count && { pageCount: count(perPage, asked) }) };
		},
	};
	return { caller, pages };
}

const right = (total: number) => (perPage: number) => Math.ceil(total / perPage);
const fromAsked = (total: number) => (_: number, asked: number) => Math.ceil(total / asked);

describe.each([0, 1, 99, 100, 101, 350])('a list of %d', (total) => {
	test.each<[string, Omit<Server, 'total'>]>([
		['counted', { count: right(total) }],
		['counted, 7 a page', { count: right(total), cap: 7 }],
		['counted by what was asked, 50 a page', { count: fromAsked(total), cap: 50 }],
		['counted by what was asked, 7 a page', { count: fromAsked(total), cap: 7 }],
		['counted as none', { count: () => 0 }],
		['counted too high', { count: () => 50 }],
		['counted too low', { count: () => 1, cap: 50 }],
		['not counted', {}],
		['not counted, 7 a page', { cap: 7 }],
		['bare', { bare: true }],
	])('%s, is read to its end', async (_, server) => {
		const { caller } = serve({ total, ...server });
		expect(await readList(caller, callOf(listContacts))).toEqual(rows(0, total));
	});

	test.each([1, 60, 250])('is read up to %d', async (limit) => {
		for (const server of [{}, { cap: 50 }, { count: right(total) }, { count: right(total), cap: 50 }]) {
			const { caller, pages } = serve({ total, ...server });
			const wanted = Math.min(limit, total);
			expect(await readList(caller, callOf(listContacts), limit)).toEqual(rows(0, wanted));
			const size = Math.min(limit, 100, server.cap ?? Infinity);
			expect(pages.length).toBeLessThanOrEqual(Math.ceil(wanted / size) + (wanted < limit ? 1 : 0) || 1);
		}
	});
});

test('a list that is one page is asked for once, without paging', async () => {
	const queries: unknown[] = [];
	const caller: Caller = {
		send: async ({ query }) => {
			queries.push(query);
			return await Promise.resolve({ data: rows(0, 3) });
		},
	};
	expect(await readList(caller, callOf(listTeams), 2)).toEqual(rows(0, 2));
	expect(queries).toEqual([undefined]);
});

test('the start page and the page size are those of the query', async () => {
	const { caller, pages } = serve({ total: 50, count: right(50) });
	const call = callOf(listContacts, { query: { page: 3, perPage: 10 } });
	expect(await readList(caller, call)).toEqual(rows(20, 50));
	expect(pages.sort()).toEqual([3, 4, 5]);
});

test('a huge number of pages is not believed', async () => {
	const { caller, pages } = serve({ total: 150, count: () => Number.MAX_SAFE_INTEGER });
	expect(await readList(caller, callOf(listContacts))).toEqual(rows(0, 150));
	expect(pages.length).toBeLessThan(100);
});

test('an empty page is not the end where the service counts its pages', async () => {
	const pages: number[] = [];
	const caller: Caller = {
		async send({ query }) {
			const { page } = query as { page: number };
			pages.push(page);
			const data = page % 3 === 2 && page <= 60 ? rows(page, page + 1) : [];
			return await Promise.resolve({ data, pageCount: 60 });
		},
	};
	const found = Array.from({ length: 20 }, (_, index) => ({ id: String(3 * index + 2) }));
	expect(await readList(caller, callOf(listContacts))).toEqual(found);
	expect(await readList(caller, callOf(listContacts), 15)).toEqual(found.slice(0, 15));
});

test('records without an ID are told apart by what they hold', async () => {
	const data = [{ name: 'a' }, { name: 'b' }, { name: 'a' }];
	const caller: Caller = { send: async () => await Promise.resolve({ data }) };
	expect(await readList(caller, callOf(listTags))).toEqual([{ name: 'a' }, { name: 'b' }]);
});

test('a page that fails fails the list', async () => {
	const caller: Caller = {
		send: async ({ query }) => {
			if ((query as IDataObject).page === 2) throw new Error('No');
			return await Promise.resolve({ data: rows(0, 100), pageCount: 3 });
		},
	};
	await expect(readList(caller, callOf(listContacts))).rejects.toThrow('No');
});

const notUnderstood = 'The service answered in a form that this operation does not understand.';

test.each([
	[{ data: [{ id: '1' }] }, [{ id: '1' }]],
	[[{ id: '1' }], [{ id: '1' }]],
	[{ data: [] }, []],
	[[], []],
	[{ id: '1' }, [{ id: '1' }]],
	[{ data: { id: '1' } }, [{ id: '1' }]],
])('the rows of %j', (body, found) => {
	expect(rowsOf(body)).toEqual(found);
});

test.each([
	undefined,
	null,
	'text',
	42,
	{},
	{ data: null },
	{ data: 'x' },
	{ data: [1] },
	[[]],
	{ data: {} },
])('no rows: %j', (body) => {
	expect(() => rowsOf(body)).toThrow(notUnderstood);
});

test.each([[{ id: '1', data: {} }], [{ data: { id: '1', data: {} } }]])('the record of %j', (body) => {
	expect(recordOf(body, callOf(getContact))).toEqual({ id: '1', data: {} });
});

test.each([
	undefined,
	null,
	'text',
	{},
	[],
	[{ id: '1' }],
	{ data: null },
	{ data: [] },
	{ data: { name: 'x' } },
])('no record: %j', (body) => {
	expect(() => recordOf(body, callOf(getContact))).toThrow(notUnderstood);
});
