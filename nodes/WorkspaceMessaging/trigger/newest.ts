import type { IDataObject } from 'n8n-workflow';
import { ApiError, isRefusal } from '../transport/errors/errors';
import type { Requester } from '../transport/request';
import { rethrow } from '../transport/rethrow';
import { rememberSortForm, sortFormsFor } from '../contacts/list/serviceSupport';
import type { SortForm } from '../contacts/list/serviceSupport';
import { contactPages } from './contacts';
import type { TimeField } from './contacts';
import { FIRST_READINGS, hasTimeForAnother, readWhole, WHOLE } from './lists';

/** How the newest contacts are read: services are known that give no more than 50 a page. */
export const NEWEST = { perPage: 50, ahead: 4 };
/** Contacts that are asked for in the opposite order, to check that the order asked for counts. */
const SORT_CHECK = 10;
/** Contacts that are kept of a list without order, besides those above the watermark. */
const KEPT = 500;

/** Which contacts are asked for. */
export interface ContactQuery {
	/** The filters, as the list takes them. */
	filters: IDataObject;
	/** The time that counts: the service's own (part 2.1), compared with others of it and never with n8n's clock. */
	field: TimeField;
	/** Contacts of this time or older are of no interest; infinite on a first poll. */
	watermark: number;
	/** How many contacts above it are remembered. */
	known: number;
	/** Contacts to read at least, where there are so many; 1 or more. */
	atLeast: number;
}

/** A contact at its place in time. */
export interface Row {
	id: string;
	/** Milliseconds since 1970. */
	at: number;
	contact: IDataObject;
}

/** The newest contacts. */
export interface Newest {
	/** Newest first; all that are above the watermark are among them, and some more. */
	rows: Row[];
	/** How many contacts can stay above the watermark without making polls more expensive. */
	room: number;
	/** Whether there are no others. */
	isAll: boolean;
	/** Whether it is certain that none above the watermark was missed. */
	isComplete: boolean;
}

/**
 * Reads all contacts above a watermark.
 *
 * The reference does not say by which fields a list can be sorted (part 4.1). So the newest are asked for, and then the
 * oldest: where both come as asked, the order counts, and reading ends at the watermark. Else the whole list is read.
 *
 * When there is no more room above the watermark, it has to rise, and more than a page is read twice to be certain that none
 * was missed.
 */
export async function readNewest(client: Requester, query: ContactQuery): Promise<Newest> {
	for (const form of sortFormsFor(client)) {
		const begun = performance.now();
		const newest = await readSorted(client, query, form);
		if (!newest) continue;
		rememberSortForm(client, form, query.field);
		if (newest.isComplete || query.known < newest.room || !hasTimeForAnother(begun, 1)) return newest;
		const again = (await readSorted(client, query, form))?.rows ?? [];
		const ids = new Set(again.map(({ id }) => id));
		const isComplete = newest.rows.every(({ id, at }) => at <= query.watermark || ids.has(id));
		return { ...newest, rows: latestOf([...newest.rows, ...again]), isComplete };
	}
	return await readUnsorted(client, query);
}

/** Reads down to the watermark, newest first; nothing where the service refuses to sort, or does not. */
async function readSorted(
	client: Requester,
	{ filters, field, watermark, atLeast }: ContactQuery,
	form: SortForm,
): Promise<Newest | undefined> {
	const sorted = (order: 'asc' | 'desc'): IDataObject => ({ ...filters, ...form([{ field, order }]) });
	const pages = (size: number) => (watermark === Infinity ? Math.ceil(atLeast / size) : Infinity);
	const rows: Row[] = [];
	let room = 0;
	try {
		for await (const page of contactPages(client, sorted('desc'), { ...NEWEST, pages })) {
			// Contacts that came before were pushed down by new ones, which says nothing about the order.
			const fresh = toRows(page.fresh, field);
			if (![...rows.slice(-1), ...fresh].every(isNotAfter)) return undefined;
			rows.push(...fresh);
			if (page.number === 1) {
				room = rows.length;
				if (room > 1 && !(await isOldestFirst(client, sorted('asc'), rows[0], field))) return undefined;
			}
			// A first page of one contact is all there is.
			const isAll = page.isLast || rows.length === 1;
			if (isAll || (rows.length >= atLeast && rows[rows.length - 1].at <= watermark))
				return { rows: latestOf(rows), room, isAll, isComplete: page.number === 1 };
		}
	} catch (error) {
		if (!isRefusal(error)) await rethrow(error);
	}
	return undefined;
}

/** Whether the oldest contacts come first where they are asked for: a list that only happens to be sorted fails here. */
async function isOldestFirst(
	client: Requester,
	query: IDataObject,
	newest: Row,
	field: TimeField,
): Promise<boolean> {
	const { value: page } = await contactPages(client, query, { perPage: SORT_CHECK }).next();
	const rows = page ? toRows(page.rows, field) : [];
	return rows.length > 0 && rows[0].at < newest.at && [...rows].reverse().every(isNotAfter);
}

/** Reads the whole list in whatever order, and keeps the contacts above the watermark and the newest others. */
async function readUnsorted(
	client: Requester,
	{ filters, field, watermark, known }: ContactQuery,
): Promise<Newest> {
	const most = watermark === Infinity ? FIRST_READINGS : known < KEPT ? 1 : 2;
	let kept: Row[] = [];
	let isAll = true;
	const isComplete = await readWhole(
		() => contactPages(client, filters, WHOLE),
		most,
		(contacts) => {
			const rows = latestOf([...kept, ...toRows(contacts, field)]);
			kept = rows.filter(({ at }, index) => index < KEPT || at > watermark);
			isAll &&= kept.length === rows.length;
		},
	);
	return { rows: kept, room: KEPT, isAll, isComplete };
}

/** Milliseconds since 1970; what is no time is older than any. */
export function timeOf(value: unknown): number {
	const time = typeof value === 'string' ? Date.parse(value) : NaN;
	return Number.isNaN(time) ? 0 : time;
}

/** Contacts with their times, in the order in which they came. */
function toRows(contacts: IDataObject[], field: TimeField): Row[] {
	const rows = contacts.map((contact) => ({ id: String(contact.id), at: timeOf(contact[field]), contact }));
	if (rows.length === 0 || rows.some(({ at }) => at > 0)) return rows;
	throw new ApiError(
		`The service lists contacts without "${field}", so that it cannot be seen which are new. This event cannot be watched there.`,
		{ outcome: 'refused' },
	);
}

/** Whether a contact of a list is not newer than the one before. */
const isNotAfter = ({ at }: Row, index: number, rows: Row[]) => index === 0 || at <= rows[index - 1].at;

/** Puts contacts in order, newest first. One that comes twice, because it moved, counts once, in its latest state. */
export function latestOf(rows: Row[]): Row[] {
	const latest = new Map<string, Row>();
	for (const row of rows) if (row.at >= (latest.get(row.id)?.at ?? 0)) latest.set(row.id, row);
	return [...latest.values()].sort((a, b) => b.at - a.at);
}
