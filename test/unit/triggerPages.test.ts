import type { Call, Caller } from '../../nodes/WorkspaceMessaging/routing/client';
import { listContacts } from '../../nodes/WorkspaceMessaging/contract';
import { readPages } from '../../nodes/WorkspaceMessaging/trigger/readPages';

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
		const isEnd = await readPages(caller, call, 100, (rows) => {
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
	expect(await readPages(caller, call, 100, () => ++pages < 3)).toBe(false);
	expect(asked).toEqual([1, 2, 3]);
});

test('ends on a service that gives the same page again and again', async () => {
	const { caller, asked } = service(50, 100, 'never');
	const same: Caller = {
		send: async (each) => await caller.send({ ...each, query: { ...each.query, page: 1 } }),
	};
	await readPages(same, call, 100, () => true);
	expect(asked).toEqual([1, 1]);
});
