import type { INodeProperties } from 'n8n-workflow';
import type { Field } from '../run/operation';
import { choices, limits } from '../contract/limits';
import { outputFields } from './toolFields';
import { compareByName } from '../values/names';
import { wholeNumberFrom } from '../values/numbers';

/** Names of the API's values that are not just the value with a capital letter. */
const displayNames: Record<string, string> = {
	asc: 'Ascending',
	boolean: 'Yes/No',
	datetime: 'Date and Time',
	desc: 'Descending',
	longText: 'Long Text',
	phoneNumber: 'Phone Number',
	shortText: 'Short Text',
	smtp: 'SMTP',
	tiktok: 'TikTok',
	whatsapp: 'WhatsApp',
};

/** The name that the panel shows for a value of the API. */
export const toOptionName = (value: string) =>
	displayNames[value] ?? value.slice(0, 1).toUpperCase() + value.slice(1);

/**
 * Returns values of the API as the options of a field, sorted by name as all lists of the panel.
 */
export const toSortedOptions = (values: readonly string[]) =>
	values.map((value) => ({ name: toOptionName(value), value })).sort(compareByName);

/** Returns options by their values, in the same order. */
export const toNamedOptions = (names: Record<string, string>) =>
	Object.entries(names).map(([value, name]) => ({ name, value }));

/** The types of channels with their names. */
export const channelOptions = toSortedOptions(choices.contactChannels);

/** What a field has that n8n does not know. */
const ownKeys = ['lookup', 'rule', 'canBeEmpty', 'inTools'];

/** Returns a field as n8n knows it: without what only the node uses. */
export function panelField(field: Field | INodeProperties): INodeProperties {
	const withoutOurs = (key: string, value: unknown) => (ownKeys.includes(key) ? undefined : value);
	const json = JSON.stringify(field, withoutOurs);
	return JSON.parse(json);
}

/** Makes a field of the panel a value of the request's body, under its own name. */
export function inBody(field: Field): Field {
	return { ...field, routing: { send: { type: 'body', property: field.name } } };
}

/** Makes a field of the panel a value of the request's query, under its own name. */
export function inQuery(field: Field): Field {
	return { ...field, routing: { send: { type: 'query', property: field.name } } };
}

/** A field for a text of the request's body. */
export function textField(field: Omit<Field, 'type' | 'default'> & { default?: string }): Field {
	return inBody({ type: 'string', default: '', ...field });
}

/** The groups of optional fields, as n8n's conventions name them. */
const groups = {
	additionalFields: { displayName: 'Additional Fields', placeholder: 'Add Field' },
	updateFields: { displayName: 'Update Fields', placeholder: 'Add Field' },
	filters: { displayName: 'Filters', placeholder: 'Add Filter' },
	options: { displayName: 'Options', placeholder: 'Add Option' },
};

/** A collection of optional fields in the panel, such as Additional Fields. */
export function optional(name: keyof typeof groups, options: Field[], description?: string): Field {
	return { ...groups[name], name, type: 'collection', default: {}, options, description };
}

/** Whether records come with the fields that people use most, or with all fields. */
export const simplify: Field = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	inTools: outputFields,
};

/** Return All and Limit, for every list. */
export const returnAllOrLimit: Field[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
		rule: wholeNumberFrom(1),
	},
];

const pageField = {
	type: 'number',
	typeOptions: { minValue: limits.page.min, maxValue: limits.page.max, numberPrecision: 0 },
} as const;

/**
 * Where to start in the list of contacts, the only long one, and how many records to request at a
 * time.
 */
export const pageOptions: Field[] = [
	inQuery({ displayName: 'Page Size', name: 'perPage', ...pageField, default: 100 }),
	inQuery({ displayName: 'Start Page', name: 'page', ...pageField, default: 1 }),
];

/** The field Keyword, of a list that the service can search. */
export function keywordField(placeholder: string, description: string): Field {
	return inQuery({
		displayName: 'Keyword',
		name: 'keyword',
		type: 'string',
		default: '',
		placeholder,
		description,
	});
}

/** The field for the name of a tag or custom field. */
export function recordNameField(placeholder: string, rule: string): Field {
	return textField({
		displayName: 'Name',
		name: 'name',
		required: true,
		placeholder,
		description: `${limits.name.min} to ${limits.name.max} characters${rule}`,
	});
}

/** The field for the folder of a tag or custom field; the API has no list of folders. */
export function folderField(description: string): Field {
	return textField({
		displayName: 'Folder ID',
		name: 'folderId',
		placeholder: 'e.g. 4711',
		description,
	});
}

/** Something that the panel says about its fields. */
export const notice = (
	name: string,
	displayName: string,
	displayOptions?: Field['displayOptions'],
): Field => ({ displayName, name, type: 'notice', default: '', displayOptions });

/** The option of everything that deletes. */
export const ignoreMissing: Field = {
	displayName: 'Ignore Not Found',
	name: 'ignoreMissing',
	type: 'boolean',
	default: false,
	description: 'Whether to succeed if it no longer exists',
};

/**
 * The country code of phone numbers that have none, if not that of the credential; read by the item
 * itself.
 */
export const defaultCountryCode: Field = {
	displayName: 'Default Country Code',
	name: 'defaultCountryCode',
	canBeEmpty: true,
	type: 'string',
	default: '',
	placeholder: 'e.g. +49, for numbers without one',
};
