import { ApiError, rejected } from '../../../transport/errors/errors';
import { isN8nFile } from '../../../transport/n8nFiles';
import { limits } from '../../../contract';
import type { Item } from '../../../execution/item';
import { normalizePhoneNumber } from '../../../validation/phoneNumber';
import { customFieldDefinitions } from '../../../contacts/customFields/definitions';
import { checkedValues, hasValues } from '../customFields/values';
import type { CheckedValue } from '../customFields/values';
import { refuseTooMany } from './columns';
import type { Columns } from './columns';
import { toCsv } from './csv';
import { countryCodeOf } from './destination';

/** The columns that items have fields for, with their labels. */
export const contactColumns = {
	contactId: 'Contact ID',
	phoneNumber: 'Phone Number',
	email: 'Email',
	firstName: 'First Name',
	lastName: 'Last Name',
};

type Column = keyof typeof contactColumns;

export const contactColumnNames = Object.keys(contactColumns) as Column[];

/** What one item brings into the table. */
interface Row {
	/** Number of the input item. */
	item: number;
	contact: Partial<Record<Column, string>>;
	customFields: CheckedValue[];
}

/** The items of a run as a table; those that are empty, or not valid, are not in it. */
export interface Table {
	rows: Row[];
	/** Why items cannot be imported, by their numbers. */
	failures: Map<number, Error>;
}

/** Text that stands for nothing in a cell. */
const isEmpty = (value: unknown) => value === undefined || value === null || String(value).trim() === '';

/**
 * The contact that an item says, without its custom fields. Phone numbers are read as people write them; what cannot be one
 * is left to the service, which says so of its row.
 * Throws an error that names the field when a value cannot be written into a cell.
 */
export function contactOf(item: Item): Row['contact'] {
	// Asked for when the items are checked, and again when they are sent; expressions take their time.
	return item.run.once(`contact of item ${item.index}`, () => readContact(item));
}

function readContact(item: Item): Row['contact'] {
	const contact: Row['contact'] = {};
	for (const [column, label] of Object.entries(contactColumns) as Array<[Column, string]>) {
		const value = item.parameter(column, '');
		if (isEmpty(value)) continue;
		if (isN8nFile(value)) throw new Error(`${label} can't hold binary data`);
		if (typeof value === 'object') throw new Error(`${label} must be text, but is an object`);
		if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
			throw new Error(`${label} is the number ${value}, whose digits are not exact; enter it as text`);
		const text = String(value).trim();
		contact[column] =
			column === 'phoneNumber' ? normalizePhoneNumber(text, label, () => countryCodeOf(item) ?? '') : text;
	}
	return contact;
}

/**
 * Makes a table of all items of a run.
 *
 * @param asking the item that reads the definitions of the custom fields for all of them
 */
export async function tableOf(asking: Item): Promise<Table> {
	// Those with a problem have been dealt with.
	const items = (asking.run.items as Item[]).filter(({ problem }) => !problem);
	if (items.some(hasValues)) await customFieldDefinitions(asking);
	const table: Table = { rows: [], failures: new Map() };
	for (const item of items) {
		try {
			refuseOther(item, items[0]);
			const row = { item: item.index, contact: contactOf(item), customFields: await checkedValues(item) };
			refuseLong(row);
			if (Object.keys(row.contact).length + row.customFields.length > 0) table.rows.push(row);
		} catch (error) {
			table.failures.set(item.index, error as ApiError);
		}
	}
	return table;
}

/** Says that one import goes to one place. */
function refuseOther({ body }: Item, first: Item) {
	if (JSON.stringify(body) === JSON.stringify(first.body)) return;
	throw rejected(
		'All items become one import, so Channel, Channel Type, Country Code and Tag must be the same for all.',
	);
}

/** Says what services would cut without a word. */
function refuseLong(row: Row) {
	const { max } = limits.importCell;
	const [name, value] = Object.entries(valuesOf(row)).find(([, text]) => text.length > max) ?? [];
	if (value === undefined) return;
	throw rejected(`${name} must have at most ${max} characters to be imported, but has ${value.length}.`);
}

/** A table as a file, and which of its columns holds what. Throws an `ApiError` when it has too many custom fields. */
export function fileOf({ rows }: Table): { csv: string; columns: Columns } {
	const used = contactColumnNames.filter((column) =>
		rows.some(({ contact }) => contact[column] !== undefined),
	);
	const fields = new Map(
		rows.flatMap(({ customFields }) => customFields.map(({ field }) => [field.id, field])),
	);
	refuseTooMany(fields.size);
	const ids = [...fields.keys()];
	const header = [...used, ...ids.map(columnOf)];
	const lines = rows.map(({ contact, customFields }) => [
		...used.map((column) => contact[column] ?? ''),
		...ids.map((id) => customFields.find(({ field }) => field.id === id)?.value ?? ''),
	]);
	return {
		csv: toCsv(header, lines),
		columns: {
			...Object.fromEntries(used.map((column) => [column, column])),
			...(ids.length > 0 && { fieldMapping: ids.map((id) => ({ column: columnOf(id), customFieldId: id })) }),
		},
	};
}

/** A name that no column of a contact has. */
const columnOf = (fieldId: string) => `customField ${fieldId}`;

/** What a row says, by the names that people know; a custom field cannot take the place of a field of the contact. */
export function valuesOf({ contact, customFields }: Row): Record<string, string> {
	return { ...Object.fromEntries(customFields.map(({ field, value }) => [field.name, value])), ...contact };
}
