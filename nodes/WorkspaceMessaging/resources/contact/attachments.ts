import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { isN8nFile } from '../../api/n8nFiles';
import type { Upload } from '../../api/multipart';
import type { RequestParts } from '../../api/request';
import { limits } from '../../contract';
import { sendUploads } from '../../contract/beyondReference';
import type { Item } from '../../execution/item';
import { quoted } from '../../validation/messages';
import { isOfEarlierNode } from './earlierFiles';
import { exceptForTools } from '../shared/toolFields';

const LABEL = 'Attachments';

/** So many messages with files a run holds in memory at once: each can have several of 5 MB. */
const MOST_AT_ONCE = 4;

/** The files of the input that go along with a message. */
export const attachmentsField = exceptForTools({
	displayName: LABEL,
	name: 'attachments',
	type: 'string',
	default: 'data',
	placeholder: 'e.g. data',
	description:
		'Names of the input fields that hold the files, separated by commas, or * for all. For a file at an address, put an HTTP Request node before.',
});

/** A file that an item names. */
export interface Attachment {
	/** Where n8n's helpers find it: the name of a field of the item, or the file itself where another node put it out. */
	source: string | IBinaryData;
	file: IBinaryData;
}

/** The files that an item names, in order. Throws a sentence when one of them is not there. */
export function attachmentsOf(item: Item): Attachment[] {
	return namesIn(item.parameter('options.attachments', ''), item).map((name) => attachment(name, item));
}

/** What the field names: names of fields, or the files themselves where an expression leads to them. */
function namesIn(given: unknown, { input: { binary = {} } }: Item): unknown[] {
	if (given === undefined || given === null || given === '') return [];
	if (Array.isArray(given)) return given;
	if (typeof given !== 'string') {
		// All files of an item, as an expression gives them.
		const files = Object.values(given);
		return !isN8nFile(given) && files.length > 0 && files.every(isN8nFile) ? files : [given];
	}
	if (given.trim() === '*' && Object.keys(binary).length > 0) return Object.keys(binary);
	if (Object.hasOwn(binary, given) || isAddress(given)) return [given];
	return given
		.split(',')
		.map((name) => name.trim())
		.filter((name) => name !== '');
}

function attachment(name: unknown, item: Item): Attachment {
	const { binary = {} } = item.input;
	if (typeof name === 'string' && Object.hasOwn(binary, name)) return { source: name, file: binary[name] };
	if (isN8nFile(name)) {
		const file = (typeof name === 'string' ? { id: name } : name) as IBinaryData;
		const fields = Object.keys(binary).filter((field) => isSameFile(file, binary[field]));
		if (fields.length === 1) return { source: fields[0], file: binary[fields[0]] };
		// What somebody else has sent as JSON could name any file of n8n's storage.
		if (file.id === undefined ? typeof file.data === 'string' : isOfEarlierNode(file.id, item))
			return { source: file, file };
	}
	throw new Error(problemOf(name, Object.keys(binary)));
}

/** Whether all that is told of a file is so of one of the item; expressions leave out its content. */
function isSameFile(told: IBinaryData, own: IBinaryData): boolean {
	return Object.entries(told).every(([key, value]) => own[key] === value);
}

function problemOf(name: unknown, fields: string[]): string {
	const rule = `${LABEL} must name fields of the item that hold files`;
	if (isAddress(name)) {
		return `${rule}, but is an address: download the file with an HTTP Request node before this one, and enter the name of its output field, such as data`;
	}
	const isName = typeof name === 'string' && !isN8nFile(name) && !name.includes('[object ');
	const shown = isName ? quoted(name) : 'a value that is no file of the item';
	return fields.length > 0
		? `${rule} (it has ${fields.join(', ')}), but is ${shown}`
		: `${rule}, but is ${shown}, and the item has none: nodes in between may have dropped them`;
}

const isAddress = (name: unknown) => typeof name === 'string' && /^\s*https?:\/\//i.test(name);

/**
 * Checks, before anything is sent, that services take the files that an item names: they lose larger ones without a word.
 * Throws a sentence that says which is too large, or cannot be read.
 */
export async function checkAttachments(item: Item): Promise<void> {
	for (const { file } of attachmentsOf(item)) checkSize(file, await sizeOf(file, item));
}

function checkSize(file: IBinaryData, size: number) {
	const { max } = limits.upload;
	if (size > max)
		throw new Error(
			`${LABEL}: a file must have at most ${max} bytes, but ${quoted(fileNameOf(file))} has ${size}`,
		);
}

/** The size of a file in bytes, without reading it where n8n knows it. */
async function sizeOf(file: IBinaryData, { run }: Item): Promise<number> {
	const { id, data, bytes } = file;
	if (!id) return Buffer.byteLength(data, 'base64');
	if (bytes !== undefined) return bytes;
	const { fileSize } = await run.context.helpers.getBinaryMetadata(id).catch(() => refuseLost(file));
	return fileSize;
}

function refuseLost(file: IBinaryData): never {
	throw new Error(
		`${LABEL}: n8n no longer has the file ${quoted(fileNameOf(file))}; run the node that it comes from again`,
	);
}

/**
 * Sends a message with the files that its item names, each of which is read when its turn comes.
 * Returns what the output says of them.
 */
export async function sendWithFiles(item: Item, parts: RequestParts): Promise<IDataObject[]> {
	const messages = item.run.once('messages with files', () => ({ count: 0 }));
	const place = `files ${messages.count++ % MOST_AT_ONCE}`;
	return await item.run.runExclusive([place], async () => {
		const files = await readFiles(item);
		await item.request(sendUploads, { ...parts, files });
		return files.map(({ fileName, mimeType, content }) => ({ fileName, mimeType, size: content.length }));
	});
}

async function readFiles(item: Item): Promise<Upload[]> {
	const uploads: Upload[] = [];
	for (const { source, file } of attachmentsOf(item)) {
		const content = await item.run.context.helpers
			.getBinaryDataBuffer(item.index, source)
			.catch(() => refuseLost(file));
		checkSize(file, content.length);
		uploads.push({ fileName: fileNameOf(file), mimeType: file.mimeType, content });
	}
	return uploads;
}

/** What the contact sees of a file; services take a part without a name for no file. */
function fileNameOf({ fileName, fileExtension }: IBinaryData): string {
	return fileName || (fileExtension ? `file.${fileExtension}` : 'file');
}
