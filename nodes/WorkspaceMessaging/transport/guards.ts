import type { IDataObject } from 'n8n-workflow';

/** Whether a value is an object or a list. */
export const isObjectOrList = (value: unknown): value is object =>
	typeof value === 'object' && value !== null;

/** Whether a value, such as a parsed answer, is an object and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return isObjectOrList(value) && !Array.isArray(value);
}

/** Returns a value that is an object, or else an empty one. */
export const toObject = (value: unknown): IDataObject =>
	isObject(value) ? (value as IDataObject) : {};

/** Returns the objects in a list of an answer, which may have nulls in it, or be no list. */
export function objectsIn(value: unknown): IDataObject[] {
	const isJsonObject = (each: unknown): each is IDataObject => isObject(each);
	return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Errors inside one another that are looked at; a chain of causes can be a circle. */
const DEEPEST_CAUSE = 10;

/**
 * Returns an error and those inside it, the outermost first: n8n and Node.js wrap the error of the
 * network. A host with several addresses has an error for each that was tried; the first stands for
 * all.
 */
export function errorsIn(error: unknown, depth = 0): Array<Record<string, unknown>> {
	if (!isObject(error) || depth > DEEPEST_CAUSE) return [];
	const { errors, cause } = error;
	const [tried]: unknown[] = Array.isArray(errors) ? errors : [];
	return [error, ...errorsIn(tried, depth + 1), ...errorsIn(cause, depth + 1)];
}

/** Returns an object without the values that are not to stay. */
export const filterValues = <Value>(
	object: Record<string, Value>,
	stays: (value: Value) => boolean,
) => Object.fromEntries(Object.entries(object).filter(([, value]) => stays(value)));

/** Returns a list in which nothing comes twice. */
export const unique = <Entry>(entries: Iterable<Entry>): Entry[] => [...new Set(entries)];

/** Returns the IDs of records. */
export const idsOf = (records: IDataObject[]) => records.map(({ id }) => String(id));

/*
 * n8n's files (binary data) must not leave n8n in a request or an import: the service could not use
 * them, and a reference names a stored file. `values/checkValue.ts` checks all fields before the
 * first request, and the client every request.
 */

/**
 * How n8n refers to a file in its own storage: `filesystem-v2:workflows/…/binary_data/…`, or the ID
 * of a row; as it is, or encoded for an address.
 */
const REFERENCE =
	/filesystem-v2(:|%3A)[\w/]|binary_data(\/|%2F)[\da-f]{8}-|database(:|%3A)[\da-f]{8}-[\da-f]{4}-/i;

/** Keys that n8n gives a file; expressions leave out the first. */
const KEYS = ['data', 'fileExtension', 'fileType', 'bytes'];

/** Whether a value is a file of n8n (binary data), or a text that says where n8n stores one. */
export function isN8nFile(value: unknown): boolean {
	if (typeof value === 'string') return REFERENCE.test(value);
	if (!isObjectOrList(value) || !('mimeType' in value)) return false;
	return KEYS.some((key) => key in value) || ('id' in value && isN8nFile(String(value.id)));
}

/** Whether a value is a file of n8n, or has one at any depth. */
export function holdsN8nFile(value: unknown): boolean {
	let isFound = false;
	JSON.stringify(value, (key, inner: unknown) => {
		isFound ||= isN8nFile(key) || isN8nFile(inner);
		return inner;
	});
	return isFound;
}

/** Whether a value is a whole number of at least 1. */
export function isPositiveInteger(value: unknown): value is number {
	return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
