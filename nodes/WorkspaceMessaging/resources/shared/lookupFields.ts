import type { INodePropertyMode } from 'n8n-workflow';
import { patterns, rules } from '../../contract/limits';
import type { Field } from '../../execution/operation';
import type { PanelLookup } from './lookups';

/* Fields that take IDs of a list. Errors about IDs that do not exist suggest others from it. */

/** Returns the rule of n8n for an ID. IDs consist of digits (API §4); one that is not required can be empty. */
const numericId = (required = false) =>
	({
		type: 'regex',
		properties: {
			regex: required ? patterns.numericId.source : `${patterns.numericId.source}|^$`,
			errorMessage: `Enter ${rules.numericId}`,
		},
	}) as const;

interface LocatorOptions {
	displayName?: string;
	description?: string;
	required?: boolean;
	/** Whether any text can be an ID. */
	anyId?: boolean;
	/** Modes beside From List and ID. */
	modes?: INodePropertyMode[];
}

/** A field that chooses one record, or takes its ID. Its value goes into the body. */
export function locator(lookup: PanelLookup, name: string, options: LocatorOptions = {}): Field {
	return { ...choice(lookup, name, options), routing: { send: { type: 'body', property: name } } };
}

/** The required field that chooses the record that an operation is about. Its value goes into the path. */
export function subjectLocator(lookup: PanelLookup, name: string, options: LocatorOptions = {}): Field {
	return choice(lookup, name, { ...options, required: true });
}

function choice(lookup: PanelLookup, name: string, { anyId, modes = [], ...options }: LocatorOptions): Field {
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
				validation: anyId ? undefined : [numericId(options.required)],
			},
			...modes,
		],
		lookup,
	};
}

/** A field that chooses several records, or takes their IDs. */
export function multiSelect(
	lookup: PanelLookup & { optionsMethod: string },
	name: string,
	{ description = '', ...options }: Partial<Field> = {},
): Field {
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
