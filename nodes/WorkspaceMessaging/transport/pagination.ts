import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../contract';
import { isRefusal, unexpectedAnswer } from './errors/errors';
import { apiRequest } from './request';
import type { Requester, RequestParts } from './request';
import { rethrow } from './rethrow';

/** Records asked for with one request; services may give fewer. */
export const PER_PAGE = 100;
/** What services give that refuse larger pages, and all that some lists give that have no pages. */
const SMALLER_PAGE = 50;
/** Pages of one list that are read side by side. */
export const SIDE_BY_SIDE = 32;
/** So many pages in a row without anything new end a list: the first can come of new records, which push others down. */
const MOST_STALE_PAGES = 2;
/** So many of them end a list, however many pages the service says there are. */
const MOST_STALE_PAGES_OF_ALL = 50;

/** One page of a list. */
export interface Page {
	/** Its number, counted from 1. */
	number: number;
	rows: IDataObject[];
	/** Those of the rows that were on none of the pages before; rows move while a list is read. */
	fresh: IDataObject[];
	/** Whether the list ends here. */
	isLast: boolean;
	/** How many pages there are, as far as the service counts them. */
	pageCount?: number;
}

/** How a list is read. */
export interface ReadOptions {
	/** The page to begin with; 1 when left out. */
	from?: number;
	/** Records to ask for with one request; 100 when left out. */
	perPage?: number;
	/** How many pages are asked for at once to begin with: a small list needs a second one to be known to end. 1 when left out. */
	atOnce?: number;
	/** How many pages are asked for before their turn, where the service says how many there are; none when left out. */
	ahead?: number;
	/** How many pages are wanted at most, so that none is read in vain. */
	pages?: (rowsOfFirst: number) => number;
}

/**
 * Reads a list page after page (part 4), as far as the caller goes on asking. Everything that reads a list reads it here.
 *
 * A service may give fewer records a page than asked for, refuse large pages, count its pages by what was asked, stop
 * counting, or not count at all. So the number of pages is a hint: it says how many can be asked for ahead, and up to where
 * a page is not the last one. From there on, the list ends with an empty page, with two pages in a row that bring nothing
 * new, and, where pages are counted at all, with a page that is shorter than the others.
 *
 * A list that brings the same again, and counts no pages, has none. Older services end such lists at 50 records; the user
 * is told that the list may be cut.
 */
export async function* readPages(
	client: Requester,
	endpoint: Endpoint,
	parts: RequestParts = {},
	{ from = 1, perPage = PER_PAGE, atOnce = 1, ahead = 0, pages = () => Infinity }: ReadOptions = {},
): AsyncGenerator<Page, void, void> {
	const seen = new Set<unknown>();
	const isNew = (row: IDataObject) => {
		const key = keyOf(row);
		return !seen.has(key) && Boolean(seen.add(key));
	};
	if (endpoint.list === 'onePage') {
		const rows = rowsOf(await client.request(endpoint, parts));
		yield { number: 1, rows, fresh: rows.filter(isNew), isLast: true };
		return;
	}

	const { largestPages } = client.service;
	let size = Math.min(perPage, largestPages.get(endpoint.path) ?? Infinity);
	// With smaller pages than asked for, the same records begin on a later one.
	const start = () => 1 + Math.floor(((from - 1) * perPage) / size);

	// As the newest answers count them: there can be more than at first, when rows are added while the list is read.
	let pageCount = 0;
	const read = async (page: number): Promise<IDataObject[]> => {
		const body = await readWithIncludes(client, endpoint, parts, page, size);
		const counted = (body as { pageCount?: unknown } | null | undefined)?.pageCount;
		if (typeof counted === 'number') pageCount = Math.max(pageCount, counted);
		return rowsOf(body);
	};

	const underWay = new Map<number, Promise<IDataObject[]>>();
	let wanted = Infinity;
	let largest = 0;
	let stale = 0;
	let before: IDataObject[] = [];
	const readAhead = (from: number, upTo: number) => {
		for (let next = from; next <= upTo; next++) {
			if (underWay.has(next)) continue;
			const page = read(next);
			// Its failure is reported when its turn comes, if it ever does.
			page.catch(() => {});
			underWay.set(next, page);
		}
	};
	readAhead(start() + 1, start() + atOnce - 1);
	const first = await read(start()).catch(async (error: unknown) => {
		if (size <= SMALLER_PAGE || !isRefusal(error)) return await rethrow(error);
		// Services are known that refuse larger pages; this is then known for the next time.
		size = SMALLER_PAGE;
		underWay.clear();
		const rows = await read(start());
		largestPages.set(endpoint.path, size);
		return rows;
	});
	underWay.set(start(), Promise.resolve(first));
	client.service.cutLists.delete(endpoint.path);
	for (let number = start(); ; number++) {
		const rows = await (underWay.get(number) ?? read(number));
		underWay.delete(number);
		const fresh = rows.filter(isNew);
		if (number === start()) wanted = number - 1 + pages(rows.length);
		largest = Math.max(largest, rows.length);
		stale = fresh.length === 0 ? stale + 1 : 0;
		const isShort = pageCount > 0 && rows.length < largest;
		const hasNoPages = pageCount === 0 && isSame(rows, before);
		if (hasNoPages && (rows.length === SMALLER_PAGE || rows.length === size)) {
			client.service.cutLists.set(endpoint.path, rows.length);
			client.hint?.(mayBeCut(endpoint, rows.length));
		}
		before = rows;
		const isEnd = rows.length === 0 || isShort || hasNoPages || stale === MOST_STALE_PAGES;
		const isLast = (number >= pageCount && isEnd) || stale === MOST_STALE_PAGES_OF_ALL;
		yield { number, rows, fresh, isLast, pageCount: pageCount || undefined };
		if (isLast) return;
		// Not before the next page is wanted: many a reader stops at the first.
		readAhead(number + 1, Math.min(number + ahead, pageCount, wanted));
	}
}

