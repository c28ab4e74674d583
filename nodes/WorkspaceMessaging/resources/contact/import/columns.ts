import { rejected } from '../../../transport/errors/errors';
import { limits } from '../../../contract';
import { getImportHeaders } from '../../../contract/undocumented';
import type { Item } from '../../../execution/item';
import { customFieldDefinitions } from '../../../contacts/customFields/definitions';
import { fold, listed } from '../customFields/matchColumns';

/** The part of an import's body that says which column holds what. */
export interface Columns {
	phoneNumber?: string;
	contactId?: string;
	email?: string;
	firstName?: string;
	lastName?: string;
	/** The ID of a person on WhatsApp, on services that have it. */
	sourceUserId?: string;
	fieldMapping?: Array<{ column: string; customFieldId: string }>;
}

/** What became of the columns of a file, for the output. */
export interface ColumnReport {
	mappedColumns: Array<{ column: string; field: string }>;
	unusedColumns: string[];
}

type Name = Exclude<keyof Columns, 'fieldMapping'>;

/** What columns are usually called, where the service suggests nothing; compared without case, blanks and punctuation. */
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
 * Says which column of an uploaded file holds what. Columns that the user has named are taken as they are. With automatic
 * mapping, the others are found by what the service suggests, then by their usual names, then by the names of custom fields.
 * Throws an `ApiError` when the file has no column with a name that the user gave.
 *
 * @param given what the user has named
 * @returns the columns, and what became of each
 */
export async function mapColumns(
	item: Item,
	fileId: string,
	given: Columns,
	isAutomatic: boolean,
): Promise<{ columns: Columns; headers: string[]; report: ColumnReport }> {
	const { headers, suggestions } = await readHeaders(item, fileId);
	refuseUnknown(given, headers);
	const columns: Columns = { ...given };
	const used = new Set(usedBy(given));
	const usable = headers.filter((header) => header !== '' && header.length <= limits.columnName.max);
	const rest = () => usable.filter((header) => !used.has(header));
	const find = (name: Name, fits: (header: string) => boolean) => {
		const header = columns[name] === undefined ? rest().find(fits) : undefined;
		if (header === undefined) return;
		columns[name] = header;
		used.add(header);
	};
	if (isAutomatic) {
		for (const name of names) find(name, (header) => header === suggestions[name]);
		for (const name of names) find(name, (header) => usualNames[name].includes(plain(header)));
		columns.fieldMapping = await matchCustomFields(item, given, rest());
	}
	return { columns, headers, report: await reportOf(item, columns, headers) };
}

/** Adds columns that have the name of a custom field. Throws an `ApiError` when there are more than an import takes. */
async function matchCustomFields(
	item: Item,
	{ fieldMapping = [] }: Columns,
	headers: string[],
): Promise<Columns['fieldMapping']> {
	const mapping = [...fieldMapping];
	if (headers.length === 0) return fieldMapping.length > 0 ? mapping : undefined;
	const fields = [...(await customFieldDefinitions(item)).values()];
	// A column that has exactly the name of a field comes before one that has it in another case.
	for (const same of [(name: string) => name, fold]) {
		for (const column of headers) {
			const field = fields.find(({ name }) => same(name) === same(column));
			const isNew = mapping.every((entry) => entry.customFieldId !== field?.id && entry.column !== column);
			if (field && isNew) mapping.push({ column, customFieldId: field.id });
		}
	}
	refuseTooMany(mapping.length);
	return mapping.length > 0 ? mapping : undefined;
}

/** Says that an import takes only some custom fields. */
export function refuseTooMany(count: number) {
	const { max } = limits.fieldMapping;
	if (count <= max) return;
	throw rejected(
		`An import takes at most ${max} custom fields, but these are ${count}.`,
		'Leave some out, and write them with Set Custom Fields afterwards.',
	);
}

async function reportOf(item: Item, columns: Columns, headers: string[]): Promise<ColumnReport> {
	const { fieldMapping = [] } = columns;
	// Names are only for the output: an import does not end for want of them.
	const definitions =
		fieldMapping.length > 0 ? await customFieldDefinitions(item).catch(() => undefined) : undefined;
	const mapped = names.flatMap((field) => {
		const column = columns[field];
		return column === undefined ? [] : [{ column, field: field as string }];
	});
	const intoFields = fieldMapping.map(({ column, customFieldId }) => ({
		column,
		field: definitions?.get(customFieldId)?.name ?? customFieldId,
	}));
	const used = new Set(usedBy(columns));
	return {
		mappedColumns: [...mapped, ...intoFields],
		unusedColumns: headers.filter((header) => !used.has(header)),
	};
}

/** The columns of a file, and what the service takes them for. */
async function readHeaders(item: Item, fileId: string) {
	const answer = (await item.request(getImportHeaders, { params: { fileId } })) as {
		headers?: unknown;
		suggestedColumnMap?: Record<string, unknown>;
	};
	const headers = Array.isArray(answer?.headers) ? answer.headers.map(String) : [];
	return { headers: [...new Set(headers)], suggestions: answer?.suggestedColumnMap ?? {} };
}

const plain = (header: string) => header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The columns that are used for something. */
function usedBy({ fieldMapping = [], ...columns }: Columns): string[] {
	return [...Object.values(columns), ...fieldMapping.map(({ column }) => column)];
}

function refuseUnknown(given: Columns, headers: string[]) {
	const unknown = usedBy(given).find((column) => !headers.includes(column));
	if (unknown === undefined) return;
	throw rejected(`The file has no column "${unknown}". ${describeHeaders(headers)}`);
}

/** What people are told apart by on a channel, any of which is enough for an import. */
export const identitiesOn = (channel: string): Name[] =>
	channel === 'whatsapp' ? ['phoneNumber', 'sourceUserId'] : ['contactId'];

/**
 * Says that an import cannot do without the column by which people are told apart on a channel.
 *
 * @param channel type of the channel
 * @param headers columns of the file, as far as they are known
 */
export function requireIdentity(channel: string, columns: Columns, headers?: string[]) {
	if (identitiesOn(channel).some((name) => columns[name])) return;
	const isWhatsApp = channel === 'whatsapp';
	const needed = isWhatsApp ? 'phone numbers' : 'IDs of the contacts';
	const option = isWhatsApp ? 'Phone Number Column' : 'Contact ID Column';
	throw rejected(
		`An import into a channel of the type ${channel} needs a column with ${needed}.${headers ? ` ${describeHeaders(headers)}` : ''}`,
		`Name it in the option ${option}, or rename it in the file.`,
	);
}

const describeHeaders = (headers: string[]) =>
	headers.length === 0 ? 'The file has no columns.' : `The columns of the file are: ${listed(headers)}.`;
