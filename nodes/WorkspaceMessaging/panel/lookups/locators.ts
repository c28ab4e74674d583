import type { INodePropertyMode, INodePropertyRegexValidation } from 'n8n-workflow';
import { patterns, rules } from '../../contract/limits';
import type { Field } from '../../run/operation';
import type { Lookup, LookupField } from './lookup';

/* The fields that choose records of a list of the workspace, or take their IDs. */

/**
 * The rule of n8n for an ID. IDs consist of digits (part 4). n8n itself says if an empty field is
 * required.
 */
const numericIdRule: INodePropertyRegexValidation = {
	type: 'regex',
	properties: {
		regex: `${patterns.numericId.source}|^$`,
		errorMessage: `Enter ${rules.numericId}`,
	},
};

interface LocatorOptions {
	displayName?: string;
	description?: string;
	hint?: string;
	required?: boolean;
	/** Whether any text can be an ID. */
	anyId?: boolean;
	/** More modes after From List and ID. */
	modes?: INodePropertyMode[];
}

/** Lets a locator also take the name of a record. */
export const withNameMode = (
	example: string,
	hint = 'The exact name',
): Pick<LocatorOptions, 'modes'> => ({
	modes: [
		{ displayName: 'Name', name: 'name', type: 'string', placeholder: `e.g. ${example}`, hint },
	],
});

/** A field that chooses one record, or takes its ID. Its value goes into the body. */
export function locator(lookup: Lookup, name: string, options: LocatorOptions = {}): LookupField {
	return {
		...chooseRecord(lookup, name, options),
		routing: { send: { type: 'body', property: name } },
	};
}

/**
 * The required field that chooses the record that an operation is about. Its value goes into the
 * path.
 */
export function subjectLocator(
	lookup: Lookup,
	name: string,
	options: LocatorOptions = {},
): LookupField {
	return chooseRecord(lookup, name, { ...options, required: true });
}

function chooseRecord(
	lookup: Lookup,
	name: string,
	{ anyId, modes = [], ...options }: LocatorOptions,
): LookupField {
	const { noun, searchMethod } = lookup;
	return {
		displayName: titleCase(noun),
		name,
		...options,
		// Fields with a default do not look required to a model.
		...(options.required && { builderHint: { propertyHint: 'Required' } }),
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${noun}…`,
				typeOptions: { searchListMethod: searchMethod, searchable: true },
			},
			{
				displayName: 'ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 4711',
				validation: anyId ? undefined : [numericIdRule],
			},
			...modes,
		],
		lookup,
	};
}

/** A field that chooses several records, or takes their IDs. */
export function multiSelectLocator(
	lookup: Lookup & { optionsMethod: string },
	name: string,
	{ description = '', ...options }: Partial<Field> = {},
): LookupField {
	return {
		displayName: `${titleCase(lookup.noun)} Names or IDs`,
		name,
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: lookup.optionsMethod },
		default: [],
		description:
			`${description} Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`.trim(),
		...options,
		lookup,
	};
}

const titleCase = (noun: string) => noun.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
