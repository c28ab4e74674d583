import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../contract/endpoint';
import { unexpectedAnswerError } from '../../transport/errors/ApiError';
import { isObject } from '../../transport/guards';
import { apiRequest, type Requester, type RequestParts } from '../../transport/request';

/** Sends a request and returns the record that it answers with, as it is or under `data`. */
export async function readRecord(
	client: Requester,
	endpoint: Endpoint,
	parts: RequestParts = {},
): Promise<IDataObject> {
	const body = await client.request(endpoint, parts);
	if (isRecord(body)) return body;
	const data = isObject(body) ? body.data : undefined;
	if (!isRecord(data)) throw unexpectedAnswerError(apiRequest(endpoint, parts));
	return data;
}

/**
 * Returns the records of an answer: `{ data: [...] }` or an array; a single object with an ID is
 * one record.
 */
export function readRecords(body: unknown): IDataObject[] {
	const data = isObject(body) && 'data' in body ? body.data : body;
	if (isRecord(data)) return [data];
	if (!Array.isArray(data) || !data.every(isJsonObject)) throw unexpectedAnswerError();
	return data;
}

/** Every record of the API has an ID (part 2). */
const isRecord = (value: unknown): value is IDataObject => isObject(value) && 'id' in value;

const isJsonObject = (value: unknown): value is IDataObject => isObject(value);

/** Returns what identifies a record. */
export const getRecordKey = (row: { id?: unknown }) => row.id ?? JSON.stringify(row);

/** Returns what identifies each of some records. */
export const getRecordKeys = (rows: IDataObject[]) => new Set(rows.map(getRecordKey));

/** Returns a function that says whether a record comes for the first time. */
export function trackSeenRecords(): (row: { id?: unknown }) => boolean {
	const seen = new Set<unknown>();
	return (row) => seen.size < seen.add(getRecordKey(row)).size;
}

/** Returns each record once, where it comes first. */
export const distinctRecords = (rows: IDataObject[]) => rows.filter(trackSeenRecords());

/** Returns what a list has, as users call it: the end of its path. */
export const nameListedRecords = ({ path }: Endpoint) =>
	path.slice(path.lastIndexOf('/') + 1).replace(/-/g, ' ');

/** Sorts records by their age, the oldest first. IDs are ascending numbers, too long for a number. */
export function byAge(one: { id: string }, other: { id: string }): number {
	const difference = one.id.length - other.id.length;
	if (difference !== 0) return difference;
	return one.id < other.id ? -1 : 1;
}
