import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../contract/endpoint';
import { isRefusal, onApiError, type ApiError, ignore } from '../../transport/errors/ApiError';
import { isObject } from '../../transport/guards';
import type { Requester, RequestParts } from '../../transport/request';
import { listTraits } from '../capabilities';
import {
	distinctRecords,
	trackSeenRecords,
	readRecords,
	nameListedRecords,
	getRecordKey,
} from './records';

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

/** The pages of a list, one after the other. */
export type Pages = AsyncGenerator<Page, void, void>;

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
): Pages {
	if (endpoint.list === 'onePage') {
		const rows = readRecords(await client.request(endpoint, parts));
		yield { number: 1, rows, fresh: distinctRecords(rows), isLast: true };
		return;
	}
	yield* new PageReader(client, endpoint, parts, options).pages();
}

/** Reads the pages of one list, and decides which one is the last. */
export class PageReader {
	/** The largest count of all answers: they come in any order, and the list can grow meanwhile. */
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
	async *pages(): Pages {
		const { ahead = 0, pages = () => Infinity } = this.options;
		const isNew = trackSeenRecords();
		const first = await this.startReading();
		let rowsOfFirst = 0;
		for (let number = first; ; number++) {
			const rows = await this.getPage(number);
			this.underWay.delete(number);
			if (number === first) rowsOfFirst = rows.length;
			const fresh = rows.filter(isNew);
			const isLast = this.isLast(number, rows, fresh.length === 0);
			const pageCount = this.pageCount || undefined;
			yield { number, rows, fresh, isLast, pageCount };
			if (isLast) return;
			// Not before the caller asks for the next page: many stop at the first.
			const pagesRead = number - first + 1;
			const pagesNeeded = pages(rowsOfFirst, pagesRead);
			const lastNeeded = first - 1 + pagesNeeded;
			const upTo = Math.min(number + ahead, this.pageCount, lastNeeded);
			this.readAhead(number + 1, upTo);
		}
	}

	/** Requests the first page, and others beside it; returns its number. */
	private async startReading() {
		const { client, endpoint } = this;
		const { from = 1, perPage = PER_PAGE, atOnce = 1 } = this.options;
		return await withPageSize(client, endpoint, perPage, async (size) => {
			this.size = size;
			// If the service has just refused larger pages, theirs are of no use.
			this.underWay.clear();
			const recordsBefore = (from - 1) * perPage;
			// With smaller pages than requested, the same records begin on a later one.
			const first = 1 + Math.floor(recordsBefore / size);
			this.readAhead(first, first + atOnce - 1);
			await this.getPage(first);
			// This reading finds out again.
			listTraits(client, endpoint).cutAt = undefined;
			return first;
		});
	}

	/** Requests pages before their turn. */
	private readAhead(from: number, upTo: number) {
		// The turn of a page reports its failure, if it ever comes.
		for (let number = from; number <= upTo; number++) this.getPage(number).catch(() => {});
	}

	/** Returns the rows of a page; requests it unless that is under way. */
	async getPage(number: number): Promise<IDataObject[]> {
		const page = this.underWay.get(number) ?? this.readPage(number);
		this.underWay.set(number, page);
		return await page;
	}

	/** Sets the rows that a page has when its turn comes. */
	replace(number: number, rows: IDataObject[]) {
		this.underWay.set(number, Promise.resolve(rows));
	}

	/** Whether the list ends with this page. */
	private isLast(number: number, rows: IDataObject[], isStale: boolean) {
		const { pageCount, before } = this;
		this.before = rows;
		this.longest = Math.max(this.longest, rows.length);
		this.stale = isStale ? this.stale + 1 : 0;
		const isCounted = number < pageCount;
		const mostStale = isCounted ? MOST_STALE_PAGES_OF_ALL : MOST_STALE_PAGES;
		if (!isCounted) {
			if (rows.length === 0) return true;
			// The others were full.
			if (pageCount > 0 && rows.length < this.longest) return true;
			// A list without pages returns the same for every number.
			if (pageCount === 0 && isSamePage(rows, before)) {
				this.noteCutList(rows.length);
				return true;
			}
		}
		if (this.stale < mostStale) return false;
		this.client.hint?.(endedByNothingNew(this.endpoint));
		return true;
	}

