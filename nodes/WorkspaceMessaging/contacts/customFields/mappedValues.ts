import type { IDataObject } from 'n8n-workflow';
import { refusedError } from '../../transport/errors/ApiError';
import { getEnteredMapping } from '../../run/fieldValues';
import type { AnyItem } from '../../run/item';
import { noteLeftoversIn } from '../../run/leftoverHints';
import { oncePerRun } from '../../run/run';
import { noteUsedColumns } from '../../run/unusedColumns';
import { trimText, isFilledCell } from '../../values/blankText';
import { findValueProblem } from '../../values/checkValue';
import {
	customFieldDefinitions,
	findCustomField,
	findFieldsOfColumns,
	listCustomFieldNames,
	findCustomFieldDefinitions,
	noSuchCustomField,
	type CustomFieldDefinition,
	type CustomFieldDefinitions,
} from './definitions';
import { toStoredText } from './storedText';
import { joinNames } from '../../values/names';
import { filterValues, unique } from '../../transport/guards';

/* The custom field values that the user mapped: reads and checks them. */

/** A value that the user mapped to a custom field. */
interface MappedValue {
	field: CustomFieldDefinition;
	value: unknown;
	/** The value as the user entered it, with its expressions; undefined for a column of the input. */
	entered?: unknown;
}

/** A value in the form in which the API stores it. */
export interface CheckedValue extends MappedValue {
	value: string;
}

/** The field that maps values to custom fields. */
const MAPPER = 'customFields';

const textTypes = ['shortText', 'longText'];
/** Ways to write that depend on the current value, and the types of fields that they work with. */
const typedOperations: Record<string, { name: string; types: string[] }> = {
	append: { name: 'Append', types: textTypes },
	prepend: { name: 'Prepend', types: textTypes },
	increase: { name: 'Increase', types: ['number'] },
	decrease: { name: 'Decrease', types: ['number'] },
};

/**
 * Returns the custom field values that the user mapped for an item; an empty list if there are
 * none. Throws an `ApiError` that names the field if a value does not suit the type of the field.
 *
 * @param operation how n8n is going to write them (part 4.6)
 * @param done what n8n does with them, for a hint that names the columns that it left out
 */
export async function readMappedValues(
	item: AnyItem,
	operation = 'set',
	done = 'saved',
): Promise<CheckedValue[]> {
	const { values, isAutomatic } = readMapper(item);
	if (Object.keys(values).length === 0) return [];
	const findFields = isAutomatic ? matchColumns : findNamedFields;
	const mapped = await findFields(item, values, done);
	return mapped.map((each) => {
		const { field } = each;
		refuseOtherTypes(field, operation);
		const stored = readMappedValue(item, each);
		// What is added to a text may begin with a space or a line break.
		const text = operation === 'set' ? trimText(stored) : stored;
		return { field, value: text };
	});
}

/**
 * Throws an `ApiError` if n8n must not use a value that the user mapped to a custom field; see
 * `checkValue`. The custom fields are read before the run only if a column has such a value.
 */
export async function checkMappedValues(item: AnyItem): Promise<void> {
	const { values } = readMapper(item);
	if (!findValueProblem(values, { isTrimmed: true, getSources: item.getSources })) return;
	const isConnected = await item.connect().then(
		() => true,
		() => false,
	);
	if (isConnected) await readMappedValues(item);
}

/** Throws if a way to write does not work with the type of a field. */
function refuseOtherTypes({ name, type }: CustomFieldDefinition, operation: string) {
	const typed = typedOperations[operation];
	if (!typed || typed.types.includes(type)) return;
	throw refusedError(
		`Custom field ${name} is of type ${type}, but ${typed.name} works only with the type ${typed.types.join(' or ')}.`,
	);
}

function readMappedValue(item: AnyItem, { field, value, entered }: MappedValue) {
	const text = toStoredText(item, field, value);
	const label = `Custom field ${field.name}`;
	noteLeftoversIn(item, label, value, entered);
	return text;
}

/** Returns the values to set beside another operation; undefined if the user turned that off. */
export async function readValuesToSet(item: AnyItem): Promise<CheckedValue[] | undefined> {
	if (!item.isOn('withCustomFields')) return undefined;
	return await readMappedValues(item);
}

/** Whether the user mapped custom fields for an item. */
export function hasMappedValues(item: AnyItem): boolean {
	const { values } = readMapper(item);
	return Object.keys(values).length > 0;
}

/** Returns what the mapper holds for an item, without the empty values. */
function readMapper(item: AnyItem): { values: IDataObject; isAutomatic: boolean } {
	const mapper = item.parameter(MAPPER, {}) as {
		mappingMode?: string;
		value?: IDataObject | null;
	};
	const isAutomatic = mapper.mappingMode === 'autoMapInputData';
	const all = isAutomatic ? item.input.json : (mapper.value ?? {});
	return { values: filterValues(all, isFilledCell), isAutomatic };
}

/** Finds the fields that the user mapped values to by ID or name. */
async function findNamedFields(item: AnyItem, values: IDataObject): Promise<MappedValue[]> {
	const definitions = await customFieldDefinitions(item);
	const entered = getEnteredMapping(item, MAPPER);
	return Object.entries(values).map(([key, value]) => {
		const field = findCustomField(definitions, key);
		if (!field) throw noSuchCustomField(item, key, definitions);
		return { field, value, entered: entered[key] };
	});
}

/**
 * Returns the values of the columns that have the ID or name of a custom field; see
 * `findFieldsOfColumns`. Skips other columns, because items have other fields, too; a hint names them.
 * Throws an `ApiError` if a column fits several fields, or if no item of the run has a column that fits.
 */
async function matchColumns(
	item: AnyItem,
	values: IDataObject,
	done: string,
): Promise<MappedValue[]> {
	const definitions = await customFieldDefinitions(item);
	refuseOtherColumns(item, definitions);
	const found = findFieldsOfColumns(definitions, Object.keys(values));
	const used = found.map(({ column }) => column);
	noteUsedColumns(item, used, done);
	return found.map(({ column, field }) => ({ field, value: values[column] }));
}

/** Throws if no item of the run has a column for a custom field. */
function refuseOtherColumns(item: AnyItem, definitions: CustomFieldDefinitions) {
	const columns = listColumns(item);
	if (columns.length === 0) return;
	const isField = (column: string) => {
		const fields = findCustomFieldDefinitions(definitions, column);
		return fields.length > 0;
	};
	if (!columns.some(isField)) throw nothingMatches(columns, definitions);
}

const listColumns = oncePerRun(({ run }: AnyItem) => {
	const columns = run.items.flatMap(({ input }) => Object.keys(input.json));
	return unique(columns);
});

function nothingMatches(columns: string[], definitions: CustomFieldDefinitions) {
	const names = listCustomFieldNames(definitions);
	let known = 'The workspace has no custom fields yet.';
	if (names.length > 0) known = `The custom fields are: ${joinNames(names)}.`;
	return refusedError(
		`No column has the name of a custom field. The columns are: ${joinNames(columns)}. ${known}`,
		'Rename a column, or map the custom fields yourself.',
	);
}
