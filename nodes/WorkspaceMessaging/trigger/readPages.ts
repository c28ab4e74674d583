import type { IDataObject } from 'n8n-workflow';
import type { Call, Caller } from './shim';
import { rowsOf } from './shim';

/** Records asked for at a time where a whole list is read. */
export const LARGE_PAGE = 500;
/** Pages of a list that are read side by side. */
const SIDE_BY_SIDE = 16;

/** How often a list is read, at most, until two readings agree. */
const MOST_READINGS = 4;
/** How long all readings together may take: n8n's scheduler ends a poll after some 40 seconds. */
const ALL_READINGS_MS = 20_000;

export interface Page {
	rows: IDataObject[];
	/** Whether the list goes on, as far as the service counts its pages. */
	pageCount?: number;
}

/** What came of reading a list. */
export interface Reading {
	/** Whether its end was reached. */
	isEnd: boolean;
	/** Whether one request was enough. Between two, records can move to another page and be missed. */
	isOnePage: boolean;
	ids: Set<unknown>;
	/** Whether a record came twice. */
	hasRepeats: boolean;
}

/** Reads one page of a list. */
export async function readPage(caller: Caller, call: Call, page: number, perPage: number): Promise<Page> {
	const body = await caller.send({ ...call, query: { ...call.query, page, perPage } });
	const { pageCount } = (body ?? {}) as { pageCount?: unknown };
	return { rows: rowsOf(body), pageCount: typeof pageCount === 'number' ? pageCount : undefined };
}

/**
 * Reads a list page after page and hands each over in order, without keeping any, until `take` returns false or the
 * list ends. More and more pages are read side by side, as many as the list is known to have.
 *
 * The end is the last page that the service counts, as its newest answer counts them; else, or where it may have counted
 * wrongly because it gives fewer records than asked for, an empty page or a second one in a row that brings nothing new:
 * the first can come of new records, which push the others down.
 *
 * @param take gets the records of a page, and those of them that have not come before
 * @param first the first page, where it has been read before
 */
export async function readPages(
	caller: Caller,
	call: Call,
	perPage: number,
	take: (rows: IDataObject[], fresh: IDataObject[]) => boolean,
	first?: Page,
): Promise<Reading> {
	const ids = new Set<unknown>();
	let hasRepeats = false;
	let pageCount = 0;
	let largest = 0;
	let stale = 0;

	/** Whether the page is the last one. */
	const isLast = ({ rows }: Page, fresh: IDataObject[], number: number): boolean => {
		stale = fresh.length === 0 ? stale + 1 : 0;
		if (rows.length === 0 || stale === 2) return true;
		largest = Math.max(largest, rows.length);
		return pageCount > 0 && number >= pageCount && (largest >= perPage || rows.length < largest);
	};

	for (let next = 1, atOnce = 1; ; atOnce = Math.min(atOnce * 2, SIDE_BY_SIDE)) {
		const last = pageCount >= next ? Math.min(pageCount, next + atOnce - 1) : next;
		const numbers = Array.from({ length: last - next + 1 }, (_, index) => next + index);
		const pages = await Promise.all(
			numbers.map(async (number) =>
				number === 1 && first ? first : await readPage(caller, call, number, perPage),
			),
		);
		for (const page of pages) pageCount = Math.max(pageCount, page.pageCount ?? 0);
		for (const [index, page] of pages.entries()) {
			const fresh = page.rows.filter(({ id }) => !ids.has(id));
			for (const { id } of fresh) ids.add(id);
			// Some services repeat their last page for ever.
			if (fresh.length > 0) hasRepeats ||= stale > 0 || fresh.length < page.rows.length;
			const goesOn = take(page.rows, fresh);
			const isEnd = isLast(page, fresh, numbers[index]);
			if (!goesOn || isEnd)
				return { isEnd: isEnd && goesOn, isOnePage: numbers[index] === 1, ids, hasRepeats };
		}
		next = last + 1;
	}
}

/**
 * Reads a list until two readings in a row bring the same records, and none twice: then nothing has moved between its pages
 * while these were read, and no record was missed. A list of one page is read once.
 *
 * @param most how often it is read at most; less often where that takes long
 * @returns whether no record can have been missed
 */
export async function readUntilAgreed(read: () => Promise<Reading>, most = MOST_READINGS): Promise<boolean> {
	const begun = performance.now();
	let last = await read();
	for (let count = 1; !last.isOnePage && count < most && hasTimeForAnother(begun, count); count++) {
		const next = await read();
		if (agree(last, next)) return true;
		last = next;
	}
	return last.isOnePage;
}

/** Whether there is time to read a list once more, after it was read `count` times since `begun`. */
export function hasTimeForAnother(begun: number, count: number): boolean {
	const each = (performance.now() - begun) / count;
	return each * (count + 1) < ALL_READINGS_MS;
}

function agree(a: Reading, b: Reading): boolean {
	if (a.hasRepeats || b.hasRepeats || a.ids.size !== b.ids.size) return false;
	return [...a.ids].every((id) => b.ids.has(id));
}

/**
 * Reads a list to its end. A record that comes twice is returned once.
 *
 * @param isFirst whether what is missed now would later be taken for new, so that the list is read until two readings agree
 */
export async function readWholeList(caller: Caller, call: Call, isFirst: boolean): Promise<IDataObject[]> {
	const records = new Map<unknown, IDataObject>();
	const read = async () =>
		await readPages(caller, call, LARGE_PAGE, (rows) => {
			for (const row of rows) records.set(row.id, row);
			return true;
		});
	await readUntilAgreed(read, isFirst ? undefined : 1);
	return [...records.values()];
}
