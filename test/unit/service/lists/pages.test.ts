import type { IDataObject } from 'n8n-workflow';
import { contactApi } from '../../../../nodes/WorkspaceMessaging/contract/contact';
import { tagApi } from '../../../../nodes/WorkspaceMessaging/contract/tag';
import { workspaceApi } from '../../../../nodes/WorkspaceMessaging/contract/workspace';
import { ApiError } from '../../../../nodes/WorkspaceMessaging/transport/errors/ApiError';
import { readPagedList } from '../../../../nodes/WorkspaceMessaging/service/lists/pages';
import {
	readRecord,
	readRecords,
} from '../../../../nodes/WorkspaceMessaging/service/lists/records';
import { Service } from '../../../../nodes/WorkspaceMessaging/transport/request';
import type {
	Requester,
	RequestParts,
} from '../../../../nodes/WorkspaceMessaging/transport/request';

/** What contacts show where nothing has to be asked for. */
const related = { tags: [], contactCustomFields: [], contactInboxes: [], conversation: null };

const rows = (from: number, to: number) =>
	Array.from({ length: Math.max(0, to - from) }, (_, index) => ({
		id: String(from + index),
		...related,
	}));

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
	const client: Requester = {
		service: new Service(),
		async request(_, { query }: RequestParts = {}) {
			await Promise.resolve();
			const { page, perPage: asked } = query as { page: number; perPage: number };
			const perPage = Math.min(asked, cap);
			pages.push(page);
			const data = rows((page - 1) * perPage, Math.min(page * perPage, total));
			return bare ? data : { data, ...(count && { pageCount: count(perPage, asked) }) };
		},
	};
	return { client, pages };
}

const right = (total: number) => (perPage: number) => Math.ceil(total / perPage);
const fromAsked = (total: number) => (_: number, asked: number) => Math.ceil(total / asked);

describe.each([0, 1, 99, 100, 101, 350])('A list of %d records', (total) => {
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
	])('is read to its end if the service answers %s', async (_, server) => {
		const { client } = serve({ total, ...server });
		expect(await readPagedList(client, contactApi.listContacts)).toEqual(rows(0, total));
	});

	test.each([1, 60, 250])('is read up to a limit of %d', async (limit) => {
		for (const server of [
			{},
			{ cap: 50 },
			{ count: right(total) },
			{ count: right(total), cap: 50 },
		]) {
			const { client, pages } = serve({ total, ...server });
			const wanted = Math.min(limit, total);
			expect(await readPagedList(client, contactApi.listContacts, {}, limit)).toEqual(
				rows(0, wanted),
			);
			const size = Math.min(limit, 100, server.cap ?? Infinity);
			expect(pages.length).toBeLessThanOrEqual(
				Math.ceil(wanted / size) + (wanted < limit ? 1 : 0) || 1,
			);
		}
	});
});

test('A list of one page takes one request without paging', async () => {
	const queries: unknown[] = [];
	const client: Requester = {
		service: new Service(),
		request: async (_, { query }: RequestParts = {}) => {
			queries.push(query);
			return await Promise.resolve({ data: rows(0, 3) });
		},
	};
	expect(await readPagedList(client, workspaceApi.listTeams, {}, 2)).toEqual(rows(0, 2));
	expect(queries).toEqual([{}]);
});

describe('A service that refuses pages of more than 50', () => {
	const refusing = (status: number) => {
		const asked: number[] = [];
		const { client, pages } = serve({ total: 120, count: right(120) });
		const refusal = new ApiError('No', { outcome: 'refused', status });
		const request: Requester['request'] = async (endpoint, parts) => {
			const { perPage } = parts?.query as { perPage: number };
			asked.push(perPage);
			return perPage > 50 ? await Promise.reject(refusal) : await client.request(endpoint, parts);
		};
		return { client: { ...client, request }, asked, pages };
	};

	test.each([400, 422])('with %d gets requests for 50, now and the next time', async (status) => {
		const { client, asked } = refusing(status);
		expect(await readPagedList(client, contactApi.listContacts)).toEqual(rows(0, 120));
		expect(asked).toEqual([100, 50, 50, 50]);
		expect(await readPagedList(client, contactApi.listContacts, {}, 70)).toEqual(rows(0, 70));
		expect(asked.slice(4)).toEqual([50, 50]);
	});

	test('gets one request if it refuses for another reason', async () => {
		const { client, asked } = refusing(403);
		await expect(readPagedList(client, contactApi.listContacts)).rejects.toThrow('No');
		expect(asked).toEqual([100]);
	});
});

