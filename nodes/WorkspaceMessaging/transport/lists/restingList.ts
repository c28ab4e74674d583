import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../contract/endpoint';
import type { Requester, RequestParts } from '../request';
import { PageReader, SIDE_BY_SIDE } from './pages';
import type { Page, ReadOptions } from './pages';
import { distinctRecords, isSamePage, getRecordKey, keySet } from './records';

/*
 * Lists that miss no record, although others add records in front or delete some meanwhile.
 *
 * A page is a range of positions. If somebody deletes a record on a page that was read, the others move up, and the first
 * record of the next page moves to a page that is not read again. So the last page is read before those between. A record
 * that moved up since then comes on the page before it, too; one that was pushed down comes on the last page, if that is read
 * again in its turn. In a list at rest, these pages together have as many different records as there are positions. The first
 * page, read again at the end, shows whether something was deleted there before the last page was read. That costs a quiet
 * list one request.
 */

/** So often a list is read if records move up each time. */
const MOST_READINGS = 3;

/** How a list at rest is read. */
export interface RestOptions extends ReadOptions {
	/** Returns how many pages the caller reads at most; all if empty. */
	atMost?: (rowsOfFirst: number) => number;
	/** Whether the caller has enough, asked after each page; it must not stop by itself. */
	isEnough?: () => boolean;
}

/** A list that is read again if its records moved up meanwhile. */
export class RestingList {
	/** Whether the pages had every record of the list for certain; known when they have ended. */
	isComplete = false;

	/** Records that were added in front while the list was read. */
	arrived: IDataObject[] = [];

	/** @param parts values of the request, without `page` and `perPage` */
	constructor(
		private readonly client: Requester,
		private readonly endpoint: Endpoint,
		private readonly parts: RequestParts,
		private readonly options: RestOptions,
	) {}

	/**
	 * Reads the list page after page. A page with `startsOver` begins it again. If the list does not come to rest, the last page
	 * has all records of all readings, and a hint says so.
	 */
	async *pages(): AsyncGenerator<Page, void, void> {
		let known: IDataObject[] = [];
		for (let count = 1; count <= MOST_READINGS; count++) {
			const { client, endpoint, parts, options } = this;
			const reading = new ListReading(new PageReader(client, endpoint, parts, options), options);
			let startsOver = count > 1;
			for await (const page of reading.pages()) {
				yield { ...page, startsOver };
				startsOver = false;
			}
			const isAtRest = await reading.check();
			const rows = reading.rows();
			if (isAtRest) {
				this.isComplete = reading.isComplete;
				this.arrived = reading.arrived;
				// Somebody on the last page may have moved behind it, to a page that was read before that.
				if (rows.length > reading.countRecords()) yield wholeList(rows);
				return;
			}
			known = merge(known, rows);
		}
		this.client.hint?.(MOVING);
		yield wholeList(known);
	}
}

