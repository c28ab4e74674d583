import { refusedError, type ApiError } from '../../transport/errors/ApiError';
import { readPagedList } from '../../service/lists/pages';
import { trackSeenRecords } from '../../service/lists/records';
import type { Requester } from '../../transport/request';
import { customFieldApi, QUESTION_FIELD } from '../../contract/customField';
import { patterns } from '../../contract/limits';
import type { AnyItem } from '../../run/item';
import { oncePerRun } from '../../run/run';
import { quoted } from '../../values/labels';
import { findByName, foldNameAndSpaces, looksLike } from '../../values/names';
import { describeSeveral, suggest } from '../../values/suggestions';
import { listTraits } from '../../service/capabilities';

/** A custom field as the workspace defines it (part 2.4). */
export interface CustomFieldDefinition {
	id: string;
	name: string;
	type: string;
}

/** The custom fields of a workspace. Nobody calls the one for n8n's own notes by its name. */
export interface CustomFieldDefinitions {
	byId: ReadonlyMap<string, CustomFieldDefinition>;
	/** Those that people call by their names. */
	named: readonly CustomFieldDefinition[];
}

/** Reads the custom fields of the workspace. */
export async function readCustomFieldDefinitions(
	client: Requester,
): Promise<CustomFieldDefinitions> {
	const list = await readPagedList(client, customFieldApi.listCustomFields, {}, Infinity, {
		atOnce: 2,
	});
	const fields = list.map(({ id, name, type }) => ({
		id: String(id),
		name: String(name),
		type: String(type),
	}));
	return {
		byId: new Map(fields.map((field) => [field.id, field])),
		named: fields.filter(({ name }) => name !== QUESTION_FIELD),
	};
}

const definitionsOfClients = new WeakMap<Requester, Promise<CustomFieldDefinitions>>();

/** Reads the custom fields of the workspace once for a poll, or for a call of the service. */
export async function readDefinitionsOnce(client: Requester): Promise<CustomFieldDefinitions> {
	const definitions = definitionsOfClients.get(client) ?? readCustomFieldDefinitions(client);
	definitionsOfClients.set(client, definitions);
	return await definitions;
}

/**
 * Returns the custom fields that an ID or name fits: the one with this ID; else those that
 * `findByName` finds, whatever their case and white space. This is the rule of all operations;
 * several fields are an error, see `describeSeveralCustomFields`.
 */
export function findCustomFieldDefinitions(
	{ byId, named }: CustomFieldDefinitions,
	idOrName: string,
): CustomFieldDefinition[] {
	const field = byId.get(idOrName);
	if (field) return [field];
	return findByName(named, idOrName, ({ name }) => [name], foldNameAndSpaces);
}

/** Says which custom fields a name fits, and what to enter instead. */
export const describeSeveralCustomFields = (name: string, fields: CustomFieldDefinition[]) => ({
	what: describeSeveral('custom fields', name, fields),
	advice: 'Write the name exactly as the field has it, or use the ID.',
});

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
export const listCustomFieldNames = ({ named }: CustomFieldDefinitions): string[] => [
	...new Set(named.map(({ name }) => name)),
];

/** Reads the custom fields of the workspace, once for all items of a run. */
export const customFieldDefinitions = oncePerRun((item: AnyItem) =>
	readCustomFieldDefinitions(item),
);

/**
 * Returns the custom field with an ID or name, by the rule of `findCustomFieldDefinitions`;
 * undefined if there is none. Throws an `ApiError` if several fit.
 */
export function findCustomField(
	definitions: CustomFieldDefinitions,
	idOrName: string,
): CustomFieldDefinition | undefined {
	const fields = findCustomFieldDefinitions(definitions, idOrName);
	if (fields.length <= 1) return fields[0];
	const { what, advice } = describeSeveralCustomFields(idOrName, fields);
	throw refusedError(what, advice);
}

/** A column with the ID or name of a custom field. */
interface FieldColumn {
	column: string;
	field: CustomFieldDefinition;
}

const isExactName = ({ column, field }: FieldColumn) =>
	column === field.id || looksLike(column, field.name);

/**
 * Finds the custom fields that columns have the ID or name of, each once: of several columns for one
 * field, one with exactly the name comes first. Throws an `ApiError` if a column fits several fields.
 */
export function findFieldsOfColumns(definitions: CustomFieldDefinitions, columns: string[]) {
	const found = columns.flatMap((column) => {
		const field = findCustomField(definitions, column);
		return field ? [{ column, field }] : [];
	});
	const exact = found.filter(isExactName);
	const isNew = trackSeenRecords();
	return [...exact, ...found].filter(({ field }) => isNew(field));
}

/**
 * Returns the custom field with an ID or name. An ID is also found if the service does not show all
 * of its fields. Throws an `ApiError` if there is not exactly one.
 */
export async function getCustomField(
	item: AnyItem,
	idOrName: string,
): Promise<CustomFieldDefinition> {
	const definitions = await customFieldDefinitions(item);
	const field = findCustomField(definitions, idOrName);
	if (field) return field;
	// The service does not show this one, and n8n does not know its type.
	const { cutAt } = listTraits(item, customFieldApi.listCustomFields);
	if (cutAt !== undefined && patterns.numericId.test(idOrName))
		return { id: idOrName, name: idOrName, type: 'shortText' };
	throw noSuchCustomField(item, idOrName, definitions);
}

/**
 * Returns the ID of the custom field with an ID or name. Digits alone are taken as an ID, without a
 * request.
 */
export async function findCustomFieldId(item: AnyItem, idOrName: string): Promise<string> {
	if (patterns.numericId.test(idOrName)) return idOrName;
	const field = await getCustomField(item, idOrName);
	return field.id;
}

/** Returns the error for a custom field that the service does not list; it names similar ones. */
export function noSuchCustomField(
	item: AnyItem,
	idOrName: string,
	definitions: CustomFieldDefinitions,
): ApiError {
	const { cutAt } = listTraits(item, customFieldApi.listCustomFields);
	return refusedError(
		`The workspace has no custom field with the ID or name ${quoted(idOrName)}.`,
		suggestCustomFields(idOrName, definitions, cutAt),
	);
}
