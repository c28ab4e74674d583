import type { IDataObject } from 'n8n-workflow';
import type { Call, Caller } from './client';
import { CallError } from './errors';

/** Records asked for in one page; services may give fewer. */
const PER_PAGE = 100;
/** Pages of one list that are read side by side. */
const SIDE_BY_SIDE = 32;

/**
 * Reads a list to its end, or to `limit` records, and no more pages than that takes.
 *
 * A service may give fewer records a page than asked for, so a short page is not the end. The end is `pageCount` where
 * the answer has it, else a page that brings nothing new (wire notes, lists). Records that come twice, because rows
 * moved while the list was read, are returned once. With `pageCount` known, pages are read side by side.
 *
 * @param call the list's call; `page` and `perPage` of its query are where to start and how much to ask for
 * @returns the records in the service's order
 */
export async function readList(caller: Caller, call: Call, limit = Infinity): Promise<IDataObject[]> {
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
	const read = async (page: number) =>
		await caller.send({ ...call, query: { ...call.query, page, perPage } });

	const body = await read(first);
	const rows = rowsOf(body);
	add(rows);
	const pageCount = (body as { pageCount?: unknown } | null)?.pageCount;
	let next = first + 1;
	let atEnd = rows.length === 0;

	if (typeof pageCount === 'number' && !atEnd) {
		const last = Math.min(pageCount, first - 1 + Math.ceil(limit / rows.length));
		const pages = await readSideBySide(next, last, async (page) => rowsOf(await read(page)));
		pages.forEach(add);
		next = Math.max(next, last + 1);
		const lastRows = pages.length > 0 ? pages[pages.length - 1] : rows;
		// A service that gives less than asked may have counted its pages by what was asked.
		atEnd = rows.length >= perPage || lastRows.length < rows.length;
	}
	while (!atEnd && records.size < limit) {
		const fresh = add(rowsOf(await read(next++)));
		atEnd = fresh === 0;
	}
	return result();
}

/** Reads pages `from` to `to` with a bounded number at a time; stops early at a page without records. */
async function readSideBySide(
	from: number,
	to: number,
	read: (page: number) => Promise<IDataObject[]>,
): Promise<IDataObject[][]> {
	const pages: IDataObject[][] = [];
	let next = from;
	let end = to;
	const worker = async () => {
		while (next <= end) {
			const page = next++;
			const rows = await read(page);
			pages[page - from] = rows;
			if (rows.length === 0) end = Math.min(end, page);
		}
	};
	const workers = Array.from({ length: Math.max(0, Math.min(SIDE_BY_SIDE, to - from + 1)) }, worker);
	await Promise.all(workers);
	return pages.filter((rows) => rows !== undefined);
}

/** The records of a list's answer: `{ data: [...] }` or a bare array; a single object counts as one record. */
export function rowsOf(body: unknown): IDataObject[] {
	const data = isObject(body) && 'data' in body ? body.data : body;
	const rows = Array.isArray(data) ? data : [data];
	if (!rows.every(isObject)) throw unexpected();
	return rows as IDataObject[];
}

/** The record of an answer: the object itself, or what it holds under `data`. */
export function recordOf(body: unknown): IDataObject {
	const record = isObject(body) && isObject(body.data) && !('id' in body) ? body.data : body;
	if (!isObject(record)) throw unexpected();
	return record as IDataObject;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unexpected(): CallError {
	return new CallError(
		'The service answered in a form that this operation does not understand. Check the Base URL in the credential.',
		{ outcome: 'unknown' },
	);
}
