import type { IDataObject } from 'n8n-workflow';
import { listContacts } from '../contract';
import { callOf } from './shim';
import type { Call, Caller } from './shim';
import { CallError } from './shim';
import { hasTimeForAnother, LARGE_PAGE, readPage, readPages, readUntilAgreed } from './readPages';
import type { Page } from './readPages';
import { needsToRise, timeOf, toRows } from './timeline';
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
	/** How many of them come with one request, or are remembered at no cost. */
	page: number;
	/** Whether there are no others. */
	isAll: boolean;
	/** Whether none above the floor can have been missed: between two requests, contacts can move to another page. */
	isComplete: boolean;
}

/** Whether the service keeps the order asked for, ignores it, or refuses a request that asks for one. */
type Order = 'kept' | 'ignored' | 'refused';

interface Proof {
	order: Order;
	at: number;
	/** Contacts that were remembered, but were not in the list when the order was proved. */
	gone: Set<string>;
}

const orders = new Map<string, Proof>();

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
	const proof = proofOf(key);
	if (proof?.order === 'ignored' || proof?.order === 'refused') return await readAll(caller, question, known);

	const first = await readPage(caller, sorted(question, 'desc'), 1, PAGE).catch(unlessRefused);
	if (!first) {
		note(key, 'refused');
		return await readAll(caller, question, known);
	}
	const { rows } = first;
	checkTimes(rows, field);
	// Nothing that could be in order or not.
	if (rows.length === 0 || (rows.length === 1 && first.pageCount === 1))
		return { rows: toRows(rows, field), page: rows.length, isAll: true, isComplete: true };

	const isRelied = isSorted(rows, field, 'desc') && isAsRemembered(rows, field, proof, known);
	if (!isRelied) {
		const order = isSorted(rows, field, 'desc') ? await proveOrder(caller, question, rows) : 'ignored';
		if (order !== 'unknown') note(key, order, goneFrom(rows, field, known));
		if (order !== 'kept') return await readAll(caller, question, known);
	}
	const newest = await readDownToFloor(caller, question, first, known);
	if (newest) return newest;
	// Whatever the proof was worth, the next poll makes another one.
	orders.delete(key);
	return await readAll(caller, question, known);
}

/** Reads one contact, the newest where the service sorts. */
export async function readNewestOne(caller: Caller, question: Question): Promise<IDataObject | undefined> {
	const sortedPage = await readPage(caller, sorted(question, 'desc'), 1, 1).catch(unlessRefused);
	return (sortedPage ?? (await readPage(caller, unsorted(question), 1, 1))).rows[0];
}

/**
 * Reads on until the floor is reached; undefined when the order breaks on the way.
 *
 * Deleted contacts can hide others from a reading of several pages. Where the floor should rise, a second one has to bring
 * all that the first one brought: then none was deleted meanwhile.
 */
async function readDownToFloor(
	caller: Caller,
	question: Question,
	first: Page,
	known?: Timeline,
): Promise<Newest | undefined> {
	const floor = floorToReach(known);
	const begun = performance.now();
	const newest = await readDownOnce(caller, question, floor, first);
	if (!newest || newest.isComplete || !known || !needsToRise(known, newest.page)) return newest;
	if (!hasTimeForAnother(begun, 1)) return newest;
	const again = await readDownOnce(caller, question, floor);
	if (!again) return newest;
	const here = new Set(again.rows.map(({ id }) => id));
	const isComplete = newest.rows.every(({ id, at }) => at <= floor || here.has(id));
	return { ...newest, rows: newestOf([...newest.rows, ...again.rows], question.field), isComplete };
}

