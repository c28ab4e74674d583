import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../contract/endpoint';
import { isRefusal, recover } from '../errors/ApiError';
import type { ApiError } from '../errors/ApiError';
import { isObject } from '../guards';
import type { Requester, RequestParts } from '../request';
import { distinctRecords, isSamePage, noteRecords, readRecords } from './records';

/** Records requested at once; services may return fewer. */
export const PER_PAGE = 100;
/**
 * The largest page of services that reject larger ones (difference 4), and the length of lists
 * without pages.
 */
const SMALLER_PAGE = 50;
/** Pages of one list that are read side by side. */
export const SIDE_BY_SIDE = 32;
/**
 * So many pages in a row without anything new end a list: new records push others down, so one such
 * page proves nothing.
 */
const MOST_STALE_PAGES = 2;
/** So many of them end a list, no matter how many pages the service counts. */
const MOST_STALE_PAGES_OF_ALL = 50;
/**
 * So many of them end a list by cursor. Two can be empty: some services filter what a page would
 * have had.
 */
const MOST_STALE_PAGES_BY_CURSOR = 3;

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
	/** Whether the list begins again with this page, so that the pages before no longer count. */
	startsOver?: boolean;
}

/** How a list is read. */
export interface ReadOptions {
	/** The first page; 1 if empty. */
	from?: number;
	/** How many records to request at once; 100 if empty. */
	perPage?: number;
	/**
	 * How many pages to request at once at first, because even a small list needs a second one to
	 * end; 1 if empty.
	 */
	atOnce?: number;
	/** How many pages to request ahead if the service says how many there are; none if empty. */
	ahead?: number;
	/**
	 * Returns how many pages the caller needs by what it knows after `pagesRead`, so that few are
	 * read in vain.
	 */
	pages?: (rowsOfFirst: number, pagesRead: number) => number;
}

/**
 * Reads a list page after page (part 4), until the caller stops.
 *
 * A service may return fewer records per page than requested, reject large pages, count its pages
 * by the requested size, stop counting, or not count at all (difference 4, difference 6). So the
 * number of pages is a hint: it says how many can be requested ahead, and up to where a page is not
 * the last one. From there on, the list ends with an empty page, with two pages in a row that bring
 * nothing new, and, if the service counts pages, with a page that is shorter than the others. If
 * pages that bring nothing new end it, a hint tells the user so.
 *
 * If the same records come again and the service counts no pages, the list has none (difference 5).
 * Such lists end at 50 records; a hint tells the user that the list may be cut.
 */
export async function* readPages(
	client: Requester,
	endpoint: Endpoint,
	parts: RequestParts = {},
	options: ReadOptions = {},
): AsyncGenerator<Page, void, void> {
	if (endpoint.list === 'onePage') {
		const rows = readRecords(await client.request(endpoint, parts));
		yield { number: 1, rows, fresh: distinctRecords(rows), isLast: true };
		return;
	}
	yield* new PageReader(client, endpoint, parts, options).pages();
}

/** Reads the pages of one list, and decides which one is the last. */
export class PageReader {
	/** By the newest answers: the count grows if records are added while the list is read. */
	pageCount = 0;

