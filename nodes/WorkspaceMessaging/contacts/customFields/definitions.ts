import type { IDataObject } from 'n8n-workflow';
import { rejected } from '../../transport/errors/errors';
import type { ApiError } from '../../transport/errors/errors';
import { readList } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { listCustomFields, patterns } from '../../contract';
import type { Item } from '../../execution/item';
import { quoted } from '../../validation/messages';
import { suggest } from '../../validation/suggestions';

/** A custom field as the workspace defines it (part 2.4). */
export interface CustomFieldDefinition {
	id: string;
	name: string;
	type: string;
}

/** The custom fields of the workspace, by ID and by name; read once for all items of a run. */
export async function customFieldDefinitions(item: Item): Promise<Map<string, CustomFieldDefinition>> {
	return await item.run.once('custom fields', async () => await readCustomFieldDefinitions(item));
}

/** Reads the custom fields of the workspace; the result has them by ID and by name. */
export async function readCustomFieldDefinitions(
	client: Requester,
): Promise<Map<string, CustomFieldDefinition>> {
	const definitions = new Map<string, CustomFieldDefinition>();
	const list = await readList(client, listCustomFields, {}, Infinity, { atOnce: 2 });
	const records = list as Array<IDataObject & CustomFieldDefinition>;
	for (const { id, name, type } of records) definitions.set(name, { id, name, type });
	// An ID that is also the name of another field means the ID.
	for (const { id, name, type } of records) definitions.set(id, { id, name, type });
	return definitions;
}

/**
 * The custom field with an ID or name; a name in another case, where no two fields differ in that alone;
 * an ID also where the service does not show all of its fields.
 * Throws an `ApiError` that says which fields there are.
 */
export async function customFieldNamed(item: Item, idOrName: string): Promise<CustomFieldDefinition> {
	const definitions = await customFieldDefinitions(item);
	const exact = definitions.get(idOrName);
	if (exact) return exact;
	const alike = [...definitions.values()].filter(({ name }) => fold(name) === fold(idOrName));
	if (new Set(alike.map(({ id }) => id)).size === 1) return alike[0];
	// One of those that the service does not show; what type it has is not known then.
	const isCut = item.service.cutLists.has(listCustomFields.path);
	if (isCut && patterns.numericId.test(idOrName)) return { id: idOrName, name: idOrName, type: 'shortText' };
	throw noSuchCustomField(item, idOrName, definitions);
}

/** The error for a custom field that the service does not list: it names those near it. */
export function noSuchCustomField(
	{ service }: Item,
	idOrName: string,
	definitions: Map<string, CustomFieldDefinition>,
): ApiError {
	const names = [...new Set([...definitions.values()].map(({ name }) => name))];
	return rejected(
		`The workspace has no custom field with the ID or name ${quoted(idOrName)}.`,
		suggest(
			idOrName,
			names.map((name) => ({ name })),
			'custom fields',
			service.cutLists.get(listCustomFields.path),
		),
	);
}

const fold = (name: string) => name.trim().toLocaleLowerCase();