/** Whether two pages hold the same records in the same order. */
function isSame(rows: IDataObject[], before: IDataObject[]): boolean {
	return (
		rows.length > 0 &&
		rows.length === before.length &&
		rows.every((row, index) => keyOf(row) === keyOf(before[index]))
	);
}

/** What a record is recognised by. */
const keyOf = (row: IDataObject) => row.id ?? JSON.stringify(row);

/** Says that a list without pages ends where lists are known to be cut. */
function mayBeCut({ path }: Endpoint, records: number): string {
	const things = path.slice(path.lastIndexOf('/') + 1).replace(/-/g, ' ');
	return `This service lists no more than ${records} ${things}, and has no further pages: if the workspace has more of them, the others are missing here.`;
}

/**
 * Reads one page with all that its records can show. Some services leave out what belongs to a record (tags, custom field
 * values) unless it is asked for, which is seen by the first records that come, and known from then on.
 */
async function readWithIncludes(
	client: Requester,
	endpoint: Endpoint,
	parts: RequestParts,
	page: number,
	perPage: number,
): Promise<unknown> {
	const { includes } = client.service;
	const read = async (include: string[] = []) => {
		const query = { ...parts.query, ...(include.length > 0 && { include }) };
		return await readPage(client, endpoint, { ...parts, query }, page, perPage);
	};
	const known = includes.get(endpoint.path);
	const body = await read(known);
	const rows = endpoint.includes && !known ? rowsOf(body) : [];
	if (rows.length === 0) return body;
	const lacking = Object.entries(endpoint.includes!)
		.filter(([key]) => rows.every((row) => !(key in row)))
		.map(([, name]) => name);
	try {
		const full = lacking.length > 0 ? await read(lacking) : body;
		includes.set(endpoint.path, lacking);
		return full;
	} catch (error) {
		if (!isRefusal(error)) return await rethrow(error);
		includes.set(endpoint.path, []);
		return body;
	}
}

/** Reads one page. */
async function readPage(
	client: Requester,
	endpoint: Endpoint,
	parts: RequestParts,
	page: number,
	perPage: number,
): Promise<unknown> {
	return await client.request(endpoint, { ...parts, query: { ...parts.query, page, perPage } });
}

/**
 * Reads a list to its end, or to `limit` records, and no more pages than that takes. A record that comes twice, because
 * rows moved while the list was read, is returned once.
 *
 * @param parts values of the request; `page` and `perPage` of its query are where to start and how much to ask for
 * @param limit how many records at most
 * @param atOnce how many pages are asked for at once to begin with
 * @returns the records in the service's order
 */
export async function readList(
	client: Requester,
	endpoint: Endpoint,
	parts: RequestParts = {},
	limit = Infinity,
	{ atOnce }: Pick<ReadOptions, 'atOnce'> = {},
): Promise<IDataObject[]> {
	const { page, perPage, ...query } = parts.query ?? {};
	const options: ReadOptions = {
		from: Number(page ?? 1),
		perPage: Number(perPage ?? Math.min(limit, PER_PAGE)),
		atOnce,
		ahead: SIDE_BY_SIDE,
		pages: (rows) => Math.ceil(limit / rows),
	};
	const records: IDataObject[] = [];
	for await (const { fresh } of readPages(client, endpoint, { ...parts, query }, options)) {
		for (const record of fresh) records.push(record);
		if (records.length >= limit) break;
	}
	return limit === Infinity ? records : records.slice(0, limit);
}

/** Sends a request whose answer is one record, and returns the record: the answer itself, or what it holds under `data`. */
export async function readRecord(
	client: Requester,
	endpoint: Endpoint,
	parts: RequestParts = {},
): Promise<IDataObject> {
	const body = await client.request(endpoint, parts);
	const record = isObject(body) && isObject(body.data) && !isRecord(body) ? body.data : body;
	if (!isRecord(record)) throw unexpectedAnswer(apiRequest(endpoint, parts));
	return record as IDataObject;
}

/** The records of a list's answer: `{ data: [...] }` or a bare array; a single object with an ID is one record. */
export function rowsOf(body: unknown): IDataObject[] {
	const data = isObject(body) && 'data' in body ? body.data : body;
	const rows = Array.isArray(data) ? data : [data];
	if (!rows.every(isObject) || (!Array.isArray(data) && !isRecord(data))) throw unexpectedAnswer();
	return rows as IDataObject[];
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every record of the API has an ID (part 2). */
function isRecord(value: unknown): boolean {
	return isObject(value) && 'id' in value;
}
