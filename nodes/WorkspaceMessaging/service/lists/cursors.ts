import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../contract/endpoint';
import { isObject } from '../../transport/guards';
import type { Requester, RequestParts } from '../../transport/request';
import { endedByNothingNew, withPageSize } from './pages';
import { nameListedRecords, distinctRecords, trackSeenRecords, readRecords } from './records';

/**
 * So many pages in a row without anything new end a list. Two can be empty: some services filter what a page would
 * have had.
 */
const MOST_STALE_PAGES = 3;

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
	const isNew = trackSeenRecords();
	let cursor: unknown;
	let stalePages = 0;
	let cameTwice = false;
	let isStuck = false;
	try {
		for (let isLast = false; !isLast; cursors.add(cursor)) {
			const perPage = cursors.size === 0 ? first : next;
			const page = await requestByCursor(client, endpoint, parts, cursor, perPage);
			({ cursor } = page);
			const { rows } = page;
			const fresh = rows.filter(isNew);
			cameTwice ||= fresh.length < rows.length;
			stalePages = fresh.length === 0 ? stalePages + 1 : 0;
			const isKnown = cursors.has(cursor);
			const startsOver = isKnown && stalePages > 0 && rows.length > 0;
			isStuck = Boolean(cursor) && (startsOver || stalePages === MOST_STALE_PAGES);
			isLast = !cursor || isKnown || isStuck;
			yield { rows, isLast };
		}
	} finally {
		if (isStuck) client.hint?.(endedByNothingNew(endpoint));
		else if (cameTwice) client.hint?.(mayLack(endpoint));
	}
}

/** Requests the page at a cursor; returns its records, and the cursor of the next page. */
async function requestByCursor(
	client: Requester,
	endpoint: Endpoint,
	parts: RequestParts,
	from: unknown,
	wanted: number,
) {
	const place = typeof from === 'string' ? { cursor: from } : {};
	const body = await withPageSize(client, endpoint, wanted, async (perPage) => {
		const query = { ...parts.query, ...place, perPage };
		return await client.request(endpoint, { ...parts, query });
	});
	const cursor = isObject(body) ? body.nextCursor : undefined;
	return { rows: distinctRecords(readRecords(body)), cursor };
}

/** Says that a list moved while n8n read it. */
function mayLack(endpoint: Endpoint) {
	const things = nameListedRecords(endpoint);
	return `The service returned some ${things} twice, because its list changed while n8n read it. If others left the list meanwhile, some ${things} may be missing here. Run this again when fewer change.`;
}
