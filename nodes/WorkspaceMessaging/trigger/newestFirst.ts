import type { IDataObject } from 'n8n-workflow';
import { listContacts } from '../contract';
import { callOf } from '../routing/call';
import type { Call, Caller } from '../routing/client';
import { CallError } from '../routing/errors';
import { LARGE_PAGE, readPage, readPages } from './readPages';
import type { Page } from './readPages';
import { timeOf, toRows } from './timeline';
import type { Row, TimeField, Timeline } from './timeline';

/** Contacts asked for at a time where the newest come first. */
const PAGE = 100;
/** Contacts that are asked for in the opposite order, to prove that the order asked for counts. */
const PROOF = 10;
/** How long such a proof counts while nothing changes: the service may be replaced by another release. */
const PROOF_LASTS_MS = 15 * 60 * 1000;

/** Which contacts are asked for. */
export interface Question {
	/** The filters, as the list takes them. */
	query: IDataObject;
	/** The time that counts. */
	field: TimeField;
	/** What tells this list from all others that this process reads. */
	key: string;
	/** Contacts to read at least, where there are so many. */
	atLeast: number;
}

/** The newest contacts. */
export interface Newest {
	/** Newest first; all that are above the floor of the timeline are among them. */
	rows: Row[];
	/** How many of them come with one request. */
	page: number;
	/** Whether there are no others. */
	isAll: boolean;
	/** Whether they came with one answer. Between two, contacts can move to another page and be missed. */
	isOnePage: boolean;
}

/** Whether the service keeps the order asked for, ignores it, or refuses a request that asks for one. */
type Order = 'kept' | 'ignored' | 'refused';

const orders = new Map<string, { order: Order; at: number }>();

/**
 * Reads all contacts above the floor of a timeline, newest first, and some more.
 *
 * The reference does not say by which fields a list can be sorted (part 4.1). So the order received is checked, and with
 * anything new it is proved, by asking for the opposite: a list that only happens to be sorted comes the same both times.
 * Where the order can be relied on, reading ends at the floor, after one request if nothing is new; else the whole list is
 * read.
 */
export async function readNewest(caller: Caller, question: Question, known?: Timeline): Promise<Newest> {
	const { key, field } = question;
	const proved = provedOrder(key);
	if (proved === 'ignored' || proved === 'refused') return await readAll(caller, question, known);

	const first = await readPage(caller, sorted(question, 'desc'), 1, PAGE).catch(unlessRefused);
	if (!first) {
		note(key, 'refused');
		return await readAll(caller, question, known);
	}
	const { rows } = first;
	checkTimes(rows, field);
	// Nothing that could be in order or not.
	if (rows.length === 0 || (rows.length === 1 && first.pageCount === 1))
		return { rows: toRows(rows, field), page: rows.length, isAll: true, isOnePage: true };

	let order: Order | 'unknown' = isSorted(rows, field, 'desc') ? 'kept' : 'ignored';
	if (order === 'kept' && (proved !== 'kept' || !isAsRemembered(rows, field, known))) {
		order = await proveOrder(caller, question, rows);
		if (order !== 'unknown') note(key, order);
	}
	if (order === 'kept') {
		const newest = await readDownToFloor(caller, question, first, known);
		if (newest) return newest;
	}
	if (order !== 'unknown') note(key, 'ignored');
	return await readAll(caller, question, known);
}

/** Reads one contact, the newest where the service sorts. */
export async function readNewestOne(caller: Caller, question: Question): Promise<IDataObject | undefined> {
	const sortedPage = await readPage(caller, sorted(question, 'desc'), 1, 1).catch(unlessRefused);
	return (sortedPage ?? (await readPage(caller, unsorted(question), 1, 1))).rows[0];
}

/** Reads on until the floor is reached; undefined when the order breaks on the way. */
async function readDownToFloor(
	caller: Caller,
	question: Question,
	first: Page,
	known?: Timeline,
): Promise<Newest | undefined> {
	const { field, atLeast } = question;
	const floor = floorToReach(known);
	const contacts: IDataObject[] = [];
	let pages = 0;
	let isBroken = false;
	const isAll = await readPages(
		caller,
		sorted(question, 'desc'),
		PAGE,
		(rows) => {
			pages++;
			isBroken ||= !isSorted([...contacts.slice(-1), ...rows], field, 'desc');
			contacts.push(...rows);
			const isReached = rows.length > 0 && timeOf(rows[rows.length - 1][field]) <= floor;
			return !isBroken && !(isReached && contacts.length >= atLeast);
		},
		first,
	);
	if (isBroken) return undefined;
	return { rows: toRows(contacts, field), page: first.rows.length, isAll, isOnePage: pages === 1 };
}