	/** Records requested with one page. */
	private size = PER_PAGE;

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
		private readonly options: ReadOptions,
	) {}

	/** Reads page after page; see `readPages`. */
	async *pages(): AsyncGenerator<Page, void, void> {
		const { ahead = 0, pages = () => Infinity } = this.options;
		const isNew = noteRecords();
		const first = await this.readFirst();
		let rowsOfFirst = 0;
		for (let number = first; ; number++) {
			const rows = await this.readEarly(number);
			this.underWay.delete(number);
			const fresh = rows.filter(isNew);
			if (number === first) rowsOfFirst = rows.length;
			const isLast = this.isLast(number, rows, fresh.length === 0);
			yield { number, rows, fresh, isLast, pageCount: this.pageCount || undefined };
			if (isLast) return;
			// Not before the caller asks for the next page: many stop at the first.
			const needed = first - 1 + pages(rowsOfFirst, number - first + 1);
			this.readAhead(number + 1, Math.min(number + ahead, this.pageCount, needed));
		}
	}

	/** Reads the first page, and others beside it; returns its number. */
	private async readFirst(): Promise<number> {
		const { client, endpoint } = this;
		const { from = 1, perPage = PER_PAGE, atOnce = 1 } = this.options;
		return await withPageSize(client, endpoint, perPage, async (size) => {
			this.size = size;
			this.underWay.clear();
			// With smaller pages than requested, the same records begin on a later one.
			const first = 1 + Math.floor(((from - 1) * perPage) / size);
			this.readAhead(first, first + atOnce - 1);
			await this.readEarly(first);
			client.service.cutLists.delete(endpoint.path);
			return first;
		});
	}

	/** Requests pages before their turn. */
	private readAhead(from: number, upTo: number) {
		// The turn of a page reports its failure, if it ever comes.
		for (let number = from; number <= upTo; number++) this.readEarly(number).catch(() => {});
	}

	/** Reads a page before its turn, and returns its rows. */
	async readEarly(number: number): Promise<IDataObject[]> {
		const page = this.underWay.get(number) ?? this.read(number);
		this.underWay.set(number, page);
		return await page;
	}

	/** Reads a page again that was read before its turn; its turn gets these rows. */
	async readAgain(number: number): Promise<IDataObject[]> {
		this.underWay.delete(number);
		return await this.readEarly(number);
	}

	/** Whether the list ends with this page. */
	private isLast(number: number, rows: IDataObject[], isStale: boolean): boolean {
		const { client, endpoint, pageCount } = this;
		this.longest = Math.max(this.longest, rows.length);
		this.stale = isStale ? this.stale + 1 : 0;
		const isShort = pageCount > 0 && rows.length < this.longest;
		const hasNoPages = pageCount === 0 && isSamePage(rows, this.before);
		this.before = rows;
		if (hasNoPages && (rows.length === SMALLER_PAGE || rows.length === this.size)) {
			client.service.cutLists.set(endpoint.path, rows.length);
			client.hint?.(mayBeCut(endpoint, rows.length));
		}
		const isCounted = number < pageCount;
		if (!isCounted && (rows.length === 0 || isShort || hasNoPages)) return true;
		if (this.stale < (isCounted ? MOST_STALE_PAGES_OF_ALL : MOST_STALE_PAGES)) return false;
		client.hint?.(endedByNothingNew(endpoint));
		return true;
	}

	/**
	 * Requests one page, and returns its rows with all that they can show. Some services leave out
	 * what belongs to a record (tags, custom field values) unless `include` asks for it. The first
	 * records show that, and the service's memory keeps it.
	 */
	async read(number: number): Promise<IDataObject[]> {
		const { path, includes = {} } = this.endpoint;
		const memory = this.client.service.includes;
		const known = memory.get(path);
		const rows = await this.request(number, known);
		if (known || rows.length === 0) return rows;
		const lacking = Object.keys(includes).filter((key) => rows.every((row) => !(key in row)));
		const include = lacking.map((key) => includes[key]);
		let full: IDataObject[] | undefined;
		if (include.length > 0)
			full = await this.request(number, include).catch(recover(isRefusal, () => undefined));
		memory.set(path, full ? include : []);
		return full ?? rows;
	}

	private async request(page: number, include: string[] = []): Promise<IDataObject[]> {
		const { client, endpoint, parts, size } = this;
		const query = { ...parts.query, ...(include.length > 0 && { include }), page, perPage: size };
		const body = await client.request(endpoint, { ...parts, query });
		if (isObject(body) && typeof body.pageCount === 'number')
			this.pageCount = Math.max(this.pageCount, body.pageCount);
		return readRecords(body);
	}
}

/**
 * Reads with a page size; with a smaller one if the service rejects it, or has rejected it before.
 */
