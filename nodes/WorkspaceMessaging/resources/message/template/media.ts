import { mediaApi } from '../../../contract/media';
import type { Item } from '../../../run/item';
import type { FoundTemplate } from '../../../templates/find';
import type { Values } from '../../../templates/message';
import { rejected } from '../../../transport/errors/ApiError';
import { isObject } from '../../../transport/guards';
import { quoted } from '../../../values/labels';
import { describeEarlierFiles, findFile, getFileName, noFileError, refuseLostFile } from '../../findFile';
import { isMedia, isWebAddress } from './values';

/** Finds the file of the input that a value names. Throws an error that says which files there are. */
function findNamed(item: Item, label: string, name: string) {
	const found = findFile(name, item, label);
	if (found) return found;
	const ifNone = describeEarlierFiles(item, 'The item has no files.');
	throw noFileError(name, label, Object.keys(item.input.binary ?? {}), ifNone);
}

/** Throws an error if a file of a template is neither an https address nor a file of the input. */
export function checkMedia(item: Item, { parameters }: FoundTemplate, values: Values): void {
	for (const { key, label } of parameters.filter(isMedia)) {
		const value = values[key];
		if (value === undefined || isWebAddress(value)) continue;
		if (URL.canParse(value) && value.includes('//'))
			throw new Error(`${quoted(label)} of the template must be an https address, but is ${quoted(value)}`);
		findNamed(item, label, value);
	}
}

/** Puts the files of the input that values name into the media library, and returns the values with their addresses. */
export async function uploadMedia(
	item: Item,
	{ parameters }: FoundTemplate,
	values: Values,
): Promise<Values> {
	const complete = { ...values };
	for (const { key, label } of parameters.filter(isMedia)) {
		const value = values[key];
		if (value !== undefined && !isWebAddress(value)) complete[key] = await uploadFile(item, label, value);
	}
	return complete;
}

async function uploadFile(item: Item, label: string, name: string): Promise<string> {
	const { source, file } = findNamed(item, label, name);
	const content = await item.run.context.helpers
		.getBinaryDataBuffer(item.index, source)
		.catch(() => refuseLostFile(label, file));
	const fileName = getFileName(file);
	const mimeType = file.mimeType || 'application/octet-stream';
	const place = toObject(await item.request(mediaApi.createMediaUpload, { body: { fileName, mimeType } }));
	await item.upload({ address: String(place.uploadUrl), content, contentType: mimeType });
	const body = { name: fileName, path: String(place.path), mimeType, size: content.length };
	const { url = place.publicUrl } = toObject(await item.request(mediaApi.createMediaFile, { body }));
	if (typeof url === 'string' && isWebAddress(url)) return url;
	throw rejected(
		`The media library has no https address for ${quoted(fileName)}, so WhatsApp could not read it.`,
		'Enter an https address of the file.',
	);
}

const toObject = (value: unknown) => (isObject(value) ? value : {});
