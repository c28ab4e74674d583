import type { IDataObject } from 'n8n-workflow';
import { rejected } from '../../../transport/errors/ApiError';
import type { ApiError } from '../../../transport/errors/ApiError';
import type { Item } from '../../../execution/item';
import { customFieldDefinitions } from '../../../contacts/customFields/definitions';
import type { CustomFieldDefinition } from '../../../contacts/customFields/definitions';

/** Columns and fields that an error lists at most of each. */
const NAMES_SHOWN = 20;

interface Match {
	field: CustomFieldDefinition;
	value: unknown;
}

/**
 * The values of an item that have the ID or name of a custom field, whatever the case and the blanks in it; a column that
 * has exactly the name comes first. Other columns are left out, as an item has other fields, too.
 * Throws an `ApiError` when no item of the run has any such column, which names the columns and the fields.
 */
export async function matchColumns(item: Item, values: IDataObject): Promise<Match[]> {
	const definitions = await customFieldDefinitions(item);
	const folded = item.run.once('custom fields by folded name', () => foldedNames(definitions));
	const find = (column: string) => definitions.get(column) ?? folded.get(fold(column));
	const columns = item.run.once('columns', () => new Set(item.run.items.flatMap(columnsOf)));
	if (columns.size > 0 && ![...columns].some(find)) throw nothingMatches([...columns], definitions);

	const matches = new Map<string, Match>();
	for (const [column, value] of Object.entries(values)) {
		const field = find(column);
		if (!field) continue;
		const isExact = definitions.has(column);
		if (isExact || !matches.has(field.id)) matches.set(field.id, { field, value });
	}
	return [...matches.values()];
}

function columnsOf({ input }: Pick<Item, 'input'>): string[] {
	return Object.keys(input.json);
}

function foldedNames(definitions: Map<string, CustomFieldDefinition>): Map<string, CustomFieldDefinition> {
	const folded = new Map<string, CustomFieldDefinition>();
	for (const field of definitions.values())
		if (!folded.has(fold(field.name))) folded.set(fold(field.name), field);
	return folded;
}

/** A name without the difference that case and blanks make. */
export function fold(name: string): string {
	return name.toLowerCase().replace(/\s/g, '');
}

function nothingMatches(columns: string[], definitions: Map<string, CustomFieldDefinition>): ApiError {
	const names = [...new Set([...definitions.values()].map(({ name }) => name))];
	const known =
		names.length === 0
			? 'The workspace has no custom fields yet.'
			: `The custom fields are: ${listed(names)}.`;
	return rejected(
		`No column has the name of a custom field. The columns are: ${listed(columns)}. ${known}`,
		'Rename a column, or map the custom fields yourself.',
	);
}

/** Names one after the other, as many as an error can hold. */
export function listed(names: string[]): string {
	const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
	return `${names.slice(0, NAMES_SHOWN).join(', ')}${more}`;
}
