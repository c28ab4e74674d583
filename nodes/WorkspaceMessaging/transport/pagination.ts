import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../contract/endpoint';
import { isObject } from './guards';
import { isRefusal, recover, unexpectedAnswer } from './errors/ApiError';
import type { ApiError } from './errors/ApiError';
import { apiRequest } from './request';
import type { Requester, RequestParts } from './request';

/** Records requested at once; services may return fewer. */
export const PER_PAGE = 100;
/** The largest page of services that reject larger ones, and the length at which lists without pages are cut. */
export const SMALLER_PAGE = 50;
/** Pages of one list that are read side by side. */
export const SIDE_BY_SIDE = 32;
/** So many pages in a row without anything new end a list: new records push others down, so one such page proves nothing. */
const MOST_STALE_PAGES = 2;
/** So many of them end a list, no matter how many pages the service counts. */
const MOST_STALE_PAGES_OF_ALL = 50;

/** One page of a list. */
export interface Page {
	/** Its number, counted from 1. */
	number: number;
	rows: IDataObject[];
	/** The rows that no earlier page had; rows move while a list is read. */
	fresh: IDataObject[];
	/** Whether the list ends here. */
	isLast: boolean;
	/** How many pages there are, if the service counts them. */
	pageCount?: number;
}

/** How a list is read. */
export interface ReadOptions {
	/** The first page; 1 if empty. */
	from?: number;
	/** How many records to request at once; 100 if empty. */
	perPage?: number;
	/** How many pages to request at once at first, because even a small list needs a second one to end; 1 if empty. */
	atOnce?: number;
	/** How many pages to request ahead if the service says how many there are; none if empty. */
	ahead?: number;
	/** Returns how many pages the caller needs by what it knows after `pagesRead`, so that few are read in vain. */
	pages?: (rowsOfFirst: number, pagesRead: number) => number;
}

/**
 * Reads a list page after page (part 4), until the caller stops. Everything that reads a list reads it here.
 *
 * A service may return fewer records per page than requested, reject large pages, count its pages by the requested size, stop
 * counting, or not count at all. So the number of pages is a hint: it says how many can be requested ahead, and up to where
 * a page is not the last one. From there on, the list ends with an empty page, with two pages in a row that bring nothing
 * new, and, if the service counts pages, with a page that is shorter than the others.
 *
 * If the same records come again and the service counts no pages, the list has none. Older services end such lists at 50
 * records; a hint tells the user that the list may be cut.
 */
export async function* readPages(
	client: Requester,
	endpoint: Endpoint,
	parts: RequestParts = {},
	{ from = 1, perPage = PER_PAGE, atOnce = 1, ahead = 0, pages = () => Infinity }: ReadOptions = {},
): AsyncGenerator<Page, void, void> {
	const seen = new Set<unknown>();
	const isNew = (row: IDataObject) => seen.size < seen.add(keyOf(row)).size;
	if (endpoint.list === 'onePage') {
		const rows = rowsOf(await client.request(endpoint, parts));
		yield { number: 1, rows, fresh: rows.filter(isNew), isLast: true };
		return;
	}
	const reader = new PageReader(client, endpoint, parts, perPage);
	const first = await reader.readFirst(from, atOnce);
	let rowsOfFirst = 0;
	for (let number = first; ; number++) {
		const rows = await reader.take(number);
		const fresh = rows.filter(isNew);
		if (number === first) rowsOfFirst = rows.length;
		const isLast = reader.isLast(number, rows, fresh.length === 0);
		yield { number, rows, fresh, isLast, pageCount: reader.pageCount || undefined };
		if (isLast) return;
		// Not before the caller asks for the next page: many stop at the first.
		const needed = first - 1 + pages(rowsOfFirst, number - first + 1);
		reader.readAhead(number + 1, Math.min(number + ahead, reader.pageCount, needed));
	}
}

/** Reads the pages of one list, and decides which one is the last. */
class PageReader {
	/** By the newest answers: the count grows if records are added while the list is read. */
	pageCount = 0;

	/** Records requested with one page. */
	private size: number;

	private readonly underWay = new Map<number, Promise<IDataObject[]>>();

	/** The number of rows of the longest page. */
	private longest = 0;

	/** How many pages in a row brought nothing new. */
	private stale = 0;

	private before: IDataObject[] = [];

	constructor(
		private readonly client: Requester,
		private readonly endpoint: Endpoint,
		private readonly parts: RequestParts,
		private readonly perPage: number,
	) {
		this.size = Math.min(perPage, client.service.largestPages.get(endpoint.path) ?? Infinity);
	}

	/** Reads the first page, and others beside it; returns its number. */
	async readFirst(from: number, atOnce: number): Promise<number> {
		// With smaller pages than requested, the same records begin on a later one.
		const first = () => 1 + Math.floor(((from - 1) * this.perPage) / this.size);
		this.readAhead(first(), first() + atOnce - 1);
		const isTooLarge = (error: ApiError) => this.size > SMALLER_PAGE && isRefusal(error);
		await this.underWay.get(first())!.catch(
			recover(isTooLarge, async () => {
				this.size = SMALLER_PAGE;
				this.underWay.clear();
				this.readAhead(first(), first());
				await this.underWay.get(first());
				this.client.service.largestPages.set(this.endpoint.path, SMALLER_PAGE);
			}),
		);
		this.client.service.cutLists.delete(this.endpoint.path);
		return first();
	}

