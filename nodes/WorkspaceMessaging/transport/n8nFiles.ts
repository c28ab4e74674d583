import { rejected } from './errors/errors';

/**
 * How n8n refers to a file in its own storage: `filesystem-v2:workflows/…/binary_data/…`, or the ID of a row; as it is, or as
 * it stands in an address.
 */
const REFERENCE =
	/filesystem-v2(:|%3A)[\w/]|binary_data(\/|%2F)[\da-f]{8}-|database(:|%3A)[\da-f]{8}-[\da-f]{4}-/i;

/** Keys that n8n gives a file; expressions leave out the first. */
const KEYS = ['data', 'fileExtension', 'fileType', 'bytes'];

/** Whether a text tells where in its own storage n8n keeps a file. */
export const refersToN8nFile = (text: string) => REFERENCE.test(text);

/** Throws when a text that is to be sent tells where in its own storage n8n keeps a file, whatever field that comes from. */
export function refuseN8nFiles(text: string) {
	if (refersToN8nFile(text))
		throw rejected('A field holds a file of n8n (binary data), which it cannot send.');
}

/** Whether a value is a file as n8n hands it from node to node (binary data), or a reference to one. */
export function isN8nFile(value: unknown): boolean {
	if (typeof value === 'string') return refersToN8nFile(value);
	if (typeof value !== 'object' || value === null || !('mimeType' in value)) return false;
	const { id } = value as { id?: unknown };
	return KEYS.some((key) => key in value) || (typeof id === 'string' && refersToN8nFile(id));
}

/** Whether a value is a file as n8n hands it from node to node, or holds one at any depth. */
export function holdsN8nFile(value: unknown): boolean {
	let isFound = false;
	JSON.stringify(value, (key, inner: unknown) => {
		isFound ||= refersToN8nFile(key) || isN8nFile(inner);
		return inner;
	});
	return isFound;
}
