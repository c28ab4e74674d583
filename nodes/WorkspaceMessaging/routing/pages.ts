import type { IDataObject } from 'n8n-workflow';
import type { Call, Caller } from './client';
import { unexpectedError } from './errors';

/** Records asked for in one page; services may give fewer. */
const PER_PAGE = 100;
/** Pages of one list that are read side by side. */
const SIDE_BY_SIDE = 32;
/** So many pages without records end a list, however many pages the service says there are. */
const MOST_EMPTY_PAGES = 50;

/**
 * Reads a list to its end, or to `limit` records, and no more pages than that takes.
 *
 * A service may give fewer records a page than asked for, so a short page is not the end. The end is `pageCount` where
 * the answer has it, else a page that brings nothing new. Records that come twice, because rows
 * moved while the list was read, are returned once. With `pageCount` known, pages are read side by side.
 *
 * @param call the list's call; `page` and `perPage` of its query are where to start and how much to ask for
 * @param shape what to keep of each record, for lists of which only a part is needed; the ID has to stay
 * @returns the records in the service's order
 */
export async function readList(
	caller: Caller,
	call: Call,
	limit = Infinity,
	shape = (record: IDataObject) => record,
): Promise<IDataObject[]> {
	const records = new Map<unknown, IDataObject>();
	const add = (rows: IDataObject[]): number => {
		const before = records.size;
		for (const row of rows) {
			const key = row.id ?? JSON.stringify(row);
			if (!records.has(key)) records.set(key, row);
		}
		return records.size - before;
	};
	const result = () => [...records.values()].slice(0, limit === Infinity ? undefined : limit);

	if (call.endpoint.list === 'onePage') {
		add(rowsOf(await caller.send(call)));
		return result();
	}

	const first = Number(call.query?.page ?? 1);
	const perPage = Number(call.query?.perPage ?? Math.min(limit, PER_PAGE));
	// As the newest answers count them: there can be more than at first, when rows are added while the list is read.
	let pageCount = 0;
	const read = async (page: number): Promise<IDataObject[]> => {
		const body = await caller.send({ ...call, query: { ...call.query, page, perPage } });
		const counted = (body as { pageCount?: unknown } | null | undefined)?.pageCount;
		if (typeof counted === 'number') pageCount = Math.max(pageCount, counted);
		return rowsOf(body).map(shape);
	};

	const rows = await read(first);
	add(rows);
	let next = first + 1;
	let atEnd = rows.length === 0 && pageCount <= first;

	if (pageCount > 0 && !atEnd) {
		const last = Math.min(pageCount, first - 1 + Math.ceil(limit / rows.length));
		const pages = await readSideBySide(next, last, read);
		pages.forEach(add);
		next = Math.max(next, last + 1);
		const lastRows = pages.length > 0 ? pages[pages.length - 1] : rows;
		// A service that gives less than asked may have counted its pages by what was asked.
		atEnd = next > pageCount && (rows.length >= perPage || lastRows.length < rows.length);
	}
	for (let empty = 0; !atEnd && records.size < limit; ) {
		const fresh = add(await read(next++));
		if (fresh === 0) empty++;
		atEnd = fresh === 0 && (next > pageCount || empty >= MOST_EMPTY_PAGES);
	}
	return result();
}

/** Reads pages `from` to `to` with a bounded number at a time; stops early after many pages without records. */
async function readSideBySide(
	from: number,
	to: number,
	read: (page: number) => Promise<IDataObject[]>,
): Promise<IDataObject[][]> {
	const pages: IDataObject[][] = [];
	let next = from;
	let end = to;
	let empty = 0;
	const worker = async () => {
		while (next <= end) {
			const page = next++;
			const rows = await read(page).catch(async (error: unknown) => {
				// The others need not go on.
				end = 0;
				return await Promise.reject(error);
			});
			pages[page - from] = rows;
			if (rows.length === 0 && ++empty >= MOST_EMPTY_PAGES) end = Math.min(end, page);
		}
	};
	const workers = Array.from({ length: Math.max(0, Math.min(SIDE_BY_SIDE, to - from + 1)) }, worker);
	await Promise.all(workers);
	return pages.filter((rows) => rows !== undefined);
}

/** The records of a list's answer: `{ data: [...] }` or a bare array; a single object with an ID is one record. */
export function rowsOf(body: unknown): IDataObject[] {
	const data = isObject(body) && 'data' in body ? body.data : body;
	const rows = Array.isArray(data) ? data : [data];
	if (!rows.every(isObject) || (!Array.isArray(data) && !isRecord(data))) throw unexpectedError();
	return rows as IDataObject[];
}

/** Sends a call whose answer is one record, and returns the record. */
export async function readRecord(caller: Caller, call: Call): Promise<IDataObject> {
	return recordOf(await caller.send(call), call);
}

/**
 * The record of an answer: the object itself, or what it holds under `data`.
 *
 * @param call what was asked for, to say in the error whether it may have been carried out
 */
export function recordOf(body: unknown, call: Call): IDataObject {
	const record = isObject(body) && isObject(body.data) && !isRecord(body) ? body.data : body;
	if (!isRecord(record)) throw unexpectedError(call);
	return record as IDataObject;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every record of the API has an ID (part 2). */
function isRecord(value: unknown): boolean {
	return isObject(value) && 'id' in value;
}
