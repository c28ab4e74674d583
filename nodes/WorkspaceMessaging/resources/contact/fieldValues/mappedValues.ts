import type { IDataObject } from 'n8n-workflow';
import {
	customFieldDefinitions,
	findCustomField,
	noSuchCustomField,
	simplifyContacts,
} from '../../../contacts/customFields/runDefinitions';
import {
	listCustomFieldNames,
	matchCustomFields,
} from '../../../contacts/customFields/definitions';
import type {
	CustomFieldDefinition,
	CustomFieldDefinitions,
} from '../../../contacts/customFields/definitions';
import { customFieldsById, isStored, storedForm } from '../../../contacts/customFields/value';
import { customFieldApi } from '../../../contract/customField';
import { limits } from '../../../contract/limits';
import { undocumentedApi } from '../../../contract/undocumented';
import type { AnyItem, Item } from '../../../run/item';
import { oncePerRun } from '../../../run/run';
import {
	isNotFound,
	isUnsupported,
	mayHaveChanged,
	partiallyDone,
	recover,
	rejected,
} from '../../../transport/errors/ApiError';
import type { ApiError } from '../../../transport/errors/ApiError';
import { serializationProblem } from '../../../values/serializable';
import { toOptions } from '../../../panel/fields';

/* The custom field values that the user mapped: reads, checks and writes them. */

/** A value that the user mapped to a custom field. */
interface MappedValue {
	field: CustomFieldDefinition;
	value: unknown;
}

/** A value in the form in which the API stores it. */
export interface CheckedValue extends MappedValue {
	value: string;
}

const textTypes = ['shortText', 'longText'];
/** The types of fields that can be written in a way that depends on the current value. */
const typesFor: Record<string, string[]> = {
	append: textTypes,
	prepend: textTypes,
	increase: ['number'],
	decrease: ['number'],
};

/**
 * Returns the custom field values that the user mapped for an item; an empty list if there are
 * none. Throws an `ApiError` that names the field if a value does not suit the type of the field.
 *
 * @param operation how n8n is going to write them (part 4.6)
 */
export async function readMappedValues(item: AnyItem, operation = 'set'): Promise<CheckedValue[]> {
	const { values, isAutomatic } = readMapper(item);
	if (Object.keys(values).length === 0) return [];
	const mapped = isAutomatic ? await matchColumns(item, values) : await namedFields(item, values);
	return mapped.map(({ field, value }) => {
		const types = typesFor[operation];
		if (types && !types.includes(field.type)) {
			const [{ name }] = toOptions([operation]);
			throw rejected(
				`Custom field ${field.name} is of type ${field.type}, but ${name} works only with the type ${types.join(' or ')}.`,
			);
		}
		const stored = storedForm(item, field, value);
		const problem = serializationProblem('json', { [`Custom field ${field.name}`]: stored }, {});
		if (problem) throw rejected(`${problem}.`);
		return { field, value: stored };
	});
}

/** Returns the values to set beside another operation; undefined if the user turned that off. */
export async function readValuesToSet(item: AnyItem): Promise<CheckedValue[] | undefined> {
	return item.isOn('withCustomFields') ? await readMappedValues(item) : undefined;
}

/** Whether the user mapped anything for an item. */
export function hasValues(item: AnyItem): boolean {
	return Object.keys(readMapper(item).values).length > 0;
}

/** Returns values by the names of their fields, for the output. */
export function valuesByName(values: CheckedValue[]): IDataObject {
	return Object.fromEntries(values.map(({ field, value }) => [field.name, value]));
}

/** Returns what the mapper holds for an item, without the empty values. */
function readMapper(item: AnyItem): { values: IDataObject; isAutomatic: boolean } {
	const mapper = item.parameter('customFields', {}) as {
		mappingMode?: string;
		value?: IDataObject | null;
	};
	const isAutomatic = mapper.mappingMode === 'autoMapInputData';
	const all = isAutomatic ? item.input.json : (mapper.value ?? {});
	const filled = Object.entries(all).filter(
		([, value]) => value !== undefined && value !== null && value !== '',
	);
	return { values: Object.fromEntries(filled), isAutomatic };
}

/** Finds the fields that the user mapped values to by ID or name. */
async function namedFields(item: AnyItem, values: IDataObject): Promise<MappedValue[]> {
	const definitions = await customFieldDefinitions(item);
	return Object.entries(values).map(([key, value]) => {
		const field = findCustomField(definitions, key);
		if (!field) throw noSuchCustomField(item, key, definitions);
		return { field, value };
	});
}

/**
 * Returns the values of the columns that have the ID or name of a custom field; of several columns
 * for one field, a column with exactly the name comes first. Skips other columns, because items
 * have other fields, too. Throws an `ApiError` if a column fits several fields, or if no item of
 * the run has a column that fits.
 */
