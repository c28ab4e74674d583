/** How n8n refers to a file in its own storage: `filesystem-v2:workflows/…/binary_data/…`, or the ID of a row. */
const REFERENCE = /\bfilesystem-v2:[\w/]|\bbinary_data\/[\da-f]{8}-|\bdatabase:[\da-f]{8}-[\da-f]{4}-/;

/** Keys that n8n gives a file; expressions leave out the first. */
const KEYS = ['data', 'fileExtension', 'fileType', 'bytes'];

/** Whether a text tells where in its own storage n8n keeps a file. */
export const refersToN8nFile = (text: string) => REFERENCE.test(text);

/** Whether a value is a file as n8n hands it from node to node (binary data), or a reference to one. */
export function isN8nFile(value: unknown): boolean {
	if (typeof value === 'string') return refersToN8nFile(value);
	if (typeof value !== 'object' || value === null || !('mimeType' in value)) return false;
	const { id } = value as { id?: unknown };
	return KEYS.some((key) => key in value) || (typeof id === 'string' && refersToN8nFile(id));
}
