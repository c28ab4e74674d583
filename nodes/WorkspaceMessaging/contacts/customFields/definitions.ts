import { readList } from '../../transport/lists/pages';
import type { Requester } from '../../transport/request';
import { customFieldApi } from '../../contract/customField';
import { quoted } from '../../values/labels';
import { suggest } from '../../values/suggestions';

/** A custom field as the workspace defines it (part 2.4). */
export interface CustomFieldDefinition {
	id: string;
	name: string;
	type: string;
}

/** The custom fields of a workspace, by everything that people call them. */
export interface CustomFieldDefinitions {
	byId: ReadonlyMap<string, CustomFieldDefinition>;
	byName: ReadonlyMap<string, CustomFieldDefinition[]>;
	byFoldedName: ReadonlyMap<string, CustomFieldDefinition[]>;
}

/** Reads the custom fields of the workspace. */
export async function readCustomFieldDefinitions(
	client: Requester,
): Promise<CustomFieldDefinitions> {
	const list = await readList(client, customFieldApi.listCustomFields, {}, Infinity, { atOnce: 2 });
	const fields = list.map(({ id, name, type }) => ({
		id: String(id),
		name: String(name),
		type: String(type),
	}));
	return {
		byId: new Map(fields.map((field) => [field.id, field])),
		byName: groupByName(fields, (name) => name),
		byFoldedName: groupByName(fields, foldName),
	};
}

function groupByName(fields: CustomFieldDefinition[], toKey: (name: string) => string) {
	const groups = new Map<string, CustomFieldDefinition[]>();
	for (const field of fields) {
		const key = toKey(field.name);
		groups.set(key, [...(groups.get(key) ?? []), field]);
	}
	return groups;
}

/** Returns a name in lower case and without white space. */
const foldName = (name: string) => name.toLowerCase().replace(/\s/g, '');

/**
 * Returns the custom fields that an ID or name fits: the one with this ID; else those with exactly
 * this name; else those whose name differs in case and white space alone. This is the rule of all
 * operations; several fields are an error, see `describeSeveral`.
 */
export function matchCustomFields(
	{ byId, byName, byFoldedName }: CustomFieldDefinitions,
	idOrName: string,
): CustomFieldDefinition[] {
	const field = byId.get(idOrName);
	if (field) return [field];
	return byName.get(idOrName) ?? byFoldedName.get(foldName(idOrName)) ?? [];
}

/** Says which custom fields a name fits, and what to enter instead. */
export function describeSeveral(name: string, fields: CustomFieldDefinition[]) {
	const choices = fields.map((field) => `${quoted(field.name)} (${field.id})`).join(', ');
	return {
		what: `${fields.length} custom fields fit the name ${quoted(name)}: ${choices}.`,
		advice: 'Write the name exactly as the field has it, or use the ID.',
	};
}

/**
 * Says which custom fields exist, the similar ones first; `shownAtMost` if the service does not
 * show all.
 */
export function suggestCustomFields(
	idOrName: string,
	definitions: CustomFieldDefinitions,
	shownAtMost?: number,
): string {
	const names = listCustomFieldNames(definitions).map((name) => ({ name }));
	return suggest(idOrName, names, 'custom fields', shownAtMost);
}

/** Returns the names of the custom fields, each once. */
export const listCustomFieldNames = ({ byName }: CustomFieldDefinitions): string[] => [
	...byName.keys(),
];
