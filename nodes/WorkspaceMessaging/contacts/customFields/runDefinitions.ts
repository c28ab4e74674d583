import type { IDataObject } from 'n8n-workflow';
import { rejected, type ApiError } from '../../transport/errors/ApiError';
import { customFieldApi } from '../../contract/customField';
import { patterns } from '../../contract/limits';
import type { AnyItem } from '../../run/item';
import { oncePerRun } from '../../run/run';
import { quoted } from '../../values/labels';
import { simplifyWith, type SimpleContact } from '../simplify';
import {
	describeSeveral,
	matchCustomFields,
	readCustomFieldDefinitions,
	suggestCustomFields,
} from './definitions';
import type { CustomFieldDefinition, CustomFieldDefinitions } from './definitions';

/* The custom fields of the workspace in a run, which reads them once for all items. */

/** Returns the custom fields of the workspace. */
export const customFieldDefinitions = oncePerRun(
	async (item: AnyItem) => await readCustomFieldDefinitions(item),
);

/**
 * Returns the custom field with an ID or name, by the rule of `matchCustomFields`; undefined if
 * there is none. Throws an `ApiError` if several fit.
 */
export function findCustomField(
	definitions: CustomFieldDefinitions,
	idOrName: string,
): CustomFieldDefinition | undefined {
	const fields = matchCustomFields(definitions, idOrName);
	if (fields.length <= 1) return fields[0];
	const { what, advice } = describeSeveral(idOrName, fields);
	throw rejected(what, advice);
}

/**
 * Returns the custom field with an ID or name. An ID is also found if the service does not show all
 * of its fields. Throws an `ApiError` if there is not exactly one.
 */
export async function customFieldNamed(
	item: AnyItem,
	idOrName: string,
): Promise<CustomFieldDefinition> {
	const definitions = await customFieldDefinitions(item);
	const field = findCustomField(definitions, idOrName);
	if (field) return field;
	// The service does not show this one, and n8n does not know its type.
	const isCut = item.service.cutLists.has(customFieldApi.listCustomFields.path);
	if (isCut && patterns.numericId.test(idOrName))
		return { id: idOrName, name: idOrName, type: 'shortText' };
	throw noSuchCustomField(item, idOrName, definitions);
}

/**
 * Returns the ID of the custom field with an ID or name. Digits alone are taken as an ID, without a
 * request.
 */
export async function findCustomFieldId(item: AnyItem, idOrName: string): Promise<string> {
	return patterns.numericId.test(idOrName) ? idOrName : (await customFieldNamed(item, idOrName)).id;
}

/** Returns the error for a custom field that the service does not list; it names similar ones. */
export function noSuchCustomField(
	{ service }: AnyItem,
	idOrName: string,
	definitions: CustomFieldDefinitions,
): ApiError {
	return rejected(
		`The workspace has no custom field with the ID or name ${quoted(idOrName)}.`,
		suggestCustomFields(
			idOrName,
			definitions,
			service.cutLists.get(customFieldApi.listCustomFields.path),
		),
	);
}

/**
 * Reduces contacts to the fields that people use most; a run reads the names of the custom fields
 * once.
 */
export async function simplifyContacts(
	contacts: IDataObject[],
	item: AnyItem,
): Promise<SimpleContact[]> {
	return await simplifyWith(contacts, async () => (await customFieldDefinitions(item)).byId);
}
