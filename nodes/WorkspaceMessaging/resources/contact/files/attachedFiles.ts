import type { IBinaryData, IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { isN8nFile } from '../../../transport/n8nFiles';
import type { Item } from '../../../execution/item';
import { quoted } from '../../../validation/messages';
import { fileOfEarlierNode } from './earlierFiles';
import { combinedFiles } from './inputFile';

/** A file that an item names. */
export interface AttachedFile {
	/** Where n8n's helpers find it: the name of a field of the item, or the file itself where another node put it out. */
	source: string | IBinaryData;
	file: IBinaryData;
}

/**
 * The files that an item names in Attachments, in order: by the names of its fields, or by an expression that leads to what
 * n8n tells of a file. Throws a sentence when one of them is not there.
 */
export function attachedFiles(item: Item): AttachedFile[] {
	// Without the option there are none.
	return entriesOf(item.parameter('options.attachments', []), item).map((entry) => attachedFile(entry, item));
}

function entriesOf(given: unknown, { input: { binary = {} } }: Item): unknown[] {
	// What an expression gives on purpose where there is nothing to attach.
	if (given === '') return [];
	if (Array.isArray(given)) return given;
	// A file that an expression does not find is not to be lost without a word.
	if (given === undefined || given === null) return [undefined];
	if (typeof given === 'object') {
		// All files of an item, as an expression gives them; of the item's own, the field says which one is meant.
		const files = Object.entries(given as IBinaryKeyData);
		if (files.length === 0 || !files.every(([, file]) => isN8nFile(file))) return [given];
		return files.map(([name, file]) =>
			Object.hasOwn(binary, name) && isSameFile({ ...file }, binary[name]) ? name : file,
		);
	}
	const text = String(given);
	if (text.trim() === '*' && Object.keys(binary).length > 0) return Object.keys(binary);
	if (Object.hasOwn(binary, text) || isAddress(text)) return [text];
	const names = text
		.split(',')
		.map((name) => name.trim())
		.filter((name) => name !== '');
	return names.length > 0 ? names : [undefined];
}

function attachedFile(entry: unknown, item: Item): AttachedFile {
	const found = findFile(entry, item, 'Attachments');
	if (found) return found;
	throw new Error(problemOf(entry, item));
}

/**
 * The file that an entry of a field means: by the name of a field of the item, or by what n8n tells of a file; undefined
 * where it means none. Throws a sentence when it could be more than one.
 *
 * @param label of the field
 */
export function findFile(entry: unknown, item: Item, label: string): AttachedFile | undefined {
	const { binary = {} } = item.input;
	if (typeof entry === 'string' && Object.hasOwn(binary, entry))
		return { source: entry, file: binary[entry] };
	const told = toldOf(entry);
	if (told) {
		const fields = Object.keys(binary).filter((field) => isSameFile(told, binary[field]));
		if (fields.length === 1) return { source: fields[0], file: binary[fields[0]] };
		if (fields.length > 1)
			throw new Error(`${label} could be either of ${fields.join(', ')}: enter the field's name`);
		const { id, data } = told as Partial<IBinaryData>;
		// What somebody else has sent as JSON could name any file of n8n's storage.
		const earlier = id === undefined ? undefined : fileOfEarlierNode(id, item);
		if (earlier || (id === undefined && data !== undefined)) {
			const file = { ...earlier, ...told } as IBinaryData;
			return { source: file, file };
		}
	}
	return undefined;
}

/** An entry as errors show it; what n8n tells of a file is not shown. */
export function shownEntry(entry: unknown): string {
	if (entry === undefined || entry === null) return 'empty';
	const isName = typeof entry === 'string' && !isN8nFile(entry) && !entry.includes('[object ');
	return isName ? quoted(entry) : 'a value that is no file of the item';
}

/** What a value tells of a file, as n8n's own fields of it; undefined where it tells of none. */
function toldOf(entry: unknown): IDataObject | undefined {
	if (typeof entry === 'string') return isN8nFile(entry) ? { id: entry } : undefined;
	if (isN8nFile(entry)) return entry as IDataObject;
	// A form puts this into its answers.
	const { filename, mimetype } = (entry ?? {}) as IDataObject;
	return filename !== undefined && mimetype !== undefined
		? { fileName: filename, mimeType: mimetype }
		: undefined;
}

/** Whether all that is told of a file is so of one of the item; expressions leave out its content. */
function isSameFile(told: IDataObject, own: IBinaryData): boolean {
	return Object.entries(told).every(([key, value]) => own[key] === value);
}

function problemOf(entry: unknown, { input: { binary = {}, json } }: Item): string {
	const fields = Object.keys(binary);
	const rule = 'Attachments must name fields of the item that hold files';
	if (isAddress(entry)) {
		return `${rule}, but is an address: download the file with an HTTP Request node before this one, and enter the name of its output field, such as data`;
	}
	const shown = shownEntry(entry);
	if (fields.length > 0) return `${rule} (it has ${fields.join(', ')}), but is ${shown}`;
	const why =
		combinedFiles(json).length > 0
			? 'its files are in _files, which this node cannot send; set Binary Mode to separate in the settings of the workflow'
			: 'nodes in between may have dropped them';
	return `${rule}, but is ${shown}, and the item has none: ${why}`;
}

const isAddress = (entry: unknown) => typeof entry === 'string' && /^\s*https?:\/\//i.test(entry);
