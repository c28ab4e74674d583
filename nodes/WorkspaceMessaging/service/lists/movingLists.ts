import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../contract/endpoint';
import type { Requester, RequestParts } from '../../transport/request';
import {
	PageReader,
	SIDE_BY_SIDE,
	isSamePage,
	type Page,
	type Pages,
	type ReadOptions,
} from './pages';
import { distinctRecords, getRecordKey, getRecordKeys, trackSeenRecords } from './records';

/*
 * Lists that move while n8n reads them.
 *
 * A page is a range of places. If somebody deletes a record on a page that was read, the others move
 * up, and the first record of the next page moves to a page that is not read again. So a reading can
 * miss a record that was there all the time. Records that are added in front only push others down.
 *
 * The rule: n8n reads the last page before those between, so it knows how many records the list has.
 * If the pages have as many different ones, nobody is missing; otherwise n8n reads the list again.
 */

/** So often a list is read if records move up each time. */
const MOST_READINGS = 3;

/** How a list that can move is read. */
export interface MovingListOptions extends ReadOptions {
	/** Returns how many pages the caller reads at most; all if empty. */
	atMost?: (rowsOfFirst: number) => number;
	/** Whether the caller has enough, asked after each page; it must not stop by itself. */
	isEnough?: () => boolean;
}

/** Reads a list, and again if its records moved up meanwhile. */
export class MovingListReader {
	/** Whether the pages had every record of the list for certain; known when they have ended. */
	isComplete = false;

	/** @param parts values of the request, without `page` and `perPage` */
	constructor(
		private readonly client: Requester,
		private readonly endpoint: Endpoint,
		private readonly parts: RequestParts,
		private readonly options: MovingListOptions,
	) {}

	/**
	 * Reads the list page after page. A page with `startsOver` begins it again. If the list does not
	 * come to rest, the last page has all records of all readings, those that the last reading missed
	 * at the end, and a hint says so.
	 */
	async *pages(): Pages {
		const { client, endpoint, parts, options } = this;
		let found: IDataObject[] = [];
		for (let count = 1; count <= MOST_READINGS; count++) {
			// Side by side, a later page can be read first. A new record then pushes the last one of the
			// page before onto it, where nobody looks any more. One after another, this cannot happen.
			const ahead = count < MOST_READINGS ? options.ahead : 0;
			const pageReader = new PageReader(client, endpoint, parts, { ...options, ahead });
			const reading = new ListReading(pageReader, options);
			let startsOver = count > 1;
			for await (const page of reading.pages()) {
				yield { ...page, startsOver };
				startsOver = false;
			}
			this.isComplete = reading.isComplete;
			if (!reading.hasMoved) return;
			found = distinctRecords([...reading.rows, ...found]);
		}
		client.hint?.(MOVING);
		yield { number: 1, rows: found, fresh: found, isLast: true, startsOver: true };
	}
}

const MOVING =
	'n8n read the list of contacts three times, but contacts were added or deleted each time, so some may be missing here. Run this again when fewer contacts change.';

/** One reading of a list. */
class ListReading {
	/** The records of all pages so far; some can come twice. */
	readonly rows: IDataObject[] = [];

	/** Whether a record may have moved to a page that was read before. */
	hasMoved = false;

	private first?: Page;

	/** The last page that the caller needs, as it was before those between; empty if nobody knows it. */
	private last?: Pick<Page, 'number' | 'rows'>;

	/** Whether pages behind the last one have further records. */
	private goesOn = false;

	constructor(
		private readonly reader: PageReader,
		private readonly options: MovingListOptions,
	) {}

	/** Whether nobody is missing for certain; known when the pages have ended. */
	get isComplete(): boolean {
		return this.last !== undefined && !this.goesOn && !this.hasMoved;
	}

