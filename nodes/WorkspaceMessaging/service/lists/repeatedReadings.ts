import type { IDataObject } from 'n8n-workflow';
import type { Page } from './pages';

/*
 * Lists that are read again until a reading shows that nothing was missed: because it has all records
 * of the one before (`readUntilAgreed`), or because all that moved to the front meanwhile is on one
 * page (`readNewestFirst`). So the trigger reads, which seldom needs a second reading, as the next poll
 * finds what a poll missed. So are conversations read, too. Contacts are read as in `movingLists.ts`.
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
function* allowedReadings({ most, withinMs = Infinity }: Readings): Generator<number, void, void> {
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