	/**
	 * Notes that a list without pages may be cut, if it ends where services cut lists (difference 5).
	 */
	private noteCutList(records: number) {
		const { client, endpoint, size } = this;
		if (records !== SMALLER_PAGE && records !== size) return;
		listTraits(client, endpoint).cutAt = records;
		client.hint?.(mayBeCut(endpoint, records));
	}

	/**
	 * Requests one page, and returns its rows with all that they can show. Some services leave out
	 * what belongs to a record (tags, custom field values) unless `include` asks for it (difference
	 * 7). The first records show that, and n8n remembers it.
	 */
	async readPage(number: number): Promise<IDataObject[]> {
		const { includes = {} } = this.endpoint;
		const list = listTraits(this.client, this.endpoint);
		const known = list.include;
		const rows = await this.request(number, known);
		if (known) return rows;
		// No record shows what they lack.
		if (rows.length === 0) return rows;
		const include: string[] = [];
		for (const [key, value] of Object.entries(includes)) {
			const isShown = rows.some((row) => key in row);
			if (!isShown) include.push(value);
		}
		if (include.length === 0) {
			list.include = [];
			return rows;
		}
		const full = await this.request(number, include).catch(ignore(isRefusal));
		if (!full) {
			// The service refuses `include`.
			list.include = [];
			return rows;
		}
		list.include = include;
		return full;
	}

	private async request(page: number, include: string[] = []) {
		const { client, endpoint, parts, size } = this;
		const included = include.length > 0 ? { include } : {};
		const query = { ...parts.query, ...included, page, perPage: size };
		const body = await client.request(endpoint, { ...parts, query });
		const pageCount = isObject(body) ? body.pageCount : undefined;
		if (typeof pageCount === 'number') {
			this.pageCount = Math.max(this.pageCount, pageCount);
		}
		return readRecords(body);
	}
}

/**
 * Reads with a page size; with a smaller one if the service rejects it, or has rejected it before
 * (difference 4).
 */
export async function withPageSize<T>(
	client: Requester,
	endpoint: Endpoint,
	wanted: number,
	read: (size: number) => Promise<T>,
): Promise<T> {
	const list = listTraits(client, endpoint);
	const size = Math.min(wanted, list.largestPage ?? Infinity);
	const isTooLarge = (error: ApiError) => size > SMALLER_PAGE && isRefusal(error);
	const readSmaller = async () => {
		const answer = await read(SMALLER_PAGE);
		list.largestPage = SMALLER_PAGE;
		return answer;
	};
	return await read(size).catch(onApiError(isTooLarge, readSmaller));
}

/** Says that a list may be cut, because it has no pages and ends where services cut lists. */
function mayBeCut(endpoint: Endpoint, records: number) {
	const things = nameListedRecords(endpoint);
	return `This service lists only ${records} ${things}. If the workspace has more, the others are missing here.`;
}

/**
 * Says that a list ended although the service has further pages, because these brought nothing new.
 */
export const endedByNothingNew = (endpoint: Endpoint) =>
	`The service's next pages of ${nameListedRecords(endpoint)} brought nothing new, so n8n stopped reading. If there are more, they are missing here.`;

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
export async function readPagedList(
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
	const listParts = { ...parts, query };
	const records: IDataObject[] = [];
	for await (const { fresh } of readPages(client, endpoint, listParts, options)) {
		for (const record of fresh) records.push(record);
		if (records.length >= limit) break;
	}
	return limit === Infinity ? records : records.slice(0, limit);
}

/** Whether two pages have the same records in the same order. */
export function isSamePage(rows: IDataObject[], before: IDataObject[]): boolean {
	return (
		rows.length > 0 &&
		rows.length === before.length &&
		rows.every((row, index) => getRecordKey(row) === getRecordKey(before[index]))
	);
}
