import type { Call, Caller } from '../../nodes/WorkspaceMessaging/routing/client';
import { listContacts } from '../../nodes/WorkspaceMessaging/contract';
import { readPages, readUntilAgreed } from '../../nodes/WorkspaceMessaging/trigger/readPages';

const call: Call = { endpoint: listContacts, path: listContacts.path, query: {} };

/** A service that gives at most `cap` of `count` records a page, and counts its pages as told. */
function service(count: number, cap: number, counts: 'right' | 'asAsked' | 'never') {
	const asked: number[] = [];
	const caller: Caller = {
		async send({ query }) {
			const { page, perPage } = query as { page: number; perPage: number };
			asked.push(page);
			const size = Math.min(cap, perPage);
			const ids = Array.from({ length: count }, (_, index) => ({ id: `${index}` }));
			const data = ids.slice((page - 1) * size, page * size);
			if (counts === 'never') return { data };
			return { data, pageCount: Math.ceil(count / (counts === 'right' ? size : perPage)) };
		},
	};
	return { caller, asked };
}

describe.each(['right', 'asAsked', 'never'] as const)('pages counted: %s', (counts) => {
	test.each([
		[0, 100],
		[1, 100],
		[99, 100],
		[100, 100],
		[101, 100],
		[1234, 100],
		[500, 50],
		[501, 50],
		[77, 7],
	])('reads all of %i records, %i a page, in order', async (count, cap) => {
		const { caller } = service(count, cap, counts);
		const read: unknown[] = [];
		const { isEnd } = await readPages(caller, call, 100, (rows) => {
			read.push(...rows.map(({ id }) => id));
			return true;
		});
		expect(isEnd).toBe(true);
		expect(read).toEqual(Array.from({ length: count }, (_, index) => `${index}`));
	});
});

test('reads no more pages than needed where they are counted', async () => {
	const { caller, asked } = service(1000, 100, 'right');
	await readPages(caller, call, 100, () => true);
	expect(asked.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('stops when told to', async () => {
	const { caller, asked } = service(10_000, 100, 'never');
	let pages = 0;
	expect((await readPages(caller, call, 100, () => ++pages < 3)).isEnd).toBe(false);
	expect(asked).toEqual([1, 2, 3]);
});

test('goes on after a page that brings nothing new, because as many records were created meanwhile', async () => {
	const ids = Array.from({ length: 30 }, (_, index) => ({ id: `${index}` }));
	const caller: Caller = {
		async send({ query }) {
			const { page } = query as { page: number };
			if (page === 2) ids.unshift(...Array.from({ length: 10 }, (_, index) => ({ id: `new ${index}` })));
			return { data: ids.slice((page - 1) * 10, page * 10), pageCount: Math.ceil(ids.length / 10) };
		},
	};
	const { ids: read, hasRepeats } = await readPages(caller, call, 10, () => true);
	expect(read.size).toBe(30);
	expect(hasRepeats).toBe(true);
});

describe('reading until two readings agree', () => {
	afterEach(() => jest.restoreAllMocks());

	/** A service of three pages on which a record is replaced during the first readings; each reading takes so long. */
	function restless(changes: number, seconds = 0) {
		const { caller } = service(250, 100, 'right');
		let readings = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => readings * seconds * 1000);
		const moving: Caller = {
			send: async (each) => {
				const body = (await caller.send(each)) as { data: Array<{ id: string }> };
				if ((each.query as { page: number }).page > 1) return body;
				readings++;
				if (readings <= changes) body.data[0].id = `other ${readings}`;
				return body;
			},
		};
		return {
			isSure: async (most?: number) =>
				await readUntilAgreed(async () => await readPages(moving, call, 100, () => true), most),
			readings: () => readings,
		};
	}

	test.each([
		[0, 2, true],
		[1, 3, true],
		[2, 4, true],
		[3, 4, false],
	])('with %i changes it takes %i readings', async (changes, expected, isSure) => {
		const { isSure: read, readings } = restless(changes);
		expect(await read()).toBe(isSure);
		expect(readings()).toBe(expected);
	});

	test('no more often than told, nor where that takes long', async () => {
		const once = restless(0);
		expect(await once.isSure(1)).toBe(false);
		expect(once.readings()).toBe(1);
		const slow = restless(9, 6);
		expect(await slow.isSure()).toBe(false);
		expect(slow.readings()).toBe(3);
	});

	test('readings in which a record comes twice say nothing', async () => {
		// The first record moves to the end while it is read, so that the third is missed: twice the same.
		const pages = [['1', '2'], ['4', '1'], []];
		const caller: Caller = {
			send: async ({ query }) => ({
				data: pages[(query as { page: number }).page - 1].map((id) => ({ id })),
			}),
		};
		expect(await readUntilAgreed(async () => await readPages(caller, call, 2, () => true))).toBe(false);
	});

	test('a list of one page is read once', async () => {
		const { caller, asked } = service(100, 100, 'right');
		expect(await readUntilAgreed(async () => await readPages(caller, call, 100, () => true))).toBe(true);
		expect(asked).toEqual([1]);
	});
});

test('ends on a service that gives the same page again and again', async () => {
	const { caller, asked } = service(50, 100, 'never');
	const same: Caller = {
		send: async (each) => await caller.send({ ...each, query: { ...each.query, page: 1 } }),
	};
	await readPages(same, call, 100, () => true);
	expect(asked).toEqual([1, 1, 1]);
});
