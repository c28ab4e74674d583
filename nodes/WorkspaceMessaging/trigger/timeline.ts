import type { IDataObject } from 'n8n-workflow';

/*
 * Contacts by one of their timestamps (part 2.1), and what has to be remembered to find each new one exactly once. Only the
 * service's own timestamps count, and only in comparison with each other: no clock of n8n is involved.
 */

export type TimeField = 'createdAt' | 'updatedAt';

/** A contact at its place in time. */
export interface Row {
	id: string;
	/** Milliseconds since 1970, by the service's clock. */
	at: number;
	contact: IDataObject;
}

/** A contact as it is remembered: its ID, its time, and what its fields looked like. */
export type Entry = [id: string, at: number, print?: string];

/** What is known of the contacts after a poll. */
export interface Timeline {
	/** Contacts of this time or older are no news, remembered or not; null when all that are not remembered are news. */
	floor: number | null;
	/** The floor from the next poll on. Until then what has just been read counts, so that it is read twice. */
	nextFloor: number | null;
	/** All contacts above the floor, newest first; older ones may follow. */
	recent: Entry[];
}

/** Milliseconds since 1970; what is no time is older than any. */
export function timeOf(value: unknown): number {
	const time = typeof value === 'string' ? Date.parse(value) : NaN;
	return Number.isNaN(time) ? 0 : time;
}

/** Puts contacts in order, newest first. One that comes twice, because it moved while the list was read, counts once. */
export function toRows(contacts: IDataObject[], field: TimeField): Row[] {
	const rows = new Map<string, Row>();
	for (const contact of contacts) {
		const row = { id: String(contact.id), at: timeOf(contact[field]), contact };
		const known = rows.get(row.id);
		if (!known || row.at > known.at) rows.set(row.id, row);
	}
	return [...rows.values()].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
}

/**
 * Chooses how far back the next polls look. Half a page of contacts stays above the floor and is compared one by one: so
 * one is found that becomes visible late or has the same time as others.
 *
 * Contacts of one time are never parted. If there are more of them than fit on a page, they go below the floor, so that
 * polls do not have to read all of them for ever.
 *
 * @param times the times of the newest contacts, newest first
 * @param page how many contacts come with one request
 * @param isAll whether there are no others
 */
export function floorOf(times: number[], page: number, isAll: boolean): number | null {
	const size = Math.min(page, times.length);
	if (size === 0) return null;
	for (let index = Math.max(1, Math.floor(page / 2)); index < size; index++) {
		if (times[index] < times[index - 1]) return times[index];
	}
	const oldest = times[size - 1];
	return isAll && times.length === size ? oldest - 1 : oldest;
}

/**
 * Whether the floor should rise: above a floor that stays, more and more has to be remembered, and where the service sorts,
 * to be read again with every poll. Only a reading that missed nothing can raise it, which may take more requests.
 *
 * @param page how many contacts come with one request, or can be remembered at no cost
 */
export function needsToRise({ floor, nextFloor, recent }: Timeline, page: number): boolean {
	if (nextFloor === null || nextFloor <= (floor ?? -Infinity)) return false;
	return recent.length >= page && recent[page - 1][1] > (floor ?? -Infinity);
}

/** The higher of two floors. */
export function higher(a: number | null, b: number | null): number | null {
	return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