async function withPageSize<T>(
	{ service: { largestPages } }: Requester,
	{ path }: Endpoint,
	wanted: number,
	read: (size: number) => Promise<T>,
): Promise<T> {
	const size = Math.min(wanted, largestPages.get(path) ?? Infinity);
	const isTooLarge = (error: ApiError) => size > SMALLER_PAGE && isRefusal(error);
	const readSmaller = async () => {
		const answer = await read(SMALLER_PAGE);
		largestPages.set(path, SMALLER_PAGE);
		return answer;
	};
	return await read(size).catch(recover(isTooLarge, readSmaller));
}

/** Says that a list may be cut, because it has no pages and ends where services cut lists. */
function mayBeCut(endpoint: Endpoint, records: number): string {
	const things = nameRecords(endpoint);
	return `This service lists only ${records} ${things}. If the workspace has more, the others are missing here.`;
}

/**
 * Says that a list ended although the service has further pages, because these brought nothing new.
 */
const endedByNothingNew = (endpoint: Endpoint) =>
	`The service's next pages of ${nameRecords(endpoint)} brought nothing new, so n8n stopped reading. If there are more, they are missing here.`;

/** Says that a list moved while n8n read it. */
function mayLack(endpoint: Endpoint): string {
	const things = nameRecords(endpoint);
	return `The service returned some ${things} twice, because its list changed while n8n read it. If others left the list meanwhile, some ${things} may be missing here. Run this again when fewer change.`;
}

/** Returns what a list has, as users call it: the end of its path. */
const nameRecords = ({ path }: Endpoint) =>
	path.slice(path.lastIndexOf('/') + 1).replace(/-/g, ' ');

/**
 * Reads a list whose pages lead to each other by a cursor, until the caller stops or the list ends.
 * It also ends, with a hint, with three pages in a row that bring nothing new, or if the service
 * returns the same page again: it starts over if it cannot read a cursor.
 *
 * A cursor can be a place in the order of the records, or only a position. At positions, records
 * that are added in front push others to the next page, so that they come twice: a hint says that
 * the list may lack some, because those that leave the list pull others up to pages that were read.
 * That alone does not show.
 *
 * @param parts values of the request besides the cursor
 * @param perPage how many records to request with the first page and with the next ones; the same
 * for all if there is only one
 */
export async function* readByCursor(
	client: Requester,
	endpoint: Endpoint,
	parts: RequestParts,
	{ first, next = first }: { first: number; next?: number },
): AsyncGenerator<{ rows: IDataObject[]; isLast: boolean }, void, void> {
	const cursors = new Set<unknown>();
	const isNew = noteRecords();
	let stale = 0;
	let hasMoved = false;
	for (let cursor: unknown; ; ) {
		const query = { ...parts.query, ...(typeof cursor === 'string' && { cursor }) };
		const body = await withPageSize(
			client,
			endpoint,
			cursors.size === 0 ? first : next,
			async (perPage) => await client.request(endpoint, { ...parts, query: { ...query, perPage } }),
		);
		cursor = isObject(body) ? body.nextCursor : undefined;
		const rows = distinctRecords(readRecords(body));
		const fresh = rows.filter(isNew);
		const isStale = fresh.length === 0;
		stale = isStale ? stale + 1 : 0;
		hasMoved ||= fresh.length < rows.length;
		const isCircle = cursors.has(cursor);
		const isStuck =
			stale === MOST_STALE_PAGES_BY_CURSOR || (isCircle && isStale && rows.length > 0);
		const isLast = !cursor || isCircle || isStuck;
		if (cursor && isStuck) client.hint?.(endedByNothingNew(endpoint));
		else if (hasMoved && (isLast || !isStale)) client.hint?.(mayLack(endpoint));
		yield { rows, isLast };
		if (isLast) return;
		cursors.add(cursor);
	}
}

/**
 * Reads a list to its end, or to `limit` records, and no more pages than that takes. Returns a
 * record once, even if it comes twice because rows moved.
 *
 * @param parts values of the request; `page` and `perPage` of its query are the first page and the
 * records per page
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
