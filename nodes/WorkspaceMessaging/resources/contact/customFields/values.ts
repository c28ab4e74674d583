import type { IDataObject } from 'n8n-workflow';
import { customFieldDefinitions, noSuchCustomField } from '../../../contacts/customFields/definitions';
import type { CustomFieldDefinition } from '../../../contacts/customFields/definitions';
import { storedForm } from '../../../contacts/customFields/value';
import type { AnyItem } from '../../../execution/item';
import { oncePerRun } from '../../../execution/run';
import { rejected } from '../../../transport/errors/ApiError';
import type { ApiError } from '../../../transport/errors/ApiError';
import { optionsOf } from '../../shared/fields';

/* Reads and checks the custom field values that the user mapped. */

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
 * Returns the custom field values that the user mapped for an item; an empty list if there are none. Throws an `ApiError`
 * that names the field if a value does not suit the type of the field.
 *
 * @param operation how n8n is going to write them (part 4.6)
 */
export async function checkedValues(item: AnyItem, operation = 'set'): Promise<CheckedValue[]> {
	const { values, isAutomatic } = mappedValues(item);
	if (Object.keys(values).length === 0) return [];
	const mapped = isAutomatic ? await matchColumns(item, values) : await namedFields(item, values);
	return mapped.map(({ field, value }) => {
		const types = typesFor[operation];
		if (types && !types.includes(field.type)) {
			const [{ name }] = optionsOf([operation]);
			throw rejected(
				`Custom field ${field.name} is of type ${field.type}, but ${name} works only with the type ${types.join(' or ')}.`,
			);
		}
		return { field, value: storedForm(item, field, value) };
	});
}

/** Returns the values to set beside another operation; undefined if the user turned that off. */
export async function valuesBeside(item: AnyItem): Promise<CheckedValue[] | undefined> {
	return item.parameter('withCustomFields', false) === true ? await checkedValues(item) : undefined;
}

/** Whether the user mapped anything for an item. */
export function hasValues(item: AnyItem): boolean {
	return Object.keys(mappedValues(item).values).length > 0;
}

/** Returns values by the names of their fields, for the output. */
export function valuesByName(values: CheckedValue[]): IDataObject {
	return Object.fromEntries(values.map(({ field, value }) => [field.name, value]));
}

/** Returns what the mapper holds for an item, without the empty values. */
function mappedValues(item: AnyItem): { values: IDataObject; isAutomatic: boolean } {
	const mapper = item.parameter('customFields', {}) as { mappingMode?: string; value?: IDataObject | null };
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
		const field = definitions.get(key);
		if (!field) throw noSuchCustomField(item, key, definitions);
		return { field, value };
	});
}

/**
 * Returns the values of the columns that have the ID or name of a custom field, regardless of case and white space; a column
 * with exactly the name comes first. Skips other columns, because items have other fields, too.
 * Throws an `ApiError` that names the columns and the fields if no item of the run has any such column.
 */
async function matchColumns(item: AnyItem, values: IDataObject): Promise<MappedValue[]> {
	const definitions = await customFieldDefinitions(item);
	const folded = await fieldsByFoldedName(item);
	const find = (column: string) => definitions.get(column) ?? folded.get(fold(column));
	const columns = columnsOf(item);
	if (columns.length > 0 && !columns.some(find)) throw nothingMatches(columns, definitions);

	const matches = new Map<string, MappedValue>();
	for (const [column, value] of Object.entries(values)) {
		const field = find(column);
		if (!field) continue;
		const isExact = definitions.has(column);
		if (isExact || !matches.has(field.id)) matches.set(field.id, { field, value });
	}
	return [...matches.values()];
}

const columnsOf = oncePerRun(({ run }: AnyItem) => [
	...new Set(run.items.flatMap(({ input }) => Object.keys(input.json))),
]);

const fieldsByFoldedName = oncePerRun(async (item: AnyItem) => {
	const fields = [...(await customFieldDefinitions(item)).values()];
	// Of several fields with the same folded name the first one counts.
	return new Map(fields.reverse().map((field) => [fold(field.name), field]));
});

/** Returns a name in lower case and without white space. */
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

/** Columns and fields that an error lists at most of each. */
const NAMES_SHOWN = 20;

/** Returns names as a list for an error, not longer than an error can show. */
export function listed(names: string[]): string {
	const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
	return `${names.slice(0, NAMES_SHOWN).join(', ')}${more}`;
}