/** Reads the whole list in whatever order, and keeps the contacts above the floor and the newest others. */
async function readAll(caller: Caller, question: Question, known?: Timeline): Promise<Newest> {
	const { field } = question;
	const floor = floorToReach(known);
	const others = Math.max(question.atLeast, PAGE);
	let rows: Row[] = [];
	let count = 0;
	let room = 0;
	await readPages(caller, unsorted(question), LARGE_PAGE, (contacts) => {
		if (count === 0) checkTimes(contacts, field);
		count += contacts.length;
		room -= contacts.length;
		rows.push(...toRows(contacts, field));
		if (room < 0) {
			rows = newestOf(rows, field).filter(({ at }, index) => index < others || at > floor);
			room = others + rows.length;
		}
		return true;
	});
	rows = newestOf(rows, field);
	return { rows, page: Math.min(PAGE, rows.length), isAll: rows.length === count, isOnePage: false };
}

function newestOf(rows: Row[], field: TimeField): Row[] {
	return toRows(
		rows.map(({ contact }) => contact),
		field,
	);
}

/** Asks for the opposite order, which must then begin with older contacts. */
async function proveOrder(
	caller: Caller,
	question: Question,
	newest: IDataObject[],
): Promise<Order | 'unknown'> {
	const { field } = question;
	const { rows: oldest } = await readPage(caller, sorted(question, 'asc'), 1, PROOF);
	const times = oldest.map((row) => timeOf(row[field]));
	const newestTime = timeOf(newest[0][field]);
	if (times.every((time) => time === newestTime)) return 'unknown';
	return isSorted(oldest, field, 'asc') && times[0] < newestTime ? 'kept' : 'ignored';
}

/** Whether the newest contacts are those that were the newest at the last poll, none less and none more. */
function isAsRemembered(rows: IDataObject[], field: TimeField, known?: Timeline): boolean {
	const recent = new Map(known?.recent.map(([id, time]) => [id, time]));
	const oldest = timeOf(rows[rows.length - 1][field]);
	const here = new Set(rows.map(({ id }) => String(id)));
	return (
		rows.every((row) => {
			const time = timeOf(row[field]);
			return time <= floorToReach(known) || recent.get(String(row.id)) === time;
		}) && [...recent].every(([id, time]) => time <= oldest || here.has(id))
	);
}

function isSorted(rows: IDataObject[], field: TimeField, order: 'asc' | 'desc'): boolean {
	const times = rows.map((row) => timeOf(row[field]));
	return times.every(
		(time, index) => index === 0 || (order === 'desc' ? time <= times[index - 1] : time >= times[index - 1]),
	);
}

/** Where reading may end: at once on a first poll. */
function floorToReach(known?: Timeline): number {
	return known ? (known.floor ?? -Infinity) : Infinity;
}

function sorted({ query, field }: Question, order: 'asc' | 'desc'): Call {
	return callOf(listContacts, { query: { ...query, sort: [{ field, order }] } });
}

function unsorted({ query }: Question): Call {
	return callOf(listContacts, { query });
}

/** Nothing, where the service does not accept the request as it is, but may accept another. */
function unlessRefused(error: unknown): undefined {
	if (error instanceof CallError && (error.details.status === 400 || error.details.status === 422)) return;
	throw error;
}

function checkTimes(rows: IDataObject[], field: TimeField) {
	if (rows.length === 0 || rows.some((row) => timeOf(row[field]) > 0)) return;
	throw new CallError(
		`The service lists contacts without "${field}", so that it cannot be seen which are new. This event cannot be watched there.`,
		{ outcome: 'refused' },
	);
}

function provedOrder(key: string): Order | undefined {
	for (const [name, { at }] of orders) if (performance.now() - at > PROOF_LASTS_MS) orders.delete(name);
	return orders.get(key)?.order;
}

function note(key: string, order: Order) {
	orders.set(key, { order, at: performance.now() });
}
