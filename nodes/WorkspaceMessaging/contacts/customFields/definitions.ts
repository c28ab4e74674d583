import { readList } from '../../transport/lists/pages';
import type { Requester } from '../../transport/request';
import { customFieldApi } from '../../contract/customField';
import { suggest } from '../../values/suggestions';

/** A custom field as the workspace defines it (part 2.4). */
export interface CustomFieldDefinition {
	id: string;
	name: string;
	type: string;
}

export type CustomFieldDefinitions = Map<string, CustomFieldDefinition>;

/** Reads the custom fields of the workspace; the result has them by ID and by name. */
export async function readCustomFieldDefinitions(client: Requester): Promise<CustomFieldDefinitions> {
	const definitions: CustomFieldDefinitions = new Map();
	const list = await readList(client, customFieldApi.listCustomFields, {}, Infinity, { atOnce: 2 });
	const records = list.map(({ id, name, type }) => ({
		id: String(id),
		name: String(name),
		type: String(type),
	}));
	for (const field of records) definitions.set(field.name, field);
	// An ID that is also the name of another field means the ID.
	for (const field of records) definitions.set(field.id, field);
	return definitions;
}

/** Says which custom fields exist, the similar ones first; `shownAtMost` if the service does not show all. */
export function suggestCustomFields(
	idOrName: string,
	definitions: CustomFieldDefinitions,
	shownAtMost?: number,
): string {
	const names = [...new Set([...definitions.values()].map(({ name }) => name))];
	return suggest(
		idOrName,
		names.map((name) => ({ name })),
		'custom fields',
		shownAtMost,
	);
}