test('After a full last page, the list reads another, because the count may stop at 10,000 (difference 6)', async () => {
	const { client, pages } = serve({ total: 250, count: () => 2 });
	expect(await readPagedList(client, contactApi.listContacts)).toEqual(rows(0, 250));
	expect(pages).toEqual([1, 2, 3]);
});

test('The list uses the start page and the page size of the query', async () => {
	const { client, pages } = serve({ total: 50, count: right(50) });
	const query = { page: 3, perPage: 10 };
	expect(await readPagedList(client, contactApi.listContacts, { query })).toEqual(rows(20, 50));
	expect(pages.sort()).toEqual([3, 4, 5, 6]);
});

test('The list ignores a huge number of pages', async () => {
	const { client, pages } = serve({ total: 150, count: () => Number.MAX_SAFE_INTEGER });
	expect(await readPagedList(client, contactApi.listContacts)).toEqual(rows(0, 150));
	expect(pages.length).toBeLessThan(100);
});

test('The list continues after an empty page if the service counts its pages', async () => {
	const pages: number[] = [];
	const client: Requester = {
		service: new Service(),
		async request(_, { query }: RequestParts = {}) {
			const { page } = query as { page: number };
			pages.push(page);
			const data = page % 3 === 2 && page <= 60 ? rows(page, page + 1) : [];
			return await Promise.resolve({ data, pageCount: 60 });
		},
	};
	const found = Array.from({ length: 20 }, (_, index) => rows(3 * index + 2, 3 * index + 3)).flat();
	expect(await readPagedList(client, contactApi.listContacts)).toEqual(found);
	expect(await readPagedList(client, contactApi.listContacts, {}, 15)).toEqual(found.slice(0, 15));
});

test.each<[string, (page: number) => { data: IDataObject[]; pageCount?: number }, number]>([
	['does not count its pages', (page) => ({ data: page % 2 === 0 ? rows(1, 3) : rows(0, 2) }), 5],
	['counts a million pages', () => ({ data: rows(0, 3), pageCount: 1_000_000 }), 100],
])(
	'The list ends with a hint after pages with nothing new if the service %s',
	async (_, answer, requests) => {
		const pages: number[] = [];
		const hints: string[] = [];
		const client: Requester = {
			service: new Service(),
			async request(__, { query }: RequestParts = {}) {
				const { page } = query as { page: number };
				pages.push(page);
				return await Promise.resolve(answer(page));
			},
			hint: (text) => hints.push(text),
		};
		expect(await readPagedList(client, tagApi.listTags)).toEqual(rows(0, 3));
		expect(Math.max(...pages)).toBeLessThan(requests);
		expect(hints).toEqual([
			"The service's next pages of tags brought nothing new, so n8n stopped reading. If there are more, they are missing here.",
		]);
	},
);

test('The list compares records without an ID by their content', async () => {
	const data = [{ name: 'a' }, { name: 'b' }, { name: 'a' }];
	const client: Requester = {
		service: new Service(),
		request: async () => await Promise.resolve({ data }),
	};
	expect(await readPagedList(client, tagApi.listTags)).toEqual([{ name: 'a' }, { name: 'b' }]);
});

test('A page that fails makes the list fail', async () => {
	const client: Requester = {
		service: new Service(),
		request: async (_, { query }: RequestParts = {}) => {
			if ((query as IDataObject).page === 2) throw new Error('No');
			return await Promise.resolve({ data: rows(0, 100), pageCount: 3 });
		},
	};
	await expect(readPagedList(client, contactApi.listContacts)).rejects.toThrow('No');
});

const notUnderstood = "The service answered in a form that this operation doesn't understand.";

test.each([
	[{ data: [{ id: '1' }] }, [{ id: '1' }]],
	[[{ id: '1' }], [{ id: '1' }]],
	[{ data: [] }, []],
	[[], []],
	[{ id: '1' }, [{ id: '1' }]],
	[{ data: { id: '1' } }, [{ id: '1' }]],
])('readRecords reads the records of %j', (body, found) => {
	expect(readRecords(body)).toEqual(found);
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
])('readRecords finds no records in %j', (body) => {
	expect(() => readRecords(body)).toThrow(notUnderstood);
});

const answering = (body: unknown): Requester => ({
	service: new Service(),
	request: async () => await Promise.resolve(body),
});

test.each([[{ id: '1', data: {} }], [{ data: { id: '1', data: {} } }]])(
	'readRecord reads the record of %j',
	async (body) => {
		expect(await readRecord(answering(body), contactApi.getContact)).toEqual({ id: '1', data: {} });
	},
);

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
])('readRecord finds no record in %j', async (body) => {
	await expect(readRecord(answering(body), contactApi.getContact)).rejects.toThrow(notUnderstood);
});
