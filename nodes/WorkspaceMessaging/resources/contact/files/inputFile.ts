import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { quoted } from '../../../validation/messages';

/** What a file is called; services take a part without a name for no file. */
export function fileNameOf({ fileName, fileExtension }: IBinaryData): string {
	return fileName || (fileExtension ? `file.${fileExtension}` : 'file');
}

/**
 * Says that n8n has deleted a file that an item still names.
 *
 * @param label of the field that names it
 */
export function refuseLost(label: string, file: IBinaryData): never {
	throw new Error(
		`${label}: n8n no longer has the file ${quoted(fileNameOf(file))}; run the node that it comes from again`,
	);
}

/**
 * Says that a file is larger than services take.
 *
 * @param size in bytes
 * @param max in bytes
 * @param what what the error calls it
 * @param name given where there can be several
 */
export function checkSize(size: number, max: number, what: string, name?: string): void {
	if (size <= max) return;
	const which = name === undefined ? '' : `${quoted(name)} `;
	throw new Error(`${what} must have at most ${shown(max)} bytes, but ${which}has ${shown(size)}`);
}

const shown = (bytes: number) => bytes.toLocaleString('en-US');

/** The paths of the files that n8n puts into an item's JSON where the workflow's Binary Mode is combined. */
export function combinedFiles({ _files }: IDataObject): string[] {
	return Object.keys(Object(_files) as IDataObject).map((name) => `_files.${name}`);
}
