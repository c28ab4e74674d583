import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../transport/pagination';

/** How the trigger reads whole lists: records per request, and pages to request ahead. */
export const WHOLE = { perPage: 500, ahead: 16 };

/** The most readings of a list when watching begins: a record that is missing then would be new later. */
const FIRST_READINGS = 4;
/** The most time for all readings together: n8n's scheduler ends a poll after about 40 seconds. */
const ALL_READINGS_MS = 20_000;

/** A page of a list, or records that are read in another way. */
export type Rows = Pick<Page, 'rows'>;

/**
 * Reads a list to its end up to `most` times, until a reading returns all records of the reading before it. If a record is
 * deleted between two pages, another one moves to a page that was already read, and the reading misses it. So a list is only
 * complete if nothing left it meanwhile.
 *
 * @param visit receives the records of each page, again with each reading
 * @returns whether the list is known to be complete
 */
export async function readWhole(
	read: () => AsyncIterable<Rows>,
	visit: (rows: IDataObject[]) => void,
	most = FIRST_READINGS,
): Promise<boolean> {
	const startedAt = performance.now();
	let last: Set<unknown> | undefined;
	for (let count = 0; count < most; count++) {
		if (last && !hasTimeForAnother(startedAt, count)) return false;
		const ids = new Set<unknown>();
		for await (const { rows } of read()) {
			for (const { id } of rows) ids.add(id);
			visit(rows);
		}
		if (last && [...last].every((id) => ids.has(id))) return true;
		last = ids;
	}
	return false;
}

/** Whether there is time for another reading after `count` readings. */
export function hasTimeForAnother(startedAt: number, count: number): boolean {
	return ((performance.now() - startedAt) / count) * (count + 1) < ALL_READINGS_MS;
}
