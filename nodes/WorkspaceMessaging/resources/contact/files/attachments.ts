import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { stoppedError } from '../../../transport/errors/ApiError';
import type { FormFile, RequestParts } from '../../../transport/request';
import { isN8nFile } from '../../../transport/n8nFiles';
import { apiRequest } from '../../../transport/request';
import { limits } from '../../../contract/limits';
import { undocumentedApi } from '../../../contract/undocumented';
import type { Item } from '../../../execution/item';
import { oncePerRun } from '../../../execution/run';
import { quoted } from '../../../validation/labels';
import { refuseHalfCharacters } from '../../../validation/serializable';
import { exceptForTools } from '../../shared/toolFields';
import { describeEarlierFiles } from './earlierFiles';
import { checkSize, fileNameOf, findFile, isAbout, noFileError, refuseLost } from './findFile';
import type { FoundFile } from './findFile';

/** Messages with files that a run sends at the same time; it holds their files in memory, of up to 5 MB each. */
const MAX_CONCURRENT = 4;

const LABEL = 'Attachments';

/** The files of the input that a message carries. */
export const attachmentsField = exceptForTools({
	displayName: LABEL,
	name: 'attachments',
	type: 'string',
	typeOptions: { binaryDataProperty: true },
	default: '',
	placeholder: 'e.g. data, photo',
	description:
		"Names of input fields with files, or * for all. If nodes in between drop files, enter for example {{ $('HTTP Request').item.binary.data }}.",
});

/** The files that an item attaches, in order. Throws an error if the item has no such file. */
export function attachedFiles(item: Item): FoundFile[] {
	return entriesOf(item.parameter(attachmentsField.name, ''), item).map((entry) => {
		const found = findFile(entry, item, LABEL);
		if (!found) throw noAttachmentError(entry, item);
		return found;
	});
}

function entriesOf(value: unknown, { input: { binary = {} } }: Item): unknown[] {
	if (value === '') return [];
	if (Array.isArray(value)) return value;
	// An expression that finds no file must not lose it silently.
	if (value === undefined || value === null) return [undefined];
	if (typeof value === 'object') {
		// {{ $binary }}: the names of the fields tell apart files that look the same.
		const isOwn = ([name, file]: [string, IBinaryData]) =>
			Object.hasOwn(binary, name) && isAbout(binary[name], { ...file });
		const files = Object.entries(value as Record<string, IBinaryData>);
		const areFiles = files.every((entry) => isN8nFile(entry[1]) || isOwn(entry));
		return files.length > 0 && areFiles ? files.map((entry) => entry[isOwn(entry) ? 0 : 1]) : [value];
	}
	const text = String(value);
	if (text.trim() === '*' && Object.keys(binary).length > 0) return Object.keys(binary);
	if (Object.hasOwn(binary, text) || isUrl(text)) return [text];
	const names = text.split(',').map((name) => name.trim());
	return names.some(Boolean) ? names.filter(Boolean) : [undefined];
}

function noAttachmentError(entry: unknown, item: Item): Error {
	const { binary = {}, json } = item.input;
	if (isUrl(entry))
		return new Error(
			`${LABEL} can't be a URL. To send a file from a URL, download it first with an HTTP Request node. Then enter the name of its output field, such as data.`,
		);
	const ifNone =
		'_files' in json
			? "Its files are in _files, which this node can't send. Set Binary Mode to separate in the workflow settings."
			: (describeEarlierFiles(item) ?? 'The item has no files. An earlier node may have dropped them.');
	return noFileError(entry, LABEL, Object.keys(binary), ifNone);
}

const isUrl = (entry: unknown) => typeof entry === 'string' && /^\s*https?:\/\//i.test(entry);

/**
 * Checks the files that an item attaches before anything is sent, because services lose larger ones without an error.
 * Throws an error if one of them is too large or cannot be read, or if a form cannot carry its name.
 */
export async function checkAttachments(item: Item): Promise<void> {
	for (const { file } of attachedFiles(item)) {
		refuseHalfCharacters(`${LABEL}: the name ${quoted(fileNameOf(file))}`, fileNameOf(file));
		checkFileSize(file, await sizeOf(file, item));
	}
}

const checkFileSize = (file: IBinaryData, size: number) =>
	checkSize(`${LABEL}: ${quoted(fileNameOf(file))}`, size, limits.upload.max);

/** The size of a file in bytes; n8n knows it without reading the file, unless the item has its content. */
async function sizeOf(file: IBinaryData, { run }: Item): Promise<number> {
	const { id, data, bytes } = file;
	if (!id) return Buffer.byteLength(data, 'base64');
	if (bytes !== undefined) return bytes;
	const { fileSize } = await run.context.helpers.getBinaryMetadata(id).catch(() => refuseLost(LABEL, file));
	return fileSize;
}

/** Counts the messages of a run that carry files. */
const messagesWithFiles = oncePerRun(() => ({ count: 0 }));

/** Sends a message with the files that its item attaches, and returns their output. Reads the files when it is their turn. */
export async function sendWithFiles(item: Item, parts: RequestParts): Promise<IDataObject[]> {
	const { run } = item;
	const queue = `files ${messagesWithFiles(item).count++ % MAX_CONCURRENT}`;
	return await run.runExclusive([queue], async () => {
		// A run that is over does not read the files of all items that still wait.
		if (run.isStopped || run.context.getExecutionCancelSignal()?.aborted)
			throw stoppedError(apiRequest(undocumentedApi.sendUploads, parts), false);
		const files = await readFiles(item);
		await item.request(undocumentedApi.sendUploads, { ...parts, files });
		return files.map(({ fileName, mimeType, content }) => ({ fileName, mimeType, size: content.length }));
	});
}

async function readFiles(item: Item): Promise<FormFile[]> {
	const files: FormFile[] = [];
	for (const { source, file } of attachedFiles(item)) {
		const content = await item.run.context.helpers
			.getBinaryDataBuffer(item.index, source)
			.catch(() => refuseLost(LABEL, file));
		// What an item says about the size of a file can be wrong.
		checkFileSize(file, content.length);
		files.push({
			fileName: fileNameOf(file),
			mimeType: file.mimeType || 'application/octet-stream',
			content,
		});
	}
	return files;
}
