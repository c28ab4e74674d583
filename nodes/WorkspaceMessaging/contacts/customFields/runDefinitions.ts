import type { IDataObject } from 'n8n-workflow';
import { rejected, type ApiError } from '../../transport/errors/ApiError';
import { customFieldApi } from '../../contract/customField';
import { patterns } from '../../contract/limits';
import type { AnyItem } from '../../run/item';
import { oncePerRun } from '../../run/run';
import { quoted } from '../../values/labels';
import { simplifyWith, type SimpleContact } from '../simplify';
import { readCustomFieldDefinitions, suggestCustomFields } from './definitions';
import type { CustomFieldDefinition, CustomFieldDefinitions } from './definitions';

/* The custom fields of the workspace in a run, which reads them once for all items. */

/** Returns the custom fields of the workspace, by ID and by name. */
export const customFieldDefinitions = oncePerRun(
	async (item: AnyItem) => await readCustomFieldDefinitions(item),
);

/**
 * Finds the custom field with an ID or name. A name may differ in upper and lower case, if no two fields differ in that
 * alone. An ID is also found if the service does not show all of its fields.
 * Throws an `ApiError` that says which fields exist.
 */
export async function customFieldNamed(item: AnyItem, idOrName: string): Promise<CustomFieldDefinition> {
	const definitions = await customFieldDefinitions(item);
	const exact = definitions.get(idOrName);
	if (exact) return exact;
	const alike = [...definitions.values()].filter(
		({ name }) => normalizeName(name) === normalizeName(idOrName),
	);
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
	definitions: CustomFieldDefinitions,
): ApiError {
	return rejected(
		`The workspace has no custom field with the ID or name ${quoted(idOrName)}.`,
		suggestCustomFields(idOrName, definitions, service.cutLists.get(customFieldApi.listCustomFields.path)),
	);
}

/** Reduces contacts to the fields that people use most; a run reads the names of the custom fields once. */
export async function simplifyContacts(contacts: IDataObject[], item: AnyItem): Promise<SimpleContact[]> {
	return await simplifyWith(contacts, async () => await customFieldDefinitions(item));
}

const normalizeName = (name: string) => name.trim().toLocaleLowerCase();
