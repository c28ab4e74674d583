import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runNode } from '../../support/engine/engine';
import { ownServer } from '../../support/engine/record';
import { conversation, withContact } from './helpers';

/*
 * Services whose cursors are positions, lead nowhere, or cannot be read. The sandbox has cursors as
 * known services do.
 */

/** A page of a list, and the cursor that leads to the next one. */
interface CursorPage {
	data: IDataObject[];
	nextCursor: string | null;
}

/**
 * Returns a service that answers every list with what `page` returns for a cursor, and how to run
 * the node with it.
 */
async function serve(page: (cursor: string | null, count: number) => CursorPage) {
	let count = 0;
	const { port, arrived } = await ownServer((response, { url = '' }) => {
		const cursor = new URL(url, 'http://localhost').searchParams.get('cursor');
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify(page(cursor, count++)));
	});
	const credential = { baseUrl: `http://127.0.0.1:${port}`, accessToken: 'token' };
	return {
		arrived,
		async run(parameters: INodeParameters) {
			const { json, hints, error } = await runNode({ parameters, credential });
			expect(error).toBeUndefined();
			return { ids: json.map(({ id }) => Number(id)), hints };
		},
	};
}

const TIME = Date.UTC(2026, 0, 1);

/** A record that is a conversation and a message, the smaller its number, the newer. */
const record = (number: number): IDataObject => {
	const time = new Date(TIME - number * 1000).toISOString();
	const times = { lastActivityAt: time, contactRepliedAt: time, createdAt: time };
	return {
		id: String(number),
		contactId: String(number),
		text: 'Hi',
		messageType: 'incoming',
		...times,
	};
};

const numbers = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => from + index);

/** Returns what pages a list of numbers, three a page; its cursors are positions. */
const byPosition = (list: number[]) => (cursor: string | null) => {
	const end = Number(cursor ?? 0) + 3;
	const data = list.slice(end - 3, end).map(record);
	return { data, nextCursor: end < list.length ? String(end) : null };
};

const many: INodeParameters = { simplify: false, returnAll: true };
const lists: Array<[string, string, INodeParameters]> = [
	['Get Many of conversations', 'conversations', conversation('getAll', many)],
	['Get Messages', 'messages', withContact('getMessages', '1', many)],
];

const moved = (things: string) =>
	`The service returned some ${things} twice, because its list changed while n8n read it. If others left the list meanwhile, some ${things} may be missing here. Run this again when fewer change.`;
const ended = (things: string) =>
	`The service's next pages of ${things} brought nothing new, so n8n stopped reading. If there are more, they are missing here.`;

describe.each(lists)('%s on a service whose cursors are positions', (_, things, parameters) => {
	test('gives no hint about a list at rest', async () => {
		const { run } = await serve(byPosition(numbers(0, 12)));
		expect(await run(parameters)).toEqual({ ids: numbers(0, 12), hints: [] });
	});

	test('gives a hint if some come in front while others leave the list, and returns none twice', async () => {
		const list = numbers(10, 22);
		const { run } = await serve((cursor, count) => {
			if (count === 1) list.splice(0, 0, 9);
			if (count === 3) list.splice(1, 2);
			return byPosition(list)(cursor);
		});
		const { ids, hints } = await run(parameters);
		expect(new Set(ids).size).toBe(ids.length);
		expect(list.filter((id) => id > 9 && !ids.includes(id))).toEqual([18, 19]);
		expect(hints).toEqual([moved(things)]);
	});

	test('gives a hint if the last page has only what was pushed there', async () => {
		const list = numbers(10, 16);
		const { run } = await serve((cursor, count) => {
			if (count === 1) list.splice(0, 0, 7, 8, 9);
			const page = byPosition(list)(cursor);
			return count === 1 ? { ...page, nextCursor: null } : page;
		});
		expect((await run(parameters)).hints).toEqual([moved(things)]);
	});
});

describe.each(lists)('%s on a service whose list by cursor never ends', (_, things, parameters) => {
	test.each<[string, INodeParameters]>([
		['all', {}],
		['a limit of 5', { returnAll: false, limit: 5 }],
	])('ends after three pages with nothing new, with a hint (%s)', async (_limit, more) => {
		const { run, arrived } = await serve((__, count) => ({
			data: count < 500 ? [0, 1, 2].map(record) : [],
			nextCursor: count < 500 ? `cursor ${count}` : null,
		}));
		expect(await run({ ...parameters, ...more })).toEqual({
			ids: [0, 1, 2],
			hints: [ended(things)],
		});
		expect(arrived.length).toBeLessThan(10);
	});

	test('ends after three empty pages, with a hint', async () => {
		const { run, arrived } = await serve((cursor, count) => ({
			data: cursor || count > 500 ? [] : [0, 1, 2].map(record),
			nextCursor: count < 500 ? `cursor ${count}` : null,
		}));
		expect(await run(parameters)).toEqual({ ids: [0, 1, 2], hints: [ended(things)] });
		expect(arrived.length).toBeLessThan(10);
	});

	test('goes on after two empty pages, without a hint', async () => {
		const { run } = await serve((cursor) => {
			const at = Number(cursor ?? 0);
			const data = at % 3 === 0 ? [record(at)] : [];
			return { data, nextCursor: at < 9 ? String(at + 1) : null };
		});
		expect(await run(parameters)).toEqual({ ids: [0, 3, 6, 9], hints: [] });
	});

	test('gives no hint if the third page with nothing new is the last one', async () => {
		const { run } = await serve((cursor) => {
			const at = Number(cursor ?? 0);
			return { data: at === 0 ? [record(0)] : [], nextCursor: at < 3 ? String(at + 1) : null };
		});
		expect(await run(parameters)).toEqual({ ids: [0], hints: [] });
	});

	test('gives a hint if the service returns the first page for every cursor', async () => {
		const { run, arrived } = await serve(() => ({
			data: [0, 1, 2].map(record),
			nextCursor: 'cursor',
		}));
		expect(await run(parameters)).toEqual({ ids: [0, 1, 2], hints: [ended(things)] });
		expect(arrived.length).toBeLessThan(5);
	});

	test('gives no hint if an empty page leads to itself', async () => {
		const { run } = await serve((cursor) => ({
			data: cursor ? [] : [0, 1, 2].map(record),
			nextCursor: 'cursor',
		}));
		expect(await run(parameters)).toEqual({ ids: [0, 1, 2], hints: [] });
	});
});
