import type { IDataObject } from 'n8n-workflow';
import { readPages } from '../transport/pagination';
import type { Page } from '../transport/pagination';
import type { Requester } from '../transport/request';
import type { Endpoint } from '../contract';

/** How a whole list is read: records with one request, and pages that are asked for side by side. */
export const WHOLE = { perPage: 500, ahead: 16 };

/** How often a list is read to be sure of it when watching begins. */
export const FIRST_READINGS = 4;
/** How long all readings together may take: n8n's scheduler ends a poll after some 40 seconds. */
const ALL_READINGS_MS = 20_000;

/**
 * Reads a list to its end, and if told to, again until a reading brings all that the one before brought. When a record is
 * deleted between two pages, another one moves to a page that was read already, and is missed; so a list is only known to
 * be complete if nothing has left it while it was read.
 *
 * @param read begins a reading
 * @param most how often the list is read at most; less often where that takes long
 * @param visit gets the records of each page; they come again with each reading
 * @returns whether the list is known to be complete
 */
export async function readWhole(
	read: () => AsyncIterable<Page>,
	most: number,
	visit: (rows: IDataObject[]) => void,
): Promise<boolean> {
	const begun = performance.now();
	let last: Set<unknown> | undefined;
	for (let count = 0; count < most; count++) {
		if (last && !hasTimeForAnother(begun, count)) return false;
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

/** Whether there is time to read a list once more, after it was read `count` times since `begun`. */
export function hasTimeForAnother(begun: number, count: number): boolean {
	const eachMs = (performance.now() - begun) / count;
	return eachMs * (count + 1) < ALL_READINGS_MS;
}

/** All records of a list, each in its latest state; `isFirst` when one that is missed would later be taken for new. */
export async function readRecords(
	client: Requester,
	endpoint: Endpoint,
	isFirst: boolean,
): Promise<IDataObject[]> {
	const records = new Map<unknown, IDataObject>();
	await readWhole(
		() => readPages(client, endpoint, {}, WHOLE),
		isFirst ? FIRST_READINGS : 1,
		(rows) => rows.forEach((row) => records.set(row.id, row)),
	);
	return [...records.values()];
}
