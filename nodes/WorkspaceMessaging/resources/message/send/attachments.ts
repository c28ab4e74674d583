import type { IBinaryData, IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { stoppedError } from '../../../transport/errors/ApiError';
import { isN8nFile } from '../../../transport/guards';
import { encodeForm, type FormFile } from '../../../transport/multipart';
import { apiRequest, type RequestParts } from '../../../transport/request';
import { limits } from '../../../contract/limits';
import type { Endpoint } from '../../../contract/endpoint';
import type { Item } from '../../../run/item';
import type { Field } from '../../../run/operation';
import { oncePerRun } from '../../../run/run';
import { Slots } from '../../shared/slots';
import { quoted } from '../../../values/labels';
import { readNames } from '../../../values/list';
import { checkValue } from '../../../values/checkValue';
import {
	describeEarlierFiles,
	findFile,
	getInputFileName,
	hasFileProperties,
	noFileError,
	readInputFileSize,
	refuseLostFile,
	refuseTooLargeInputFile,
	type FoundFile,
} from '../../../run/inputFiles';

/**
 * Messages with files that a run sends at the same time; it holds their files in memory, of up to 5
 * MB each.
 */
const MAX_CONCURRENT = 4;

const FIELD = 'Attachments';

/** The files of the input that a message carries. */
export const attachmentsField: Field = {
	displayName: FIELD,
	name: 'attachments',
	type: 'string',
	typeOptions: { binaryDataProperty: true },
	default: '',
	placeholder: 'e.g. data, photo',
	hint: 'Names of input fields with files, or * for all. Leave empty to send no files.',
	description:
		"If a node in between drops the files, enter for example {{ $('HTTP Request').item.binary.data }}",
	displayOptions: { hide: { '@tool': [true] } },
};

/** The files that an item attaches, in order. Throws an error if the item has no such file. */
export function findAttachments(item: Item): FoundFile[] {
	const { binary = {} } = item.input;
	const value = item.parameter(attachmentsField.name, '');
	return readAttachments(value, binary).map((entry) => {
		const found = findFile(entry, item, FIELD);
		if (!found) throw noAttachmentError(entry, item);
		return found;
	});
}

/**
 * Returns what the field names, one entry for each file: names, or files that an expression
 * returned.
 */
function readAttachments(value: unknown, binary: IBinaryKeyData): unknown[] {
	if (value === '') return [];
	if (Array.isArray(value)) return value;
	// An expression that finds no file must not lose it silently.
	if (value === undefined || value === null) return [undefined];
	if (typeof value === 'object') {
		const files = readBinary(value, binary);
		return files ?? [value];
	}
	const all = Object.keys(binary);
	return readFieldNames(String(value), all);
}

/** Reads the names of fields with files; a file without a name becomes undefined. */
function readFieldNames(text: string, all: string[]): unknown[] {
	const isStar = text.trim() === '*';
	if (isStar && all.length > 0) return all;
	// Names and addresses can have a comma.
	const isOneName = all.includes(text) || isUrl(text);
	if (isOneName) return [text];
	const names = readNames(text) ?? [text];
	return names.length > 0 ? names : [undefined];
}

/**
 * Reads the value of `{{ $binary }}`: the names of the fields tell apart files that look the same.
 */
function readBinary(value: object, binary: IBinaryKeyData) {
	const entries: unknown[] = [];
	for (const [name, file] of Object.entries(value)) {
		const own = Object.hasOwn(binary, name) ? binary[name] : undefined;
		if (own && hasFileProperties(own, { ...file })) {
			entries.push(name);
			continue;
		}
		// With anything else in it, the value is not `{{ $binary }}`.
		if (!isN8nFile(file)) return undefined;
		entries.push(file);
	}
	return entries.length > 0 ? entries : undefined;
}

function noAttachmentError(entry: unknown, item: Item) {
	if (isUrl(entry))
		return new Error(
			`${FIELD} can't be a URL. To send a file from a URL, download it first with an HTTP Request node. Then enter the name of its output field, such as data.`,
		);
	const { binary = {}, json } = item.input;
	let ifNone =
		"Its files are in _files, which this node can't send. Set Binary Mode to separate in the workflow settings.";
	if (!('_files' in json))
		ifNone = describeEarlierFiles(
			item,
			'The item has no files. An earlier node may have dropped them.',
		);
	return noFileError(entry, FIELD, Object.keys(binary), ifNone);
}

const isUrl = (entry: unknown) => typeof entry === 'string' && /^\s*https?:\/\//i.test(entry);

/**
 * Checks the files that an item attaches before anything is sent, because services lose larger ones
 * without an error. Throws an error if one of them is too large or cannot be read, or if a form
 * cannot carry its name.
 */
export async function checkAttachments(item: Item): Promise<void> {
	for (const { file } of findAttachments(item)) {
		const name = getInputFileName(file);
		checkValue(`${FIELD}: the name ${quoted(name)}`, name);
		const size = await readInputFileSize(file, item, FIELD);
		refuseLargeFile(file, size);
	}
}

const refuseLargeFile = (file: IBinaryData, size: number) =>
	refuseTooLargeInputFile(`${FIELD}: ${quoted(getInputFileName(file))}`, size, limits.upload.max);

/** A message that was sent. */
export interface SentMessage {
	/** What the service answered. */
	answer: unknown;
	/** The output of its files. */
	attachments?: IDataObject[];
}

const slotsForFiles = oncePerRun(() => new Slots(MAX_CONCURRENT));

/**
 * Sends a message with the files that its item attaches, as a form. Reads the files when it is
 * their turn. It is retried like any other message, although services do not look at the `clientId`
 * of an upload: newer ones look at `Idempotency-Key`, older ones at nothing.
 */
export async function sendWithFiles(
	item: Item,
	endpoint: Endpoint,
	parts: RequestParts,
): Promise<SentMessage> {
	const { run } = item;
	const send = async () => {
		const isCancelled = run.cancelSignal?.aborted;
		// A run that is over does not read the files of all items that still wait.
		if (run.isStopped || isCancelled) throw stoppedError(apiRequest(endpoint, parts), false);
		const files = await readFiles(item);
		const form = encodeForm(Object(parts.body), files);
		const answer = await item.request(endpoint, { ...parts, form });
		const attachments = files.map(({ fileName, mimeType, content }) => ({
			fileName,
			mimeType,
			size: content.length,
		}));
		return { attachments, answer };
	};
	return await slotsForFiles(item).run(() => run.runOrStop(send));
}

async function readFiles(item: Item) {
	const files: FormFile[] = [];
	for (const { source, file } of findAttachments(item)) {
		const content = await item.run.context.helpers
			.getBinaryDataBuffer(item.index, source)
			.catch(() => refuseLostFile(FIELD, file));
		// What an item says about the size of a file can be wrong.
		refuseLargeFile(file, content.length);
		files.push({
			fileName: getInputFileName(file),
			mimeType: file.mimeType || 'application/octet-stream',
			content,
		});
	}
	return files;
}
