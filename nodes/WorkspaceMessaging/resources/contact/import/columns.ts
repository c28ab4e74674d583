import { rejected } from '../../../transport/errors/ApiError';
import { isObject } from '../../../transport/guards';
import { limits } from '../../../contract/limits';
import { undocumentedApi } from '../../../contract/undocumented';
import type { Item } from '../../../execution/item';
import { customFieldDefinitions } from '../../../contacts/customFields/definitions';
import { displayName } from '../../shared/fields';
import { fold, listed } from '../customFields/values';

/** The part of an import's body that says which column of the file has what. */
export interface Columns {
	phoneNumber?: string;
	contactId?: string;
	email?: string;
	firstName?: string;
	lastName?: string;
	/** The ID of a person on WhatsApp; newer services have it. */
	sourceUserId?: string;
	fieldMapping?: Array<{ column: string; customFieldId: string }>;
}

type Name = Exclude<keyof Columns, 'fieldMapping'>;

/** Common names of columns, in lower case without blanks and punctuation, for those that the service does not recognize. */
const usualNames: Record<Name, string[]> = {
	phoneNumber: ['phonenumber', 'phone', 'mobile', 'mobilephone', 'tel', 'telephone', 'whatsapp'],
	contactId: ['contactid', 'externalid', 'subscriberid', 'userid', 'id'],
	email: ['email', 'emailaddress', 'mail'],
	firstName: ['firstname', 'givenname', 'vorname'],
	lastName: ['lastname', 'surname', 'familyname', 'nachname'],
	sourceUserId: ['sourceuserid', 'whatsappuserid'],
};

const names = Object.keys(usualNames) as Name[];

/**
 * Maps the columns of an uploaded file. The columns that the user named stay as they are. Automatic mapping finds others by the
 * service's suggestions, then by their usual names, then by the names of custom fields.
 * Throws an `ApiError` if the file does not have a column that the user named.
 *
 * @returns the columns, all headers of the file, and what the output says about them
 */
export async function mapColumns(item: Item, fileId: string, named: Columns, isAutomatic: boolean) {
	const answer = await item.request(undocumentedApi.getImportHeaders, { params: { fileId } });
	const { headers: list, suggestedColumnMap }: Record<string, unknown> = isObject(answer) ? answer : {};
	const headers = [...new Set(Array.isArray(list) ? list.map(String) : [])];
	const unknown = columnsIn(named).find((column) => !headers.includes(column));
	if (unknown !== undefined) throw rejected(`The file has no column "${unknown}".`, describeHeaders(headers));
	const suggestions = isObject(suggestedColumnMap) ? suggestedColumnMap : {};
	const columns = isAutomatic ? await findColumns(item, named, headers, suggestions) : named;
	return { columns, headers, report: await reportOf(item, columns, headers) };
}

async function findColumns(
	item: Item,
	named: Columns,
	headers: string[],
	suggestions: Record<string, unknown>,
): Promise<Columns> {
	const columns = { ...named };
	const isFree = (header: string) =>
		header !== '' && header.length <= limits.columnName.max && !columnsIn(columns).includes(header);
	for (const isMatch of [
		(header: string, name: Name) => header === suggestions[name],
		(header: string, name: Name) => usualNames[name].includes(plain(header)),
	]) {
		for (const name of names)
			columns[name] ??= headers.find((header) => isFree(header) && isMatch(header, name));
	}
	const free = headers.filter(isFree);
	const fields = free.length > 0 ? [...(await customFieldDefinitions(item)).values()] : [];
	const mapping = [...(named.fieldMapping ?? [])];
	// A column with exactly the name of a field takes precedence over one that differs in case.
	for (const form of [(name: string) => name, fold]) {
		for (const column of free) {
			const id = fields.find(({ name }) => form(name) === form(column))?.id;
			if (id && mapping.every((entry) => entry.customFieldId !== id && entry.column !== column))
				mapping.push({ column, customFieldId: id });
		}
	}
	return { ...columns, fieldMapping: mapping.length > 0 ? mapping : undefined };
}

const plain = (header: string) => header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

async function reportOf(item: Item, columns: Columns, headers: string[]) {
	const { fieldMapping = [] } = columns;
	// A token that cannot read the custom fields can still import them; the output then has their IDs.
	const definitions =
		fieldMapping.length > 0 ? await customFieldDefinitions(item).catch(() => undefined) : undefined;
	const mapped = names.map((name) => ({ column: columns[name], field: String(name) }));
	const mappedFields = fieldMapping.map(({ column, customFieldId }) => ({
		column,
		field: definitions?.get(customFieldId)?.name ?? customFieldId,
	}));
	const used = columnsIn(columns);
	return {
		mappedColumns: [...mapped.filter(({ column }) => column !== undefined), ...mappedFields],
		unusedColumns: headers.filter((header) => !used.includes(header)),
	};
}

/** The columns that are used for something. */
function columnsIn(columns: Columns): string[] {
	const fieldColumns = (columns.fieldMapping ?? []).map(({ column }) => column);
	return [...names.flatMap((name) => columns[name] ?? []), ...fieldColumns];
}

/** Throws an `ApiError` if these are more custom fields than an import accepts. */
export function refuseTooMany({ fieldMapping = [] }: Columns) {
	const { max } = limits.fieldMapping;
	if (fieldMapping.length <= max) return;
	throw rejected(
		`An import accepts up to ${max} custom fields, but there are ${fieldMapping.length}.`,
		'Remove some, and set them with Set Custom Fields afterwards.',
	);
}

/**
 * Throws an `ApiError` if an import lacks what tells contacts apart on its channel.
 *
 * @param channel type of the channel
 * @param headers columns of the file; undefined if there is none to read, `items` if the items are the file
 */
export function requireIdentity(channel: string, columns: Columns, headers: string[] | 'items' = []) {
	const isWhatsApp = channel === 'whatsapp';
	if (isWhatsApp ? (columns.phoneNumber ?? columns.sourceUserId) : columns.contactId) return;
	const [what, label] = isWhatsApp
		? ['phone numbers', 'Phone Number']
		: ['IDs on the channel', 'ID on the Channel'];
	const headline = `Importing to ${displayName(channel)} needs`;
	if (headers === 'items') throw rejected(`${headline} ${what}.`, `${label} is empty in all items.`);
	throw rejected(
		`${headline} a column with ${what}.`,
		`Set ${label} Column under Options, or rename the column in the file. ${headers.length > 0 ? describeHeaders(headers) : ''}`.trim(),
	);
}

const describeHeaders = (headers: string[]) =>
	headers.length === 0 ? 'The file has no columns.' : `The columns of the file are: ${listed(headers)}.`;
