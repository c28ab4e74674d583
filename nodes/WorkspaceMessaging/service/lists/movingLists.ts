import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../contract/endpoint';
import type { Requester, RequestParts } from '../../transport/request';
import { PageReader, SIDE_BY_SIDE, isSamePage } from './pages';
import type { Page, ReadOptions } from './pages';
import { distinctRecords, getRecordKey, getRecordKeys } from './records';

/*
 * Lists that move while n8n reads them.
 *
 * A page is a range of positions. If somebody deletes a record on a page that was read, the others
 * move up, and the first record of the next page moves to a page that is not read again. In a list
 * that has the newest changes first, a record that changes moves to the front. Either way, a
 * reading of several pages can miss a record that was there all the time. Records that are added in
 * front only push others down: those come twice. There are two strategies:
 *
 * 1. Read again (`allowedReadings`) until a reading shows that nothing was missed: because it has all
 * records of the one before (`readUntilAgreed`), or because all that moved to the front meanwhile
 * is on one page (`readNewestFirst`). This needs nothing of the service, but whole readings. So the
 * trigger reads, which seldom needs the second one, as the next poll finds what a poll missed. So
 * are conversations read, too.
 * 2. Look for what moved (`MovingListReader`), and read again only then. The last page is read
 * before those between. A record that moved up since then comes on the page before it, too; one that
 * was pushed down comes on the last page, if that is read again in its turn. In a list at rest, these
 * pages together have as many different records as there are positions. The first page, read again
 * at the end, shows whether something was deleted there before the last page was read. This costs a
 * quiet list one request. So the operations read contacts.
 */

/** A page of a list, or records that are read in another way. */
export type Rows = Pick<Page, 'rows'>;

/** How often to read a list at most. */
interface Readings {
	most: number;
	/** The time for all readings together; without a limit if empty. */
	withinMs?: number;
}

/** Counts the readings of a list, up to the last one that there is time for. */
export function* allowedReadings({
	most,
	withinMs = Infinity,
}: Readings): Generator<number, void, void> {
	const startedAt = performance.now();
	yield 0;
	for (let count = 1; count < most; count++) {
		const usualMs = (performance.now() - startedAt) / count;
		if (usualMs * (count + 1) >= withinMs) return;
		yield count;
	}
}

/**
 * Reads a list to its end until a reading returns all records of the reading before it.
 *
 * @param visit receives the records of each page, again with each reading
 * @returns whether the list is known to be complete
 */
export async function readUntilAgreed(
	read: () => AsyncIterable<Rows>,
	visit: (rows: IDataObject[]) => void,
	readings: Readings,
): Promise<boolean> {
	let last = new Set<unknown>();
	for (const count of allowedReadings(readings)) {
		const ids = new Set<unknown>();
		let pages = 0;
		for await (const { rows } of read()) {
			pages++;
			for (const { id } of rows) ids.add(id);
			visit(rows);
		}
		const hasAllOfLast = count > 0 && [...last].every((id) => ids.has(id));
		if (pages === 1 || hasAllOfLast) return true;
		last = ids;
	}
	return false;
}

/**
 * Gets the records of each page, some of them again with later readings, and returns whether they
 * are enough.
 */
export type TakeRows = (rows: IDataObject[]) => boolean | Promise<boolean>;

/** So often a list is read if more than a page moves to the front each time. */
const MOST_READINGS_OF_MOVED = 10;

/**
 * Reads a list down to a time, and then again what moved to the front meanwhile, until that is on
 * one page.
 *
 * @param getTime returns when a record changed, in milliseconds since 1970
 * @param since the time
 */
export async function readNewestFirst(
	read: () => AsyncIterable<Rows>,
	getTime: (row: IDataObject) => number,
	since: number,
	take: TakeRows,
): Promise<void> {
	let end = since;
	for (const count of allowedReadings({ most: MOST_READINGS_OF_MOVED })) {
		let pages = 0;
		let newest = end;
		for await (const { rows } of read()) {
			pages++;
			const isEnough = await take(rows);
			newest = Math.max(newest, ...rows.map(getTime));
			const isDown = rows.some((row) => getTime(row) <= end);
			// Later readings look for what has moved, no matter how much was found.
			if (isDown || (isEnough && count === 0)) break;
		}
		if (pages <= 1) return;
		end = newest;
	}
}

/** So often a list is read if records move up each time. */
const MOST_READINGS_UNTIL_REST = 3;

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

	/** Records that were added in front while the list was read. */
	arrived: IDataObject[] = [];

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
	async *pages(): AsyncGenerator<Page, void, void> {
		const { client, endpoint, parts, options } = this;
		let found: IDataObject[] = [];
		for (const count of allowedReadings({ most: MOST_READINGS_UNTIL_REST })) {
			const reading = new ListReading(new PageReader(client, endpoint, parts, options), options);
			let startsOver = count > 0;
			for await (const page of reading.pages()) {
				yield { ...page, startsOver };
				startsOver = false;
			}
			const isAtRest = await reading.check();
			const rows = reading.rows();
			if (!isAtRest) {
				found = distinctRecords([...rows, ...found]);
				continue;
			}
			this.isComplete = reading.isComplete;
			this.arrived = reading.arrived;
			// Somebody on the last page may have moved behind it, to a page that was read before that.
			if (rows.length > reading.countRecords()) yield wholeList(rows);
			return;
		}
		client.hint?.(MOVING);
		yield wholeList(found);
	}
}

const MOVING =
	'n8n read the list of contacts three times, but contacts were added or deleted each time, so some may be missing here. Run this again when fewer contacts change.';

const wholeList = (rows: IDataObject[]): Page => ({
	number: 1,
	rows,
	fresh: rows,
	isLast: true,
	startsOver: true,
});

