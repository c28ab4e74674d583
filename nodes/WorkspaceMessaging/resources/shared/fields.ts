import type { Field } from '../../execution/operation';

/** A closed list of values as options of a field, named in title case. */
export function optionsOf(values: readonly string[], names: Record<string, string> = {}) {
	return values.map((value) => ({
		name: names[value] ?? value.charAt(0).toUpperCase() + value.slice(1),
		value,
	}));
}

/** Puts a field into the body under its own name. */
export function inBody(field: Field): Field {
	return { ...field, routing: { send: { type: 'body', property: field.name } } };
}

/** Puts a field into the query under its own name. */
export function inQuery(field: Field): Field {
	return { ...field, routing: { send: { type: 'query', property: field.name } } };
}

/** The groups of optional fields, as n8n's conventions name them. */
const groups = {
	additionalFields: { displayName: 'Additional Fields', placeholder: 'Add Field' },
	updateFields: { displayName: 'Update Fields', placeholder: 'Add Field' },
	filters: { displayName: 'Filters', placeholder: 'Add Filter' },
	options: { displayName: 'Options', placeholder: 'Add Option' },
};

/** A group of optional fields. */
export function optional(name: keyof typeof groups, options: Field[], description?: string): Field {
	return {
		...groups[name],
		name,
		type: 'collection',
		default: {},
		options,
		...(description && { description }),
	};
}

/** The name of a tag or custom field (parts 4.2 and 4.3). */
export function nameField(placeholder: string, description: string): Field {
	return inBody({
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder,
		description,
	});
}

/** The filter of a list that the service can search by text. */
export function keywordFilter(placeholder: string, description: string): Field {
	return inQuery({
		displayName: 'Keyword',
		name: 'keyword',
		type: 'string',
		default: '',
		placeholder,
		description,
	});
}
