import type { INodePropertyOptions } from 'n8n-workflow';
import type { Field } from '../run/operation';
import type { toolOutputs } from '../run/tool';
import { returnAllOrLimit, simplify } from './fields';
import { templateLocator, templateMapper } from './templateFields';

/*
 * The fields that only a tool of an agent has. n8n gives a tool its own node type; `@tool` in `displayOptions` tells
 * the two apart. What these fields mean for an operation is in run/tool.ts.
 */

/** The contact as text, for a model to fill in. n8n lets only people choose in a picker. */
export const contactText: Field = forTools({
	// If a model fills in a field, it sees only the label.
	displayName: 'Contact Email, Phone or ID',
	name: 'contact',
	type: 'string',
	default: '',
	placeholder: 'e.g. nathan@example.com',
});

/** A template by name and language, and its values, for a model to fill in. */
const templateTexts: Field[] = [
	forTools({
		displayName: 'Template Name',
		name: 'templateName',
		type: 'string',
		default: '',
		placeholder: 'e.g. order_shipped',
	}),
	forTools({
		displayName: 'Template Language',
		name: 'language',
		type: 'string',
		default: '',
		placeholder: 'e.g. en_US',
	}),
];
const templateValues: Field = forTools({
	displayName: 'Template Parameters',
	name: 'templateValues',
	type: 'json',
	default: '{}',
	description: 'JSON object with the parameters by key, such as {"body.1": "Ann"}',
});

const outputs: Array<INodePropertyOptions & { value: (typeof toolOutputs)[number] }> = [
	{ name: 'Raw', value: 'raw', description: 'All fields that the service returns' },
	{ name: 'Selected Fields', value: 'selected', description: 'Only fields that you name' },
	{ name: 'Simplified', value: 'simplified', description: 'The fields that people use most' },
];

/** The fields of a record that an agent gets. n8n's guidelines want it in place of Simplify. */
const output: Field[] = [
	forTools({
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: outputs,
		default: 'simplified',
	}),
	// Shown with Output, so only in a tool.
	{
		displayName: 'Field Names',
		name: 'outputFields',
		type: 'string',
		default: '',
		placeholder: 'e.g. email, tags',
		displayOptions: { show: { output: ['selected'] } },
	},
];

/** Whether messages come as items or as one text, which is what an agent needs. */
export const messageFormat: Field = {
	displayName: 'Return',
	name: 'messageFormat',
	type: 'options',
	options: [
		{ name: 'Items', value: 'items', description: 'One item for each message' },
		{ name: 'Transcript', value: 'transcript', description: 'One item with all messages as text' },
	],
	default: 'items',
};

const [, limit] = returnAllOrLimit;
/** The limit of messages; an agent needs fewer. */
export const messageLimit: Field = { ...limit };

/** Returns what the panel shows for a field, in the node and in a tool. */
export function withToolFields(field: Field): Field[] {
	if (field.name === 'identifier') return [contactText, exceptForTools(field)];
	// A model knows the names of tags and sequences, not their IDs.
	if (field.name === 'tagsBy' || field.name === 'sequencesBy')
		return [exceptForTools(field), forTools({ ...field, default: 'names' })];
	if (field === messageFormat) return [exceptForTools(field), forTools({ ...field, default: 'transcript' })];
	if (field === messageLimit) return [exceptForTools(field), forTools({ ...field, default: 20 })];
	if (field === templateLocator) return [exceptForTools(field), ...templateTexts];
	if (field === templateMapper) return [exceptForTools(field), templateValues];
	return field === simplify ? [exceptForTools(simplify), ...output] : [field];
}

/** Returns a field that only a tool shows. */
function forTools({ displayOptions, ...field }: Field): Field {
	return {
		...field,
		displayOptions: { ...displayOptions, show: { ...displayOptions?.show, '@tool': [true] } },
	};
}

/** Returns a field that a tool does not show. */
export function exceptForTools({ displayOptions, ...field }: Field): Field {
	return {
		...field,
		displayOptions: { ...displayOptions, hide: { ...displayOptions?.hide, '@tool': [true] } },
	};
}