/** One reading of a list. */
class ListReading {
	isComplete = false;

	arrived: IDataObject[] = [];

	/** The rows of each page, in order. */
	private readonly read = new Map<number, IDataObject[]>();

	/**
	 * The last page that the caller needs, which is read before those between; 0 if nobody knows it.
	 */
	private anchor = 0;

	private anchorRows: IDataObject[] = [];

	constructor(
		private readonly reader: PageReader,
		private readonly options: MovingListOptions,
	) {}

	async *pages(): AsyncGenerator<Page, void, void> {
		for await (const page of this.reader.pages()) {
			this.read.set(page.number, page.rows);
			yield page;
			if (page.isLast || this.options.isEnough?.()) return;
			if (this.read.size === 1) await this.readAnchor(page);
			else if (page.number === this.anchor - 1 && this.countMissing() > 0)
				await this.reader.readAgain(this.anchor);
		}
	}

	private async readAnchor({ number, rows }: Page) {
		const { atMost = () => Infinity } = this.options;
		const lastNeeded = number - 1 + atMost(rows.length);
		const last = Math.min(this.reader.pageCount, lastNeeded);
		// The last page may be empty by now.
		for (const candidate of [last, last - 1]) {
			if (candidate <= number) return;
			const found = await this.reader.readEarly(candidate);
			// Some services return the first page for every number (difference 5).
			if (found.length === 0 || isSamePage(found, rows)) continue;
			this.anchor = candidate;
			this.anchorRows = found;
			return;
		}
	}

	/** Whether, by all that the service shows, no record has moved to a page that was read before. */
	async check(): Promise<boolean> {
		const [, ...others] = this.read.values();
		const isRestEmpty = others.every((rows) => rows.length === 0);
		const hasOnePage = others.length === 0 || this.reader.pageCount === 1;
		if (isRestEmpty && hasOnePage) {
			this.isComplete = true;
			return true;
		}
		if (!(await this.checkFirst())) return false;
		if (this.anchor === 0) return true;
		if (!(await this.checkBetween())) return false;
		this.isComplete = this.hasNobodyBehind();
		return true;
	}

	/** Whether the pages behind the anchor have only records that those before them have, too. */
	private hasNobodyBehind(): boolean {
		const upToAnchor = this.collect(0, this.anchor);
		const inside = getRecordKeys([...upToAnchor, ...this.anchorRows]);
		const behind = this.collect(this.anchor + 1, Infinity);
		return behind.every((row) => inside.has(getRecordKey(row)));
	}

	/** Whether the first page, read again, has lost nobody; notes who arrived in front. */
	private async checkFirst(): Promise<boolean> {
		const [[first, firstRows]] = this.read;
		const again = await this.reader.readPage(first);
		const known = getRecordKeys(firstRows);
		const arrived = again.findIndex((row) => known.has(getRecordKey(row)));
		if (arrived < 0) return false;
		this.arrived = again.slice(0, arrived);
		const kept = again.slice(arrived);
		return isSamePage(kept, firstRows.slice(0, kept.length));
	}

	/** Whether the pages before the anchor lack nobody. */
	private async checkBetween(): Promise<boolean> {
		const { anchor, anchorRows } = this;
		const [[first]] = this.read;
		// Nothing comes between them.
		if (anchor === first + 1) return true;
		const hasGap = !this.read.has(anchor - 1);
		const missing = this.countMissing();
		if (!hasGap && missing <= 0) return true;
		let again = this.read.get(anchor);
		again ??= await this.reader.readPage(anchor);
		const rows = this.collectToAnchor();
		const known = getRecordKeys(rows);
		const isTwice = known.size < rows.length;
		const isUnmoved = !isTwice && isSamePage(again, anchorRows);
		// The caller needed fewer pages, so nothing at all may have moved.
		if (hasGap) return isUnmoved && this.arrived.length === 0;
		// Pages of some services are shorter than others.
		return isUnmoved || this.countPushed(again, known) >= missing;
	}

	/** Counts who was pushed down to the anchor: they are above its first row of before. */
	private countPushed(again: IDataObject[], known: Set<unknown>): number {
		const firstKey = getRecordKey(this.anchorRows[0]);
		const keys = again.map(getRecordKey);
		const above = keys.slice(0, Math.max(keys.indexOf(firstKey), 0));
		return above.filter((key) => !known.has(key)).length;
	}

	/**
	 * How many fewer different records the pages have, up to the anchor, than the list has positions.
	 */
	private countMissing(): number {
		const [[first, { length }]] = this.read;
		const positions = (this.anchor - first) * length + this.anchorRows.length;
		return positions - getRecordKeys(this.collectToAnchor()).size;
	}

	/** All records that were read, in the service's order. */
	rows(): IDataObject[] {
		const upToAnchor = this.collect(0, this.anchor);
		const anchorRows = this.read.has(this.anchor - 1) ? this.anchorRows : [];
		const behind = this.collect(this.anchor + 1, Infinity);
		return distinctRecords([...upToAnchor, ...anchorRows, ...behind]);
	}

	/** How many records the pages had. */
	countRecords(): number {
		return getRecordKeys(this.collect(0, Infinity)).size;
	}

	/** Returns the rows of the pages before the anchor, and those that the anchor had at first. */
	private collectToAnchor(): IDataObject[] {
		return [...this.collect(0, this.anchor - 1), ...this.anchorRows];
	}

	/** Returns the rows of the pages with these numbers. */
	private collect(from: number, upTo: number): IDataObject[] {
		const pages = [...this.read].filter(([number]) => number >= from && number <= upTo);
		return pages.flatMap(([, rows]) => rows);
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
