import { rejected } from '../../transport/errors/ApiError';
import type { ApiError } from '../../transport/errors/ApiError';
import { readList } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { customFieldApi } from '../../contract/customField';
import { patterns } from '../../contract/limits';
import type { AnyItem } from '../../execution/item';
import { oncePerRun } from '../../execution/run';
import { quoted } from '../../validation/labels';
import { suggest } from '../../validation/suggestions';

/** A custom field as the workspace defines it (part 2.4). */
export interface CustomFieldDefinition {
	id: string;
	name: string;
	type: string;
}

type Definitions = Map<string, CustomFieldDefinition>;

/** Returns the custom fields of the workspace, by ID and by name; a run reads them once for all items. */
export const customFieldDefinitions = oncePerRun(
	async (item: AnyItem) => await readCustomFieldDefinitions(item),
);

/** Reads the custom fields of the workspace; the result has them by ID and by name. */
export async function readCustomFieldDefinitions(client: Requester): Promise<Definitions> {
	const definitions: Definitions = new Map();
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

/**
 * Finds the custom field with an ID or name. A name may differ in upper and lower case, if no two fields differ in that
 * alone. An ID is also found if the service does not show all of its fields.
 * Throws an `ApiError` that says which fields exist.
 */
export async function customFieldNamed(item: AnyItem, idOrName: string): Promise<CustomFieldDefinition> {
	const definitions = await customFieldDefinitions(item);
	const exact = definitions.get(idOrName);
	if (exact) return exact;
	const alike = [...definitions.values()].filter(({ name }) => fold(name) === fold(idOrName));
	if (new Set(alike.map(({ id }) => id)).size === 1) return alike[0];
	// The service does not show this one, and n8n does not know its type.
	const isCut = item.service.cutLists.has(customFieldApi.listCustomFields.path);
	if (isCut && patterns.numericId.test(idOrName)) return { id: idOrName, name: idOrName, type: 'shortText' };
	throw noSuchCustomField(item, idOrName, definitions);
}

/** Returns the error for a custom field that the service does not list; it names similar ones. */
export function noSuchCustomField(
	{ service }: AnyItem,
	idOrName: string,
	definitions: Definitions,
): ApiError {
	return rejected(
		`The workspace has no custom field with the ID or name ${quoted(idOrName)}.`,
		suggestCustomFields(idOrName, definitions, service.cutLists.get(customFieldApi.listCustomFields.path)),
	);
}

/** Says which custom fields exist, the similar ones first; `shownAtMost` if the service does not show all. */
export function suggestCustomFields(
	idOrName: string,
	definitions: Definitions,
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

const fold = (name: string) => name.trim().toLocaleLowerCase();