async function matchColumns(item: AnyItem, values: IDataObject): Promise<MappedValue[]> {
	const definitions = await customFieldDefinitions(item);
	const columns = listColumns(item);
	const isField = (column: string) => matchCustomFields(definitions, column).length > 0;
	if (columns.length > 0 && !columns.some(isField)) throw nothingMatches(columns, definitions);

	const matches = new Map<string, MappedValue>();
	for (const [column, value] of Object.entries(values)) {
		const field = findCustomField(definitions, column);
		if (!field) continue;
		const isExact = column === field.id || column === field.name;
		if (isExact || !matches.has(field.id)) matches.set(field.id, { field, value });
	}
	return [...matches.values()];
}

const listColumns = oncePerRun(({ run }: AnyItem) => [
	...new Set(run.items.flatMap(({ input }) => Object.keys(input.json))),
]);

function nothingMatches(columns: string[], definitions: CustomFieldDefinitions): ApiError {
	const names = listCustomFieldNames(definitions);
	const known =
		names.length === 0
			? 'The workspace has no custom fields yet.'
			: `The custom fields are: ${listFieldNames(names)}.`;
	return rejected(
		`No column has the name of a custom field. The columns are: ${listFieldNames(columns)}. ${known}`,
		'Rename a column, or map the custom fields yourself.',
	);
}

/** The maximum number of columns, and of fields, that an error lists. */
const NAMES_SHOWN = 20;

/** Returns names as a list for an error, not longer than an error can show. */
export function listFieldNames(names: string[]): string {
	const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
	return `${names.slice(0, NAMES_SHOWN).join(', ')}${more}`;
}

/**
 * Writes values to a contact (part 4.6), as many at a time as services take. An error says what was
 * done before, and whether the contact does not exist or the service lacks the operation.
 *
 * @param operation how to write them
 * @param done what the item did to the contact before, such as `created`
 */
export async function writeValues(
	item: Item,
	identifier: string,
	values: CheckedValue[],
	{ operation = 'set', done }: { operation?: string; done?: string } = {},
): Promise<void> {
	const { max } = limits.customFieldValues;
	for (let from = 0; from < values.length; from += max) {
		await writeStep(item, identifier, values.slice(from, from + max), operation).catch(
			recover(
				() => from > 0 || done !== undefined,
				(failure) => {
					const error =
						from === 0
							? failure
							: partiallyDone(
									failure,
									`The first ${from} custom fields were set; the rest was not.`,
								);
					if (done === undefined) throw error;
					// If some were or may have been set, the error itself says so.
					const rest = mayHaveChanged(error) ? '' : ', but its custom fields were not set';
					throw partiallyDone(error, `The contact ${identifier} was ${done}${rest}.`);
				},
			),
		);
	}
}

async function writeStep(
	item: Item,
	identifier: string,
	values: CheckedValue[],
	operation: string,
) {
	const params = { identifier };
	const operations = values.map(({ field, value }) => ({
		customFieldId: field.id,
		operation,
		value,
	}));
	const endpoint = customFieldApi.setContactCustomFields;
	await item.request(endpoint, { params, body: { operations } }).catch(
		recover(
			(error) =>
				operation === 'set' && isNotFound(error) && error.details.reason !== 'objectMissing',
			async (error) => {
				// Some services replace values in another request (difference 13). If this one has neither,
				// the first error says so.
				const fields = values.map(({ field, value }) => ({ customFieldId: field.id, value }));
				await item
					.request(undocumentedApi.replaceContactCustomFields, { params, body: { fields } })
					.catch(
						recover(isUnsupported, () => {
							throw error;
						}),
					);
			},
		),
	);
}

/** Returns the values that the record of a contact does not show. */
export function findNewValues(contact: IDataObject, values: CheckedValue[]): CheckedValue[] {
	const current = customFieldsById(contact);
	// Of several values for one field, the last one wins.
	const last = [...new Map(values.map((value) => [value.field.id, value])).values()];
	return last.filter(({ field, value }) => !isStored(field, current?.get(field.id)?.value, value));
}

/**
 * Returns a contact with values that n8n has written, as the service shows it (part 2.2), but
 * without what only the service knows: the time of the change, and the ID of a new value. A contact
 * without a list of values stays as it is.
 */
export function mergeValues(contact: IDataObject, written: CheckedValue[]): IDataObject {
	const current = customFieldsById(contact);
	if (!current) return contact;
	for (const { field, value } of written) {
		const entry: IDataObject = {
			...current.get(field.id),
			value,
			contactId: contact.id,
			customFieldId: field.id,
		};
		delete entry.updatedAt;
		current.set(field.id, entry);
	}
	return { ...contact, contactCustomFields: [...current.values()] };
}

/**
 * Returns a contact that an item has written, for the output: simplified if the user wants that,
 * and with the values that the item wrote by the names of their fields.
 */
export async function withWrittenValues(
	item: AnyItem,
	contact: IDataObject,
	values?: CheckedValue[],
): Promise<IDataObject> {
	const customFields = valuesByName(values ?? []);
	if (!item.isSimplified) return { ...contact, ...(values && { customFields }) };
	const [simple] = await simplifyContacts([contact], item);
	return { ...simple, customFields: { ...simple.customFields, ...customFields } };
}
