import { refusedError } from '../../../transport/errors/ApiError';
import { limits } from '../../../contract/limits';
import { undocumentedApi } from '../../../contract/undocumented';
import type { Item } from '../../../run/item';
import {
	customFieldDefinitions,
	findCustomField,
	findCustomFieldId,
	type CustomFieldDefinitions,
} from '../../../contacts/customFields/definitions';
import { toOptionName } from '../../../panel/fields';
import { quoted } from '../../../values/labels';
import { findByName, joinNames, looksLike } from '../../../values/names';

/** The part of an import's body that says which column of the file has what. */
export interface Columns {
	phoneNumber?: string;
	contactId?: string;
	email?: string;
	firstName?: string;
	lastName?: string;
	/** The ID of a person on WhatsApp; newer services have it. */
	sourceUserId?: string;
	fieldMapping?: FieldMapping;
}

type FieldMapping = Array<{ column: string; customFieldId: string }>;

type Name = Exclude<keyof Columns, 'fieldMapping'>;

/**
 * Common names of columns in English, German, Spanish and French, for those that the service does
 * not recognize; in lower case without accents, blanks and punctuation. n8n uses the first one that
 * a file has: a French file can have "nombre" (count) beside "prénom", and a mobile number reaches
 * more channels than a landline.
 */
const usualNames: Record<Name, string[]> = {
	phoneNumber: wordsIn(
		'phonenumber phone mobile mobilephone',
		'handy handynummer mobil mobilnummer mobiltelefon telefon telefonnummer rufnummer',
		'movil telefonomovil celular telefono numerodetelefono',
		'portable telephoneportable numerodetelephone',
		'tel telephone whatsapp',
	),
	contactId: wordsIn('contactid externalid subscriberid userid id'),
	email: wordsIn(
		'email emailaddress mail emailadresse mailadresse',
		'correo correoelectronico courriel adresseemail adressemail',
	),
	firstName: wordsIn('firstname givenname vorname prenom nombre nombres'),
	lastName: wordsIn(
		'lastname surname familyname nachname familienname',
		'apellido apellidos nom nomdefamille',
	),
	sourceUserId: wordsIn('sourceuserid whatsappuserid'),
};

function wordsIn(...lines: string[]): string[] {
	return lines.flatMap((line) => line.split(' '));
}

const names = Object.keys(usualNames) as Name[];

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
	const report = await describeColumns(item, columns, headers);
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
	hintAtDoubled(item, listed);
	return { headers: [...new Set(listed)], suggestions };
}

function hintAtDoubled(item: Item, headers: string[]) {
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
	const { max } = limits.columnName;
	const isFree = (header: string) => {
		if (header === '' || header.length > max) return false;
		const taken = columnsIn(columns);
		return !taken.includes(header);
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
	const { fieldMapping = [] } = named;
	const mapping = [...fieldMapping];
	const free = headers.filter(isFree);
	if (free.length > 0) await mapCustomFields(item, free, mapping);
	columns.fieldMapping = mapping.length > 0 ? mapping : undefined;
	return columns;
}

/**
 * Adds the columns to a mapping that have the ID or name of a custom field; of several columns for
 * one field, a column with exactly the name comes first. Throws an `ApiError` if a column fits
 * several fields.
 */
async function mapCustomFields(item: Item, free: string[], mapping: FieldMapping) {
	const definitions = await customFieldDefinitions(item);
	const add = (column: string, customFieldId: string) => {
		const isMapped = mapping.some((entry) => entry.customFieldId === customFieldId);
		if (!isMapped) mapping.push({ column, customFieldId });
	};
	const similar: FieldMapping = [];
	for (const column of free) {
		const field = findCustomField(definitions, column);
		if (!field) continue;
		const { id, name } = field;
		const isExact = column === id || looksLike(column, name);
		if (isExact) add(column, id);
		else similar.push({ column, customFieldId: id });
	}
	for (const { column, customFieldId } of similar) add(column, customFieldId);
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

/** Returns a header in lower case without accents, blanks and punctuation. */
const normalizeHeader = (header: string) =>
	header
		.normalize('NFD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

async function describeColumns(item: Item, columns: Columns, headers: string[]) {
	const { fieldMapping = [] } = columns;
	// A token that cannot read the custom fields can still import them; the output then has their
	// IDs.
	let definitions: CustomFieldDefinitions | undefined;
	if (fieldMapping.length > 0)
		definitions = await customFieldDefinitions(item).catch(() => undefined);
	const mappedColumns: Array<{ column: string; field: string }> = [];
	for (const name of names) {
		const column = columns[name];
		if (column !== undefined) mappedColumns.push({ column, field: name });
	}
	for (const { column, customFieldId } of fieldMapping) {
		const definition = definitions?.byId.get(customFieldId);
		const field = definition?.name ?? customFieldId;
		mappedColumns.push({ column, field });
	}
	const used = columnsIn(columns);
	const unusedColumns = headers.filter((header) => !used.includes(header));
	return { mappedColumns, unusedColumns };
}

/** The columns that are used for something. */
function columnsIn(columns: Columns): string[] {
	const { fieldMapping = [] } = columns;
	const contactColumns = names.flatMap((name) => columns[name] ?? []);
	const fieldColumns = fieldMapping.map(({ column }) => column);
	return [...contactColumns, ...fieldColumns];
}

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

function describeHeaders(headers: string[]): string {
	if (headers.length === 0) return 'The file has no columns.';
	return `The columns of the file are: ${joinNames(headers)}.`;
}
