import { refusedError } from '../../../transport/errors/ApiError';
import { limits } from '../../../contract/limits';
import type { Item } from '../../../run/item';
import { oncePerRun } from '../../../run/run';
import { refuseWhatsAppAddress } from '../../../values/phone/whatsappAddress';
import { checkText } from '../../../values/checkValue';
import { cleanText, readCell, readEmail } from '../../../values/blankText';
import { valuesByName } from '../../../contacts/customFields/contactValues';
import { customFieldDefinitions } from '../../../contacts/customFields/definitions';
import {
	hasMappedValues,
	readMappedValues,
	type CheckedValue,
} from '../../../contacts/customFields/mappedValues';
import { hintAtDoubledName, withNameParts } from '../../../contacts/fullName';
import { contactFields } from '../../../panel/contactFields';
import type { Columns, FieldMapping } from './columnNames';
import { getImportCountryCode } from './countryCode';
import { quoteCell } from './csvText';
import { unique } from '../../../transport/guards';

/** The columns that items have a field for, with the labels of these fields. */
export const contactColumns = [
	['contactId', 'ID on the Channel'],
	['phoneNumber', 'Phone Number'],
	['email', 'Email'],
	['firstName', 'First Name'],
	['lastName', 'Last Name'],
] as const;

type Column = (typeof contactColumns)[number][0];

/** What one item adds to the table. */
interface TableRow {
	/** Number of the input item. */
	item: number;
	contact: Partial<Record<Column, string>>;
	customFields: CheckedValue[];
}

/** The items of a run as a table, without those that are empty or not valid. */
export interface Table {
	rows: TableRow[];
	/** Why items cannot be imported, by their numbers. */
	failures: Map<number, Error>;
}

/**
 * Reads the contact of an item, without its custom fields. A text that cannot be a phone number
 * stays as it is, so that the service reports its row. Throws an error that names the field if a
 * value does not fit into a cell.
 */
export const itemToCsvRow = (item: Item) => readRowOnce(item, String(item.index));

/** Validation and the table both need the contact, and expressions take time. */
const readRowOnce = oncePerRun<Item, [index: string], TableRow['contact']>((item) => {
	const contact: TableRow['contact'] = {};
	for (const [column, label] of contactColumns) {
		const value = item.parameter(column, '');
		const cell = readCell(value);
		const read = column === 'email' ? readEmail : cleanText;
		const text = read(String(cell ?? ''));
		if (text === '') continue;
		checkText(label, cell, { getSources: item.getSources });
		contact[column] = text;
		if (column === 'phoneNumber') {
			const getCode = () => getImportCountryCode(item) ?? '';
			contact[column] = item.readPhoneNumberWith(text, label, getCode);
		}
		if (column === 'email') refuseWhatsAppAddress(text, label);
	}
	hintAtDoubledName(item, contact);
	return withNameParts(contact, item.value(contactFields.fullName));
});

/**
 * Makes a table of all items of a run. The first item to ask reads the custom fields for all of
 * them.
 */
export const buildTable = oncePerRun(async (asking: Item): Promise<Table> => {
	const items = (asking.run.items as Item[]).filter(({ problem }) => !problem);
	if (items.some(hasMappedValues)) await customFieldDefinitions(asking);
	const table: Table = { rows: [], failures: new Map() };
	for (const item of items) {
		try {
			const isLikeFirst = JSON.stringify(item.body) === JSON.stringify(items[0].body);
			if (!isLikeFirst)
				throw refusedError(
					'All items become one import, so Channel, Channel Type, Default Country Code and Tag must be the same for all items.',
				);
			const contact = itemToCsvRow(item);
			const customFields = await readMappedValues(item, 'set', 'imported');
			const row = { item: item.index, contact, customFields };
			refuseTooLong(row);
			const isEmpty = Object.keys(contact).length + customFields.length === 0;
			if (!isEmpty) table.rows.push(row);
		} catch (error) {
			table.failures.set(item.index, error as Error);
		}
	}
	return table;
});

/**
 * Throws an `ApiError` if a value is longer than services read, because they cut it without an
 * error.
 */
function refuseTooLong(row: TableRow) {
	const { max } = limits.importCell;
	for (const [name, { length }] of Object.entries(getValues(row)))
		if (length > max)
			throw refusedError(`${name} has ${length} characters; an import reads at most ${max}.`);
}

/**
 * Returns the values of a row by the names of their fields, for the output. A custom field never replaces a
 * field of the contact.
 */
export function getValues({ contact, customFields }: TableRow): Record<string, string> {
	return { ...valuesByName(customFields), ...contact };
}

/** Returns a table as CSV, and what its columns have. */
export function tableToCsv({ rows }: Table): { csv: string; columns: Columns } {
	const cells = rows.map(toCells);
	const isUsed = (column: string) => cells.some((row) => column in row);
	const used = contactColumns.map(([column]) => column).filter(isUsed);
	const fieldMapping = mapFields(rows);
	const header = [...used, ...fieldMapping.map(({ column }) => column)];
	const lines = [header, ...cells.map((row) => header.map((column) => row[column]))];
	const csv = lines.map(toCsvLine).join('');
	return { csv, columns: describeColumns(used, fieldMapping) };
}

function describeColumns(used: Column[], fieldMapping: FieldMapping) {
	// In the file, these columns have the names that the service has for them.
	const columns: Columns = Object.fromEntries(used.map((column) => [column, column]));
	if (fieldMapping.length > 0) columns.fieldMapping = fieldMapping;
	return columns;
}

/** Returns a column for each custom field in which at least one row has a value. */
function mapFields(rows: TableRow[]) {
	const ids = rows.flatMap(({ customFields }) => customFields.map(({ field }) => field.id));
	return unique(ids).map((id) => ({ column: nameFieldColumn(id), customFieldId: id }));
}

const nameFieldColumn = (fieldId: string) => `customField ${fieldId}`;

/** Returns the values of a row by the names of their columns. */
function toCells({ contact, customFields }: TableRow): Record<string, string | undefined> {
	const entries = customFields.map(({ field, value }) => [nameFieldColumn(field.id), value]);
	return { ...contact, ...Object.fromEntries(entries) };
}

function toCsvLine(cells: Array<string | undefined>) {
	const quotedCells = cells.map((cell = '') => quoteCell(cell));
	return `${quotedCells.join(',')}\r\n`;
}
