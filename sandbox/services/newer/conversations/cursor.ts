import { z } from 'zod/v4';
import type { Workspace } from '../../../workspace';

/**
 * The place of a record in its list: a time, null for none, and an ID. Records of one time are in
 * the order of their IDs.
 */
export interface Place {
	at: string | null;
	id: string;
}

const placeText = z
	.string()
	.transform((text): unknown => JSON.parse(Buffer.from(text, 'base64url').toString()))
	.pipe(z.object({ at: z.string().nullable(), id: z.string().regex(/^\d+$/) }));

/** Reads a cursor; an unreadable one is none. */
function placeOf(cursor: string | undefined): Place | undefined {
	try {
		return placeText.safeParse(cursor).data;
	} catch {
		return undefined;
	}
}

const cursorOf = ({ at, id }: Place) =>
	Buffer.from(JSON.stringify({ at, id })).toString('base64url');

/** Compares places for a list with the latest first, and those without a time at its end. */
export function compareLatestFirst(left: Place, right: Place): number {
	if (left.at === right.at) {
		// IDs are too large for numbers.
		const isLarger =
			left.id.length === right.id.length ? left.id > right.id : left.id.length > right.id.length;
		return left.id === right.id ? 0 : isLarger ? -1 : 1;
	}
	if (left.at === null || right.at === null) return left.at === null ? 1 : -1;
	return left.at > right.at ? -1 : 1;
}

/**
 * Returns the page of a sorted list that begins after the cursor's place, even if the record of
 * that place has moved. `prevCursor` leads past the first record of the page, as on services, so
 * that it is no way back.
 */
export function cursorPage<T>(
	{ faults }: Workspace,
	records: readonly T[],
	{ cursor, perPage }: { cursor?: string; perPage: number },
	placeIn: (record: T) => Place,
): { data: T[]; nextCursor: string | null; prevCursor: string | null } {
	const size = Math.min(perPage, faults.settings.maxPerPage ?? perPage);
	const last = placeOf(cursor);
	const found = last
		? records.findIndex((record) => compareLatestFirst(last, placeIn(record)) < 0)
		: 0;
	const next = found === -1 ? records.length : found;
	const data = records.slice(next, next + size);
	const cursorAt = (record: T | undefined) =>
		record === undefined ? null : cursorOf(placeIn(record));
	return {
		data,
		nextCursor: next + size < records.length ? cursorAt(data.at(-1)) : null,
		prevCursor: cursorAt(data[0]),
	};
}
