import { refusedError } from '../../../transport/errors/ApiError';
import { limits } from '../../../contract/limits';
import { undocumentedApi } from '../../../contract/undocumented';
import type { Item } from '../../../run/item';
import {
	customFieldDefinitions,
	findCustomFieldId,
	findFieldsOfColumns,
} from '../../../contacts/customFields/definitions';
import { quoted } from '../../../values/labels';
import { findByName, joinNames } from '../../../values/names';
import { describeHeaders } from './checkColumns';
import {
	normalizeHeader,
	usualNames,
	type ColumnName,
	type Columns,
	type FieldMapping,
} from './columnNames';
import { unique } from '../../../transport/guards';

const names = Object.keys(usualNames) as ColumnName[];

/**
 * Maps the columns of an uploaded file. The columns that the user named stay as they are. Automatic
 * mapping finds others by the service's suggestions, then by their usual names, then by the names
 * of custom fields. Throws an `ApiError` if the file does not have a column that the user named.
 *
 * @returns the columns, all headers of the file, and what the output says about them
 */
export async function mapColumns(item: Item, fileId: string, named: Columns, isAutomatic: boolean) {
	const { headers, suggestions } = await readHeaders(item, fileId);
	const chosen = withHeaders(named, headers);
	let columns = chosen;
	if (isAutomatic) columns = await findColumns(item, chosen, headers, suggestions);
	const report = await reportColumns(item, columns, headers);
	return { columns, headers, report };
}

/**
 * Returns the columns that the user named as the file spells them. Throws an `ApiError` if the file
 * does not have one of them.
 */
function withHeaders(named: Columns, headers: string[]): Columns {
	const find = (column: string) => {
		const [header, another] = findByName(headers, column, (each) => [each]);
		if (header !== undefined && another === undefined) return header;
		throw refusedError(`The file has no column "${column}".`, describeHeaders(headers));
	};
	const columns = { ...named };
	for (const name of names) {
		const column = named[name];
		if (column !== undefined) columns[name] = find(column);
	}
	const { fieldMapping } = named;
	if (fieldMapping)
		columns.fieldMapping = fieldMapping.map(({ column, customFieldId }) => ({
			column: find(column),
			customFieldId,
		}));
	return columns;
}

/**
 * Reads the headers of an uploaded file, each once, and the columns that the service suggests. A hint
 * names those that the file has more than once.
 */
async function readHeaders(item: Item, fileId: string) {
	const params = { fileId };
	const answer = await item.request(undocumentedApi.getImportHeaders, { params });
	const { headers, suggestedColumnMap }: Record<string, unknown> = Object(answer);
	const listed = Array.isArray(headers) ? headers.map(String) : [];
	const suggestions: Record<string, unknown> = Object(suggestedColumnMap);
	hintAtDoubledColumns(item, listed);
	return { headers: unique(listed), suggestions };
}

function hintAtDoubledColumns(item: Item, headers: string[]) {
	const isDoubled = (header: string, index: number) => headers.indexOf(header) !== index;
	const doubled = new Set(headers.filter(isDoubled));
	// A column without a name is not used anyway.
	doubled.delete('');
	if (doubled.size === 0) return;
	const shown = joinNames([...doubled].map(quoted));
	item.hint(
		`The file has several columns with the same name: ${shown}. The service reads only one of each. Rename the others.`,
		{ key: 'doubledColumns', summary: '{count} files have several columns with the same name.' },
	);
}

async function findColumns(
	item: Item,
	named: Columns,
	headers: string[],
	suggestions: Record<string, unknown>,
): Promise<Columns> {
	const columns = { ...named };
	const { fieldMapping = [] } = named;
	const { max } = limits.columnName;
	const isFree = (header: string) => {
		if (header === '' || header.length > max) return false;
		const taken = [...columnsOfContact(columns), ...fieldMapping];
		return !taken.some(({ column }) => column === header);
	};
	const find = (isMatch: (header: string) => boolean) =>
		headers.find((header) => isFree(header) && isMatch(header));
	for (const name of names) {
		const suggestion = suggestions[name];
		columns[name] ??= find((header) => header === suggestion);
	}
	for (const name of names) {
		for (const usual of usualNames[name]) {
			columns[name] ??= find((header) => normalizeHeader(header) === usual);
		}
	}
	const mapping = [...fieldMapping];
	const free = headers.filter(isFree);
	if (free.length > 0) await mapCustomFields(item, free, mapping);
	columns.fieldMapping = mapping.length > 0 ? mapping : undefined;
	return columns;
}

/** Adds the columns to a mapping that have the ID or name of a custom field that it lacks. */
async function mapCustomFields(item: Item, free: string[], mapping: FieldMapping) {
	const definitions = await customFieldDefinitions(item);
	for (const { column, field } of findFieldsOfColumns(definitions, free)) {
		const isMapped = mapping.some(({ customFieldId }) => customFieldId === field.id);
		if (!isMapped) mapping.push({ column, customFieldId: field.id });
	}
}

/** Returns a mapping that the user entered, with the IDs of its fields in place of their names. */
export async function mapColumnsToFieldIds(
	item: Item,
	mapping: FieldMapping,
): Promise<FieldMapping> {
	return await Promise.all(
		mapping.map(async ({ column, customFieldId }) => ({
			column,
			customFieldId: await findCustomFieldId(item, customFieldId),
		})),
	);
}

/** Returns which column goes into which field, and which columns are not used, for the output. */
async function reportColumns(item: Item, columns: Columns, headers: string[]) {
	const { fieldMapping = [] } = columns;
	// A token that cannot read the custom fields can still import them; the output then has their
	// IDs.
	const isNeeded = fieldMapping.length > 0;
	const definitions = isNeeded
		? await customFieldDefinitions(item).catch(() => undefined)
		: undefined;
	const ofFields = fieldMapping.map(({ column, customFieldId }) => {
		const definition = definitions?.byId.get(customFieldId);
		return { column, field: definition?.name ?? customFieldId };
	});
	const mappedColumns = [...columnsOfContact(columns), ...ofFields];
	const used = mappedColumns.map(({ column }) => column);
	const unusedColumns = headers.filter((header) => !used.includes(header));
	return { mappedColumns, unusedColumns };
}

/** Returns the columns that go into the contact itself. */
const columnsOfContact = (columns: Columns) =>
	names.flatMap((field): Array<{ column: string; field: string }> => {
		const column = columns[field];
		return column === undefined ? [] : [{ column, field }];
	});
