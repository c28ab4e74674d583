import type { IBinaryData } from 'n8n-workflow';
import { limits } from '../../../contract';
import type { Item } from '../../../execution/item';
import { quoted } from '../../../validation/messages';
import { checkSize, combinedFiles, refuseLost } from '../inputFile';

/** A file of contacts, ready to be uploaded. */
export interface ImportFile {
	/** With the extension that fits its type. */
	fileName: string;
	mimeType: string;
	content: Buffer;
}

/** The kinds of file that services import, by their extension. */
const mimeTypes: Record<string, string> = {
	csv: 'text/csv',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * Says what can be said of the file of an item without reading it.
 * Throws an error when there is none, it is of another kind, or known to be too large.
 */
export function checkFile(item: Item): void {
	const binary = binaryOf(item);
	if (!kindOf(binary)) {
		const { fileName = 'a file without a name', mimeType } = binary;
		throw new Error(`Input Binary Field must hold a CSV or XLSX file, but holds ${fileName} (${mimeType})`);
	}
	if (binary.bytes !== undefined) checkContent(binary.bytes);
}

/** Reads the file of an item, which `checkFile` has looked at. Throws an error when it is empty or too large. */
export async function readFile(item: Item): Promise<ImportFile> {
	const { helpers } = item.run.context;
	const binary = binaryOf(item);
	const kind = kindOf(binary)!;
	const content = await helpers
		.getBinaryDataBuffer(item.index, fieldOf(item))
		.catch(() => refuseLost('Input Binary Field', binary));
	checkContent(content.length);
	return { fileName: nameWith(kind, binary.fileName), mimeType: mimeTypes[kind], content };
}

/** The name of the field of the input that holds the file. */
const fieldOf = (item: Item) => String(item.parameter('binaryPropertyName', 'data')).trim();

/** The file of an item. Throws an error that says what there is instead where there is none. */
function binaryOf(item: Item): IBinaryData {
	const found = findBinary(item);
	if (found) return found;
	const { binary = {}, json } = item.input;
	const others = [...Object.keys(binary), ...combinedFiles(json)];
	const there = others.length > 0 ? `the input has only ${others.join(', ')}` : 'the input has no file';
	throw new Error(`Input Binary Field ${quoted(fieldOf(item))} does not exist: ${there}`);
}

function findBinary(item: Item): IBinaryData | undefined {
	try {
		return item.run.context.helpers.assertBinaryData(item.index, fieldOf(item));
	} catch {
		return undefined;
	}
}

/**
 * Says that a file must not be empty, nor larger than services take.
 *
 * @param size in bytes
 * @param what what the error calls it
 */
export function checkContent(size: number, what = 'The file'): void {
	if (size === 0) throw new Error(`${what} is empty`);
	checkSize(size, limits.importFile.max, what);
}

/** Which of the kinds a file is: by its name, or else by its type. Browsers call a CSV file one of Excel. */
function kindOf({ fileName = '', mimeType }: IBinaryData): string | undefined {
	const extension = /\.(\w+)$/.exec(fileName)?.[1].toLowerCase() ?? '';
	if (Object.hasOwn(mimeTypes, extension)) return extension;
	return Object.keys(mimeTypes).find((kind) => mimeTypes[kind] === mimeType);
}

/** The end of a name is what tells its kind. */
function nameWith(kind: string, fileName = ''): string {
	const name = fileName.toLowerCase().endsWith(`.${kind}`) ? fileName : `${fileName || 'contacts'}.${kind}`;
	return name.slice(-limits.fileName.max);
}
