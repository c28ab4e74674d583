import { createHash } from 'node:crypto';
import type { IBinaryData } from 'n8n-workflow';
import { mediaApi, templateMedia } from '../contract/media';
import type { Item } from '../run/item';
import { refusedError } from '../transport/errors/ApiError';
import { toObject } from '../transport/guards';
import { quoted } from '../values/labels';
import {
	describeEarlierFiles,
	findFile,
	getInputFileName,
	noFileError,
	readInputFileSize,
	refuseLostFile,
	type FoundFile,
} from '../run/inputFiles';
import type { FoundTemplate } from './find';
import type { Parameter } from './parameters';
import type { EnteredValues, Values } from './values';

/** A file of the input that goes into a place of a template. */
interface TemplateFile extends FoundFile {
	parameter: Parameter;
}

/** Returns the files of the input that a template needs. */
function findFiles(
	item: Item,
	{ parameters }: FoundTemplate,
	{ files }: EnteredValues,
): TemplateFile[] {
	return Object.entries(files).map(([key, entry]) => {
		const parameter = parameters.find((each) => each.key === key)!;
		const file = findInputFile(item, entry, parameter.label);
		return { ...file, parameter };
	});
}

/** Returns a file of the input. Throws an error that says which files there are. */
function findInputFile(item: Item, entry: unknown, label: string) {
	const isAddress = typeof entry === 'string' && /^\w+:\/\//.test(entry);
	if (isAddress)
		throw new Error(
			`${quoted(label)} of the template must be an https address, but is ${quoted(entry)}`,
		);
	const found = findFile(entry, item, label);
	if (found) return found;
	const names = Object.keys(item.input.binary ?? {});
	const ifNone = describeEarlierFiles(item, 'The item has no files.');
	throw noFileError(entry, label, names, ifNone);
}

/** The type of a file of which n8n does not know what it is. */
const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * Throws an error if a file of a template is neither an https address nor a file of the input, or
 * if WhatsApp would not take it in its place.
 */
export async function checkMedia(
	item: Item,
	template: FoundTemplate,
	entered: EnteredValues,
): Promise<void> {
	for (const { file, parameter } of findFiles(item, template, entered)) {
		const label = `${quoted(parameter.label)} of the template`;
		const { what, types } = templateMedia[parameter.kind];
		const mimeType = file.mimeType || UNKNOWN_TYPE;
		const isTaken = mimeType === UNKNOWN_TYPE || types.test(mimeType);
		if (!isTaken) {
			const name = quoted(getInputFileName(file));
			throw new Error(`${label} must be ${what}, but ${name} is ${mimeType}`);
		}
		const size = await readInputFileSize(file, item, label);
		refuseEmptyFile(label, file, size);
	}
}

function refuseEmptyFile(label: string, file: IBinaryData, size: number) {
	if (size !== 0) return;
	const name = quoted(getInputFileName(file));
	throw new Error(`${label} must not be empty, but ${name} has 0 bytes`);
}

/** The addresses of the files that a run, or its tries, put into the media library. */
const uploads = new WeakMap<object, Map<string, Promise<string>>>();

/**
 * Puts the files of the input into the media library, each once a run, and returns the values with
 * their addresses. One file at a time is in memory.
 */
export async function uploadMedia(
	item: Item,
	template: FoundTemplate,
	entered: EnteredValues,
): Promise<Values> {
	const values = { ...entered.values };
	const owner = item.run.tries ?? item.run;
	const known = uploads.get(owner) ?? new Map<string, Promise<string>>();
	uploads.set(owner, known);
	for (const { parameter, ...found } of findFiles(item, template, entered)) {
		const key = getFileKey(found);
		const upload = () => uploadFile(item, found);
		const uploading = known.get(key) ?? item.run.runExclusive(['media library'], upload);
		known.set(key, uploading);
		// A later item may try again; those that wait for it fail.
		uploading.catch(() => known.delete(key));
		values[parameter.key] = await uploading;
	}
	return values;
}

/** Returns what tells files apart: where n8n stores one, or its content. */
function getFileKey({ file: { id, data, fileName, mimeType } }: FoundFile) {
	const hash = () => createHash('sha256').update(data).digest('hex');
	// A hash takes time, so it is made only of a file without an ID.
	const content = id ?? hash();
	return [content, fileName, mimeType].join('\n');
}

async function uploadFile(item: Item, { source, file }: FoundFile) {
	const { helpers } = item.run.context;
	const content = await helpers
		.getBinaryDataBuffer(item.index, source)
		.catch(() => refuseLostFile('The header', file));
	// What an item says about the size of a file can be wrong.
	refuseEmptyFile('The header', file, content.length);
	const name = getInputFileName(file);
	const mimeType = file.mimeType || UNKNOWN_TYPE;
	const body = { fileName: name, mimeType };
	const place = await item.request(mediaApi.createMediaUpload, { body });
	const { uploadUrl, path, publicUrl } = toObject(place);
	const address = String(uploadUrl);
	await item.upload({ address, content, contentType: mimeType });
	const mediaFile = { name, path: String(path), mimeType, size: content.length };
	const stored = await item.request(mediaApi.createMediaFile, { body: mediaFile });
	const { url = publicUrl } = toObject(stored);
	const isReadable = typeof url === 'string' && url.startsWith('https://');
	if (isReadable) return url;
	throw refusedError(
		`The media library has no https address for ${quoted(name)}, so WhatsApp could not read it.`,
		'Enter an https address of the file.',
	);
}
