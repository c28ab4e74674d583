import type { IBinaryData } from 'n8n-workflow';
import { isN8nFile } from '../../../transport/n8nFiles';
import type { Item } from '../../../execution/item';
import { quoted } from '../../../validation/labels';
import { filesOfEarlierNodes } from './earlierFiles';

/** A file that a field of the panel names. */
export interface FoundFile {
	/** What n8n's helpers read it by: the name of a field of the item, or the file itself if an earlier node returned it. */
	source: string | IBinaryData;
	file: IBinaryData;
}

/**
 * Finds the file that a field names: by the name of one of the item's binary fields, or by what an expression returns of a
 * file of the item or of an earlier node. Throws an error if it could be several.
 *
 * @param label of the field
 */
export function findFile(entry: unknown, item: Item, label: string): FoundFile | undefined {
	const { binary = {} } = item.input;
	if (typeof entry === 'string' && Object.hasOwn(binary, entry))
		return { source: entry, file: binary[entry] };
	const about = aboutFile(entry);
	if (!about) return undefined;
	const fields = Object.keys(binary).filter((field) => isAbout(binary[field], about));
	if (fields.length > 1)
		throw new Error(
			`${label} could be any of the files ${fields.join(', ')}. Enter the name of one of them.`,
		);
	if (fields.length === 1) return { source: fields[0], file: binary[fields[0]] };
	// JSON from outside could name any file of n8n's storage, so a reference needs an earlier node that returned the file.
	const earlier = about.id === undefined ? undefined : filesOfEarlierNodes(item).get(about.id);
	if (!earlier && (about.id !== undefined || about.data === undefined)) return undefined;
	const file = { ...earlier, ...about } as IBinaryData;
	return { source: file, file };
}

/** What a value says about a file, in n8n's own fields; undefined if it is no file. */
function aboutFile(value: unknown): Partial<IBinaryData> | undefined {
	if (typeof value === 'string') return isN8nFile(value) ? { id: value } : undefined;
	if (isN8nFile(value)) return value as IBinaryData;
	// The answers of n8n's form have files like this.
	const { filename, mimetype } = (value ?? {}) as { filename?: string; mimetype?: string };
	return filename !== undefined && mimetype !== undefined
		? { fileName: filename, mimeType: mimetype }
		: undefined;
}

/** Whether all that is said about a file is true of one; expressions leave out the content. */
export function isAbout(file: IBinaryData, about: Partial<IBinaryData>): boolean {
	return Object.entries(about).every(([key, value]) => file[key] === value);
}

/**
 * Returns the error for a field that names no file.
 *
 * @param label of the field
 * @param names of the files that it could name
 * @param ifNone what the error says if there is none
 */
export function noFileError(entry: unknown, label: string, names: string[], ifNone: string): Error {
	const rest = names.length > 0 ? `The item has these files: ${names.join(', ')}.` : ifNone;
	if (entry === undefined || entry === null || entry === '') return new Error(`${label} is empty. ${rest}`);
	const isName = typeof entry === 'string' && !isN8nFile(entry) && !entry.includes('[object ');
	const problem = isName
		? `This item has no file called ${quoted(entry)}.`
		: `${label} must be a file of this item.`;
	return new Error(`${problem} ${rest}`);
}

/** The name of a file; services ignore a file without one. Nodes such as Code can return a file that has any name, or none. */
export function fileNameOf({ fileName, fileExtension }: IBinaryData): string {
	return String(fileName || (fileExtension ? `file.${fileExtension}` : 'file'));
}

/**
 * Throws the error for a file that n8n has deleted.
 *
 * @param label of the field that names it
 */
export function refuseLost(label: string, file: IBinaryData): never {
	throw new Error(
		`${label}: n8n no longer has the file ${quoted(fileNameOf(file))}. Run the node that returned it again.`,
	);
}

/** Throws an error if a file has more bytes than services accept. */
export function checkSize(what: string, size: number, max: number): void {
	const [bytes, most] = [size, max].map((count) => count.toLocaleString('en-US'));
	if (size > max) throw new Error(`${what} has ${bytes} bytes; the limit is ${most}`);
}
