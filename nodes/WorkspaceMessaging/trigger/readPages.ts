import type { IDataObject } from 'n8n-workflow';
import type { Call, Caller } from '../routing/client';
import { rowsOf } from '../routing/pages';

/** Records asked for at a time where a whole list is read. */
export const LARGE_PAGE = 500;
/** Pages of a list that are read side by side. */
const SIDE_BY_SIDE = 16;

export interface Page {
	rows: IDataObject[];
	/** Whether the list goes on, as far as the service counts its pages. */
	pageCount?: number;
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
 * wrongly because it gives fewer records than asked for, a page that brings nothing new (wire notes, lists).
 *
 * @param first the first page, where it has been read before
 * @returns whether the end was reached
 */
export async function readPages(
	caller: Caller,
	call: Call,
	perPage: number,
	take: (rows: IDataObject[]) => boolean,
	first?: Page,
): Promise<boolean> {
	const seen = new Set<unknown>();
	let pageCount = 0;
	let largest = 0;

	/** Whether the page is the last one. */
	const isEnd = ({ rows }: Page, number: number): boolean => {
		const before = seen.size;
		for (const { id } of rows) seen.add(id);
		if (seen.size === before) return true;
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
			if (!take(page.rows)) return false;
			if (isEnd(page, numbers[index])) return true;
		}
		next = last + 1;
	}
}

/** Reads a list to its end. */
export async function readWholeList(caller: Caller, call: Call): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	await readPages(caller, call, LARGE_PAGE, (rows) => {
		records.push(...rows);
		return true;
	});
	return records;
}