/** Reads on until the floor is reached, once. */
async function readDownOnce(
	caller: Caller,
	question: Question,
	floor: number,
	first?: Page,
): Promise<Newest | undefined> {
	const { field, atLeast } = question;
	const contacts: IDataObject[] = [];
	let page = 0;
	let oldest = Infinity;
	let isBroken = false;
	const take = (rows: IDataObject[], fresh: IDataObject[]): boolean => {
		page ||= rows.length;
		// Contacts that came before were pushed down by new ones, which says nothing about the order.
		isBroken ||= !isSorted(fresh, field, 'desc') || (fresh.length > 0 && timeOf(fresh[0][field]) > oldest);
		contacts.push(...rows);
		if (rows.length > 0) oldest = timeOf(rows[rows.length - 1][field]);
		return !isBroken && !(oldest <= floor && contacts.length >= atLeast);
	};
	const { isEnd, isOnePage } = await readPages(caller, sorted(question, 'desc'), PAGE, take, first);
	if (isBroken) return undefined;
	// A first poll puts the floor within its first page.
	return {
		rows: toRows(contacts, field),
		page,
		isAll: isEnd,
		isComplete: isOnePage || floor === Infinity,
	};
}

/** Reads the whole list in whatever order, and keeps the contacts above the floor and the newest others. */
async function readAll(caller: Caller, question: Question, known?: Timeline): Promise<Newest> {
	const { field } = question;
	const floor = floorToReach(known);
	let rows: Row[] = [];
	let isAll = true;
	let room = 0;
	const read = async () =>
		await readPages(caller, unsorted(question), LARGE_PAGE, (contacts) => {
			if (rows.length === 0) checkTimes(contacts, field);
			room -= contacts.length;
			rows.push(...toRows(contacts, field));
			if (room < 0) {
				rows = newestOf(rows, field);
				const kept = rows.filter(({ at }, index) => index < LARGE_PAGE || at > floor);
				isAll &&= kept.length === rows.length;
				rows = kept;
				room = LARGE_PAGE + rows.length;
			}
			return true;
		});
	// More than once, where what is missed now could be taken for new later, or never be found.
	const mostReadings = known ? (needsToRise(known, LARGE_PAGE) ? 2 : 1) : undefined;
	const isComplete = await readUntilAgreed(read, mostReadings);
	rows = newestOf(rows, field);
	return { rows, page: Math.min(LARGE_PAGE, rows.length), isAll, isComplete };
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
	if (!isSorted(oldest, field, 'asc')) return 'ignored';
	const isOlder = oldest.length > 0 && timeOf(oldest[0][field]) < timeOf(newest[0][field]);
	return isOlder ? 'kept' : 'unknown';
}

/**
 * Whether the newest contacts are those that were the newest when the order was last proved or relied on: none more, and
 * none less.
 */
function isAsRemembered(
	rows: IDataObject[],
	field: TimeField,
	proof: Proof | undefined,
	known?: Timeline,
): boolean {
	if (!proof || !known) return false;
	const recent = new Map(known.recent.map(([id, time]) => [id, time]));
	const isKnown = (row: IDataObject) => {
		const time = timeOf(row[field]);
		return time <= floorToReach(known) || recent.get(String(row.id)) === time;
	};
	return rows.every(isKnown) && [...goneFrom(rows, field, known)].every((id) => proof.gone.has(id));
}

/** The contacts that are remembered and should be among the newest, but are not. */
function goneFrom(rows: IDataObject[], field: TimeField, known?: Timeline): Set<string> {
	const here = new Set(rows.map(({ id }) => String(id)));
	const oldest = timeOf(rows[rows.length - 1][field]);
	const gone = known?.recent.filter(([id, time]) => time > oldest && !here.has(id)) ?? [];
	return new Set(gone.map(([id]) => id));
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
export function unlessRefused(error: unknown): undefined {
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

function proofOf(key: string): Proof | undefined {
	for (const [name, { at }] of orders) if (performance.now() - at > PROOF_LASTS_MS) orders.delete(name);
	return orders.get(key);
}

function note(key: string, order: Order, gone = new Set<string>()) {
	orders.set(key, { order, at: performance.now(), gone });
}
