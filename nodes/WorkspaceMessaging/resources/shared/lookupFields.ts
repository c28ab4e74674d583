import type { INodePropertyMode } from 'n8n-workflow';
import type { Field } from '../../execution/operation';
import { patterns, rules } from '../../contract/limits';
import type { Lookup } from './lookups';

/** IDs consist of digits (API §4). */
const numericId = {
	type: 'regex',
	properties: { regex: patterns.numericId.source, errorMessage: `Enter ${rules.numericId}` },
} as const;

/** What a locator can differ in. */
type LocatorOptions = Pick<Field, 'description' | 'required'> & {
	/** Whether any text can be an ID. */
	anyId?: boolean;
	/** Modes beside From List and ID. */
	modes?: INodePropertyMode[];
};

/** A field that chooses one record of a list, or takes its ID. Its value goes into the body. */
export function locator(lookup: Lookup, field: LocatorOptions & Pick<Field, 'displayName' | 'name'>): Field {
	return { ...choice(lookup, field), routing: { send: { type: 'body', property: field.name } } };
}

/** The required field that chooses the record that an operation is about. Its value goes into the path. */
export function subjectLocator(lookup: Lookup, name: string, options: LocatorOptions = {}): Field {
	const displayName = lookup.noun.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
	return choice(lookup, { displayName, name, required: true, ...options });
}

function choice(
	{ noun, searchMethod }: Lookup,
	{ anyId, modes = [], ...field }: LocatorOptions & Pick<Field, 'displayName' | 'name'>,
): Field {
	return {
		...field,
		// Fields with a default do not look required to a model.
		...(field.required && { builderHint: { propertyHint: 'Required' } }),
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
				validation: anyId ? undefined : [numericId],
			},
			...modes,
		],
	};
}
