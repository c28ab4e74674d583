import type { IBinaryData } from 'n8n-workflow';
import { explainLack } from '../../../service/capabilities';
import { toObject } from '../../../transport/guards';
import type { FormFile } from '../../../transport/multipart';
import type { Upload } from '../../../transport/files';
import { limits } from '../../../contract/limits';
import { undocumentedApi } from '../../../contract/undocumented';
import type { Item } from '../../../run/item';
import { quoted } from '../../../values/labels';
import { checkValue } from '../../../values/checkValue';
import {
	describeEarlierFiles,
	findFile,
	getInputFileName,
	noFileError,
	refuseLostFile,
	refuseTooLargeInputFile,
	type FoundFile,
} from '../../../run/inputFiles';
import { getImportCountryCode } from './countryCode';
import { toServiceCsv } from './csvText';
import { AUTOMATIC, encodingField } from './encodings';

const FILE_LABEL = 'Input Binary Field';
/** The name that n8n's nodes give to a single file. */
export const DEFAULT_NAME = 'data';

/** The types of file that services import, by extension. */
const mimeTypes: Record<string, string> = {
	csv: 'text/csv',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * Checks what it can of the file of an item without reading it. Throws an error if it cannot be
 * imported.
 */
export function checkUploadFile(item: Item): void {
	const { file } = namedFile(item);
	if (!getExtension(file)) {
		const shownName = file.fileName || 'a file without a name';
		const shownType = file.mimeType || 'without a MIME type';
		throw new Error(
			`${FILE_LABEL} must hold a CSV or XLSX file, but holds ${shownName} (${shownType})`,
		);
	}
	const name = getInputFileName(file);
	checkValue(`${FILE_LABEL}: the name ${quoted(name)}`, name);
	if (file.bytes !== undefined) checkContent(name, file.bytes);
}

/**
 * Reads the file of an item that `checkUploadFile` has checked, a CSV file in the form that services
 * read. Throws an `ApiError` if the text of a CSV file cannot be read.
 */
export async function readImportFile(item: Item): Promise<FormFile> {
	const { source, file } = namedFile(item);
	const reading = item.run.context.helpers.getBinaryDataBuffer(item.index, source);
	const content = await reading.catch(() => refuseLostFile(FILE_LABEL, file));
	const extension = getExtension(file)!;
	const name = getNameWithExtension(file, extension);
	const form = { fileName: cutName(name), mimeType: mimeTypes[extension] };
	if (extension !== 'csv' || content.length === 0) return { ...form, content };
	return { ...form, content: convertCsv(item, content, name) };
}

/**
 * Of a name that is too long, the end with the extension is needed, without half of the character
 * before it.
 */
const cutName = (name: string) => name.slice(-limits.fileName.max).replace(/^[\udc00-\udfff]/, '');

/** Returns a CSV file in the form that services read. A hint says if its encoding is a guess. */
function convertCsv(item: Item, bytes: Buffer, name: string) {
	const chosen = item.value(encodingField);
	const encoding = chosen === AUTOMATIC ? undefined : chosen;
	const countryCode = getImportCountryCode(item);
	const { content, isGuess } = toServiceCsv(bytes, name, { encoding, countryCode });
	if (isGuess)
		item.hint(
			`The file ${quoted(name)} was read as Windows-1252. If letters are wrong in the workspace, choose its encoding under Encoding, or save it as "CSV UTF-8" the next time.`,
			{ key: 'windows1252', summary: '{count} files were read as Windows-1252.', label: name },
		);
	return content;
}

/** Returns the name of a file with its extension, which a name from another node can lack. */
function getNameWithExtension(file: IBinaryData, extension: string) {
	const fileName = String(file.fileName || '');
	const hasExtension = fileName.toLowerCase().endsWith(`.${extension}`);
	if (hasExtension) return fileName;
	const name = fileName || 'contacts';
	return `${name}.${extension}`;
}

/**
 * The file that Input Binary Field names. If the user left the default, it is the item's only file,
 * whatever its name. Throws an error that says which files there are.
 */
function namedFile(item: Item) {
	const value = item.parameter('binaryPropertyName', DEFAULT_NAME);
	const entry = typeof value === 'string' ? value.trim() : value;
	const found = findNamedFile(entry, item);
	if (found) return found;
	const { binary = {}, json } = item.input;
	const names = Object.keys(binary);
	const namesInJson = Object.keys(toObject(json._files));
	for (const name of namesInJson) names.push(`_files.${name}`);
	if (entry === DEFAULT_NAME && names.length === 1) {
		const onlyFile = findNamedFile(names[0], item);
		if (onlyFile) return onlyFile;
	}
	const ifNone = describeEarlierFiles(item, 'The item has no files.');
	throw noFileError(entry, FILE_LABEL, names, ifNone);
}

const findNamedFile = (entry: unknown, item: Item) =>
	findFile(entry, item, FILE_LABEL) ?? fileAtPath(entry, item);

/** A file in the JSON of an item; n8n puts files there with the Binary Mode "combined". */
function fileAtPath(path: unknown, { index, run }: Item): FoundFile | undefined {
	if (typeof path !== 'string') return undefined;
	try {
		return { source: path, file: run.context.helpers.assertBinaryData(index, path) };
	} catch {
		return undefined;
	}
}

function checkContent(fileName: string, size: number) {
	const file = `The file ${quoted(fileName)}`;
	if (size === 0) throw new Error(`${file} is empty`);
	refuseTooLargeInputFile(file, size, limits.importFile.max);
}

/**
 * The extension of a file by its name, or else by its type; browsers report a CSV file as one of
 * Excel.
 */
function getExtension(file: IBinaryData) {
	const name = getInputFileName(file);
	const [, ending = ''] = /\.(\w+)$/.exec(name) ?? [];
	const extension = ending.toLowerCase();
	if (Object.hasOwn(mimeTypes, extension)) return extension;
	// Nodes such as Code can return a file without a type.
	const [typeAlone] = String(file.mimeType).split(';');
	const type = typeAlone.trim().toLowerCase();
	return Object.keys(mimeTypes).find((each) => mimeTypes[each] === type);
}

/**
 * Requests the URL to upload a file of contacts to, without uploading it. Returns the ID of the
 * file and its upload. Throws an error if the file is empty or too large, or an `ApiError` that
 * names alternatives if the service has no uploads.
 */
export async function requestFileUploadUrl(
	item: Item,
	{ fileName, mimeType, content }: FormFile,
): Promise<{ fileId: string; upload: Upload }> {
	checkContent(fileName, content.length);
	const body = { fileName, mimeType, fileSize: content.length };
	const answer = await item
		.request(undocumentedApi.createImportUpload, { body })
		.catch(
			explainLack(
				'accept import files from other programs (404)',
				'Use Create or Update for each row, or set File to By ID for a file that is already in the workspace.',
			),
		);
	// The upload checks its address.
	const { fileId, presignedPostUrl } = toObject(answer);
	const upload = { address: String(presignedPostUrl), content, contentType: mimeType };
	return { fileId: String(fileId), upload };
}
