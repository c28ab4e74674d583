import { createHash } from 'node:crypto';
import { mediaApi } from '../../../contract/media';
import type { Item } from '../../../run/item';
import { oncePerRun } from '../../../run/run';
import type { FoundTemplate } from '../../../templates/find';
import type { Values } from '../../../templates/message';
import { rejected } from '../../../transport/errors/ApiError';
import { isObject } from '../../../transport/guards';
import { quoted } from '../../../values/labels';
import {
	describeEarlierFiles,
	findFile,
	getFileName,
	noFileError,
	refuseLostFile,
	type FoundFile,
} from '../../findFile';
import type { Entered } from './values';

/** Returns the files of the input that a template needs, by key. Throws an error that says which files there are. */
function findFiles(
	item: Item,
	{ parameters }: FoundTemplate,
	{ files }: Entered,
): Array<[string, FoundFile]> {
	return Object.entries(files).map(([key, entry]) => {
		const { label } = parameters.find((each) => each.key === key)!;
		if (typeof entry === 'string' && /^\w+:\/\//.test(entry))
			throw new Error(`${quoted(label)} of the template must be an https address, but is ${quoted(entry)}`);
		const found = findFile(entry, item, label);
		if (found) return [key, found];
		const ifNone = describeEarlierFiles(item, 'The item has no files.');
		throw noFileError(entry, label, Object.keys(item.input.binary ?? {}), ifNone);
	});
}

/** Throws an error if a file of a template is neither an https address nor a file of the input. */
export function checkMedia(item: Item, template: FoundTemplate, entered: Entered): void {
	findFiles(item, template, entered);
}

/** Addresses of the files that a run has put into the media library. */
const uploads = oncePerRun<Item, [], Map<string, Promise<string>>>(() => new Map());

/**
 * Puts the files of the input into the media library, each once a run, and returns the values with their addresses. One file at a
 * time is in memory.
 */
export async function uploadMedia(item: Item, template: FoundTemplate, entered: Entered): Promise<Values> {
	const values = { ...entered.values };
	for (const [key, file] of findFiles(item, template, entered)) {
		const known = uploads(item);
		const id = getFileKey(file);
		const address =
			known.get(id) ?? item.run.runExclusive(['media library'], async () => await uploadFile(item, file));
		known.set(id, address);
		// Another item may try again.
		address.catch(() => known.delete(id));
		values[key] = await address;
	}
	return values;
}

/** Returns what tells files apart: where n8n stores one, or its content. */
function getFileKey({ file: { id, data, fileName, mimeType } }: FoundFile): string {
	const content = id ?? createHash('sha256').update(data).digest('hex');
	return [content, fileName, mimeType].join('\n');
}

async function uploadFile(item: Item, { source, file }: FoundFile): Promise<string> {
	const content = await item.run.context.helpers
		.getBinaryDataBuffer(item.index, source)
		.catch(() => refuseLostFile('The header', file));
	const fileName = getFileName(file);
	const mimeType = file.mimeType || 'application/octet-stream';
	const place = toObject(await item.request(mediaApi.createMediaUpload, { body: { fileName, mimeType } }));
	await item.upload({ address: String(place.uploadUrl), content, contentType: mimeType });
	const body = { name: fileName, path: String(place.path), mimeType, size: content.length };
	const { url = place.publicUrl } = toObject(await item.request(mediaApi.createMediaFile, { body }));
	if (typeof url === 'string' && url.startsWith('https://')) return url;
	throw rejected(
		`The media library has no https address for ${quoted(fileName)}, so WhatsApp could not read it.`,
		'Enter an https address of the file.',
	);
}

const toObject = (value: unknown) => (isObject(value) ? value : {});