	/** Requests pages before their turn. */
	readAhead(from: number, upTo: number) {
		for (let number = from; number <= upTo; number++) {
			if (this.underWay.has(number)) continue;
			const page = this.read(number);
			// `take` reports its failure, if its turn ever comes.
			page.catch(() => {});
			this.underWay.set(number, page);
		}
	}

	/** Returns the rows of a page when it is its turn. */
	async take(number: number): Promise<IDataObject[]> {
		const rows = await (this.underWay.get(number) ?? this.read(number));
		this.underWay.delete(number);
		return rows;
	}

	/** Whether the list ends with this page. */
	isLast(number: number, rows: IDataObject[], isStale: boolean): boolean {
		this.longest = Math.max(this.longest, rows.length);
		this.stale = isStale ? this.stale + 1 : 0;
		const isShort = this.pageCount > 0 && rows.length < this.longest;
		const hasNoPages = this.pageCount === 0 && isSame(rows, this.before);
		this.before = rows;
		if (hasNoPages && (rows.length === SMALLER_PAGE || rows.length === this.size)) {
			this.client.service.cutLists.set(this.endpoint.path, rows.length);
			this.client.hint?.(mayBeCut(this.endpoint, rows.length));
		}
		const isEnd = rows.length === 0 || isShort || hasNoPages || this.stale === MOST_STALE_PAGES;
		return (number >= this.pageCount && isEnd) || this.stale === MOST_STALE_PAGES_OF_ALL;
	}

	private async read(page: number): Promise<IDataObject[]> {
		const body = await this.readWithIncludes(page);
		if (isObject(body) && typeof body.pageCount === 'number')
			this.pageCount = Math.max(this.pageCount, body.pageCount);
		return rowsOf(body);
	}

	/**
	 * Reads one page with all that its records can show. Some services leave out what belongs to a record (tags, custom field
	 * values) unless `include` asks for it; the first records that come show that, and the service's memory keeps it.
	 */
	private async readWithIncludes(page: number): Promise<unknown> {
		const { client, endpoint, parts, size } = this;
		const { includes } = client.service;
		const read = async (include: string[] = []) => {
			const query = { ...parts.query, ...(include.length > 0 && { include }), page, perPage: size };
			return await client.request(endpoint, { ...parts, query });
		};
		const known = includes.get(endpoint.path);
		const body = await read(known);
		const rows = endpoint.includes && !known ? rowsOf(body) : [];
		if (rows.length === 0) return body;
		const lacking = Object.entries(endpoint.includes!)
			.filter(([key]) => rows.every((row) => !(key in row)))
			.map(([, name]) => name);
		const keep = <T>(include: string[], answer: T): T => {
			includes.set(endpoint.path, include);
			return answer;
		};
		if (lacking.length === 0) return keep([], body);
		return await read(lacking).then(
			(full) => keep(lacking, full),
			recover(isRefusal, () => keep([], body)),
		);
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

/** Returns what identifies a record. */
const keyOf = (row: IDataObject) => row.id ?? JSON.stringify(row);

/** Says that a list may be cut, because it has no pages and ends where services cut lists. */
function mayBeCut({ path }: Endpoint, records: number): string {
	const things = path.slice(path.lastIndexOf('/') + 1).replace(/-/g, ' ');
	return `This service lists no more than ${records} ${things}, and has no further pages. If the workspace has more of them, the others are missing here.`;
}

/**
 * Reads a list to its end, or to `limit` records, and no more pages than that takes. Returns a record once, even if it comes
 * twice because rows moved.
 *
 * @param parts values of the request; `page` and `perPage` of its query are the first page and the records per page
 * @param limit how many records at most
 * @param atOnce how many pages to request at once at first
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

/** Sends a request and returns the record that it answers with, as it is or under `data`. */
export async function readRecord(
	client: Requester,
	endpoint: Endpoint,
	parts: RequestParts = {},
): Promise<IDataObject> {
	const body = await client.request(endpoint, parts);
	const record = isObject(body) && isObject(body.data) && !isRecord(body) ? body.data : body;
	if (!isRecord(record)) throw unexpectedAnswer(apiRequest(endpoint, parts));
	return record;
}

/** Returns the records of an answer: `{ data: [...] }` or an array; a single object with an ID is one record. */
export function rowsOf(body: unknown): IDataObject[] {
	const data = isObject(body) && 'data' in body ? body.data : body;
	const rows = Array.isArray(data) ? data : [data];
	if (!rows.every(isJsonObject) || (!Array.isArray(data) && !isRecord(data))) throw unexpectedAnswer();
	return rows;
}

/** Every record of the API has an ID (part 2). */
const isRecord = (value: unknown): value is IDataObject => isObject(value) && 'id' in value;

const isJsonObject = (value: unknown): value is IDataObject => isObject(value);