	async *pages(): Pages {
		for await (const page of this.reader.pages()) {
			for (const row of page.rows) this.rows.push(row);
			yield page;
			const isEnough = this.options.isEnough?.() === true;
			await this.check(page, isEnough || page.isLast);
			if (page.isLast || isEnough) return;
		}
	}

	/** @param isEnd whether the reading ends with this page */
	private async check(page: Page, isEnd: boolean) {
		const { last, first } = this;
		if (!first) {
			this.first = page;
			if (isEnd) this.last = page;
			else await this.readLast(page);
		} else if (last) {
			this.goesOn ||= page.number > last.number && page.fresh.length > 0;
			if (page.number === last.number - 1) await this.compare(first, last);
			else if (isEnd && page.number < last.number) {
				// The other pages are not known, so nothing at all may have moved. A new record could have
				// pushed the last page back to where it was: then the first page shows it, if it is read later.
				const isUnmoved = (await this.hasSame(last)) && (await this.hasSame(first));
				this.hasMoved ||= !isUnmoved;
			}
		}
	}

	/** Whether a page still has the same records. */
	private async hasSame({ number, rows }: Pick<Page, 'number' | 'rows'>): Promise<boolean> {
		return isSamePage(await this.reader.readPage(number), rows);
	}

	/** Reads the last page, and then the first again: the two belong together if it has not changed. */
	private async readLast(first: Page) {
		const { reader, options } = this;
		const lastNeeded = first.number - 1 + (options.atMost?.(first.rows.length) ?? Infinity);
		const number = Math.min(reader.pageCount, lastNeeded);
		if (number === first.number) this.last = first;
		if (number <= first.number) return;
		// The last page may be empty by now.
		for (const candidate of [number, number - 1]) {
			if (candidate === first.number) break;
			const rows = await reader.getPage(candidate);
			// Some services return the first page for every number (difference 5).
			if (rows.length === 0 || isSamePage(rows, first.rows)) continue;
			this.last = { number: candidate, rows };
			break;
		}
		// Without a last page, the list has become much shorter, or the service counts wrongly.
		this.hasMoved = !(await this.hasSame(first));
	}

	/**
	 * Compares how many different records the pages have with how many the list had. New ones in front
	 * have pushed as many others down, to where the last page was and perhaps behind it. They are above
	 * those that were on the last page.
	 */
	private async compare(first: Page, last: Pick<Page, 'number' | 'rows'>) {
		const pagesBefore = last.number - first.number;
		const places = pagesBefore * first.rows.length + last.rows.length;
		const known = getRecordKeys([...this.rows, ...last.rows]);
		const missing = places - known.size;
		if (missing <= 0) return;
		const pushed = await this.readPushed(last);
		for (const row of pushed) known.add(getRecordKey(row));
		this.reader.replace(last.number, distinctRecords([...pushed, ...last.rows]));
		this.hasMoved ||= known.size < places;
	}

	/** Reads from the place of the last page down to the first record that was on it. */
	private async readPushed({ number, rows }: Pick<Page, 'number' | 'rows'>) {
		const keys = getRecordKeys(rows);
		const pushed: IDataObject[] = [];
		const isNew = trackSeenRecords();
		for (let page = number; ; page++) {
			const again = await this.reader.readPage(page);
			const place = again.findIndex((row) => keys.has(getRecordKey(row)));
			if (place !== -1) return [...pushed, ...again.slice(0, place)];
			// Behind the end, services repeat the last page or list nothing.
			const fresh = again.filter(isNew);
			if (fresh.length === 0) return [];
			pushed.push(...fresh);
		}
	}
}

/** Reads a whole list; see `MovingListReader`. */
export async function readMovingList(
	client: Requester,
	endpoint: Endpoint,
	parts: RequestParts,
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	const list = new MovingListReader(client, endpoint, parts, { ahead: SIDE_BY_SIDE });
	for await (const { fresh, startsOver } of list.pages()) {
		if (startsOver) records.length = 0;
		for (const record of fresh) records.push(record);
	}
	return records;
}
