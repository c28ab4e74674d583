import { limits } from '../../../contract/limits';
import { toOptionName } from '../../../panel/fields';
import { refusedError } from '../../../transport/errors/ApiError';
import { joinNames } from '../../../values/names';
import type { Columns } from './columnNames';

/** Throws an `ApiError` if these are more custom fields than an import accepts. */
export function refuseTooManyColumns({ fieldMapping = [] }: Columns) {
	const { max } = limits.fieldMapping;
	if (fieldMapping.length <= max) return;
	throw refusedError(
		`An import accepts up to ${max} custom fields, but there are ${fieldMapping.length}.`,
		'Remove some, and set them with Set Custom Fields afterwards.',
	);
}

/**
 * Throws an `ApiError` if an import lacks what tells contacts apart on its channel.
 *
 * @param channel type of the channel
 * @param headers columns of the file; undefined if there is none to read, `items` if the items are
 * the file
 */
export function requireIdentityColumn(
	channel: string,
	columns: Columns,
	headers: string[] | 'items' = [],
) {
	let identity = columns.contactId;
	let [what, label] = ['IDs on the channel', 'ID on the Channel'];
	if (channel === 'whatsapp') {
		identity = columns.phoneNumber ?? columns.sourceUserId;
		[what, label] = ['phone numbers', 'Phone Number'];
	}
	if (identity) return;
	const problem = `Importing to ${toOptionName(channel)} needs`;
	if (headers === 'items')
		throw refusedError(`${problem} ${what}.`, `${label} is empty in all items.`);
	const known = headers.length > 0 ? ` ${describeHeaders(headers)}` : '';
	throw refusedError(
		`${problem} a column with ${what}.`,
		`Set ${label} Column under Options, or rename the column in the file.${known}`,
	);
}

/** Names the columns of an imported file in an error. */
export function describeHeaders(headers: string[]): string {
	if (headers.length === 0) return 'The file has no columns.';
	return `The columns of the file are: ${joinNames(headers)}.`;
}