const MOVING =
	'Each of the three times that n8n read the list of contacts, some were added or deleted meanwhile. So contacts may be missing here. Run this again when fewer contacts change.';

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

	/** The last page that the caller needs, which is read before those between; 0 if nobody knows it. */
	private anchor = 0;

	private anchorRows: IDataObject[] = [];

	/** The rows of the anchor after the pages before, if somebody moved meanwhile. */
	private anchorAgain?: IDataObject[];

	constructor(
		private readonly reader: PageReader,
		private readonly options: RestOptions,
	) {}

	async *pages(): AsyncGenerator<Page, void, void> {
		for await (const page of this.reader.pages()) {
			this.read.set(page.number, page.rows);
			yield page;
			if (page.isLast || this.options.isEnough?.()) return;
			if (this.read.size === 1) await this.readAnchor(page);
			else if (page.number === this.anchor - 1 && this.countMissing() > 0)
				this.anchorAgain = await this.reader.readAgain(this.anchor);
		}
	}

	private async readAnchor({ number, rows }: Page) {
		const { atMost = () => Infinity } = this.options;
		const last = Math.min(this.reader.pageCount, number - 1 + atMost(rows.length));
		// The last page may be empty by now.
		for (const candidate of [last, last - 1].filter((page) => page > number)) {
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
		const [[first, firstRows], ...others] = this.read;
		const isOnePage = this.reader.pageCount === 1 && others.every(([, rows]) => rows.length === 0);
		this.isComplete = others.length === 0 || isOnePage;
		if (this.isComplete) return true;
		const again = await this.reader.read(first);
		const known = keySet(firstRows);
		const arrived = again.findIndex((row) => known.has(getRecordKey(row)));
		this.arrived = again.slice(0, Math.max(arrived, 0));
		const kept = again.slice(arrived);
		if (arrived < 0 || !isSamePage(kept, firstRows.slice(0, kept.length))) return false;
		if (this.anchor === 0) return true;
		// Nothing comes between them.
		const isAtRest = this.anchor === first + 1 || (await this.checkBetween());
		const inside = keySet([...this.collect(first, this.anchor), ...this.anchorRows]);
		const behind = this.collect(this.anchor + 1, Infinity);
		this.isComplete = isAtRest && behind.every((row) => inside.has(getRecordKey(row)));
		return isAtRest;
	}

	/** Whether the pages before the anchor lack nobody. */
	private async checkBetween(): Promise<boolean> {
		const { anchor, anchorRows } = this;
		const hasGap = !this.read.has(anchor - 1);
		const missing = this.countMissing();
		if (!hasGap && missing === 0) return true;
		const again = this.anchorAgain ?? (await this.reader.read(anchor));
		const rows = this.collectToAnchor();
		const known = keySet(rows);
		const isUnmoved = known.size === rows.length && isSamePage(again, anchorRows);
		// The caller needed fewer pages, so nothing at all may have moved.
		if (hasGap) return isUnmoved && this.arrived.length === 0;
		// Who was pushed down to the anchor is above its first row of before.
		const top = again.findIndex((row) => getRecordKey(row) === getRecordKey(anchorRows[0]));
		const pushed = again.slice(0, Math.max(top, 0)).filter((row) => !known.has(getRecordKey(row)));
		// Pages of some services are shorter than others.
		return pushed.length >= missing || isUnmoved;
	}

	/** How many fewer different records the pages have, up to the anchor, than the list has positions. */
	private countMissing(): number {
		const [[first, { length }]] = this.read;
		const positions = (this.anchor - first) * length + this.anchorRows.length;
		return Math.max(0, positions - keySet(this.collectToAnchor()).size);
	}

	/** All records that were read, in the service's order. */
	rows(): IDataObject[] {
		const hasGap = !this.read.has(this.anchor - 1);
		const upToAnchor = this.collect(0, this.anchor);
		if (!hasGap) upToAnchor.push(...this.anchorRows);
		return distinctRecords([...upToAnchor, ...this.collect(this.anchor + 1, Infinity)]);
	}

	/** How many records the pages had. */
	countRecords(): number {
		return keySet(this.collect(0, Infinity)).size;
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

/** Adds the records that only the older reading has to the newer one, each before the one that it came before. */
function merge(older: IDataObject[], newer: IDataObject[]): IDataObject[] {
	const known = keySet(newer);
	const missing = new Map<unknown, IDataObject[]>();
	let own: IDataObject[] = [];
	for (const row of older) {
		if (!known.has(getRecordKey(row))) {
			own.push(row);
			continue;
		}
		missing.set(getRecordKey(row), own);
		own = [];
	}
	return [...newer.flatMap((row) => [...(missing.get(getRecordKey(row)) ?? []), row]), ...own];
}

/** Reads a whole list; see `RestingList`. */
export async function readRestingList(
	client: Requester,
	endpoint: Endpoint,
	parts: RequestParts,
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	for await (const { fresh, startsOver } of new RestingList(client, endpoint, parts, {
		ahead: SIDE_BY_SIDE,
	}).pages()) {
		if (startsOver) records.length = 0;
		for (const record of fresh) records.push(record);
	}
	return records;
}
