import type { IBinaryData } from 'n8n-workflow';
import { limits } from '../../../contract';
import type { Item } from '../../../execution/item';
import { checkSize, findFile, noFileError, refuseLost } from '../files/findFile';
import type { FoundFile } from '../files/findFile';

/** A file of contacts, ready to be uploaded. */
export interface ImportFile {
	/** With the extension that fits its type. */
	fileName: string;
	mimeType: string;
	content: Buffer;
}

const LABEL = 'Input Binary Field';

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
	const { file: binary } = namedFile(item);
	if (!kindOf(binary)) {
		const { fileName = 'a file without a name', mimeType } = binary;
		throw new Error(`${LABEL} must hold a CSV or XLSX file, but holds ${fileName} (${mimeType})`);
	}
	if (binary.bytes !== undefined) checkContent(binary.bytes);
}

/** Reads the file of an item, which `checkFile` has looked at. Throws an error when it is empty or too large. */
export async function readFile(item: Item): Promise<ImportFile> {
	const { helpers } = item.run.context;
	const { source, file: binary } = namedFile(item);
	const kind = kindOf(binary)!;
	const content = await helpers
		.getBinaryDataBuffer(item.index, source)
		.catch(() => refuseLost(LABEL, binary));
	checkContent(content.length);
	return { fileName: nameWith(kind, binary.fileName), mimeType: mimeTypes[kind], content };
}

/** The file that an item names. Throws an error that says what there is instead where there is none. */
function namedFile(item: Item): FoundFile {
	const given = item.parameter('binaryPropertyName', 'data');
	const entry = typeof given === 'string' ? given.trim() : given;
	const found = findFile(entry, item, LABEL) ?? fileAtPath(entry, item);
	if (found) return found;
	const { binary = {}, json } = item.input;
	const paths = Object.keys(Object(json._files)).map((name) => `_files.${name}`);
	throw noFileError(entry, LABEL, [...Object.keys(binary), ...paths], 'The item has no files.');
}

/** A file in the JSON of an item, where n8n puts it with the Binary Mode "combined". */
function fileAtPath(path: unknown, { index, run }: Item): FoundFile | undefined {
	if (typeof path !== 'string') return undefined;
	try {
		return { source: path, file: run.context.helpers.assertBinaryData(index, path) };
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
	checkSize(what, size, limits.importFile.max);
}

/** Which of the kinds a file is: by its name, or else by its type without parameters such as a charset. Browsers call a CSV file one of Excel. */
function kindOf({ fileName = '', mimeType }: IBinaryData): string | undefined {
	const extension = /\.(\w+)$/.exec(fileName)?.[1].toLowerCase() ?? '';
	if (Object.hasOwn(mimeTypes, extension)) return extension;
	const type = mimeType.split(';')[0].trim().toLowerCase();
	return Object.keys(mimeTypes).find((kind) => mimeTypes[kind] === type);
}

/** The end of a name is what tells its kind. */
function nameWith(kind: string, fileName = ''): string {
	const name = fileName.toLowerCase().endsWith(`.${kind}`) ? fileName : `${fileName || 'contacts'}.${kind}`;
	return name.slice(-limits.fileName.max);
}
