import type { INodeProperties } from 'n8n-workflow';
import { genders, limits, rules } from '../../contract';

/** A closed list of values as options of a field, named in title case. */
export function optionsOf(values: readonly string[], names: Record<string, string> = {}) {
	return values.map((value) => ({
		name: names[value] ?? value.charAt(0).toUpperCase() + value.slice(1),
		value,
	}));
}

/** Puts a field into the body under its own name. */
export function inBody(field: INodeProperties): INodeProperties {
	return { ...field, routing: { send: { type: 'body', property: field.name } } };
}

/** Puts a field into the query under its own name. */
export function inQuery(field: INodeProperties): INodeProperties {
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
export function optional(
	name: keyof typeof groups,
	options: INodeProperties[],
	description?: string,
): INodeProperties {
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
export function nameField(placeholder: string, description: string): INodeProperties {
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
export function keywordFilter(placeholder: string, description: string): INodeProperties {
	return inQuery({
		displayName: 'Keyword',
		name: 'keyword',
		type: 'string',
		default: '',
		placeholder,
		description,
	});
}

/** Shows fields for one operation of one resource, beside what else they depend on. */
export function showFor(resource: string, operation: string, fields: INodeProperties[]): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: { show: { resource: [resource], operation: [operation], ...field.displayOptions?.show } },
	}));
}

/** The fields of a person that creating and updating a contact have in common (part 4.1). */
export const firstName = inBody({
	displayName: 'First Name',
	name: 'firstName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan',
	description: `Up to ${limits.personName.max} characters`,
});

export const lastName = inBody({
	displayName: 'Last Name',
	name: 'lastName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Smith',
	description: `Up to ${limits.personName.max} characters`,
});

export const email = inBody({
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'e.g. nathan@example.com',
	default: '',
	description: 'A valid email address',
});

export const phoneNumber = inBody({
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	placeholder: 'e.g. +4915112345678',
	default: '',
	description: `${rules.phoneNumber}; no spaces or dashes`,
});

export const gender = inBody({
	displayName: 'Gender',
	name: 'gender',
	type: 'options',
	options: optionsOf(genders),
	default: 'unknown',
	description: 'Male, female or unknown',
});

export const avatar = inBody({
	displayName: 'Avatar',
	name: 'avatar',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/nathan.png',
	description: 'Address (URL) of the profile image',
});
