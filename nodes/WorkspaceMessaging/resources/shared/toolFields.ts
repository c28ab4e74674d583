import type { INodePropertyOptions } from 'n8n-workflow';
import type { Field } from '../../execution/operation';
import type { toolOutputs } from '../../execution/toolParameters';
import { simplify } from './fields';

/*
 * Where the node is a tool of an agent, some of its fields look different. n8n tells the two apart by `@tool`, and keeps
 * only the values of fields that are shown. What these fields mean to an operation is said in execution/toolParameters.
 */

/**
 * The contact as text, which a model can fill in. The picker beside it is for the builder of the workflow: n8n does not
 * let a model choose in a list.
 */
export const contactText: Field = forTools({
	displayName: 'Contact Email, Phone or ID',
	name: 'contact',
	type: 'string',
	default: '',
	placeholder: 'e.g. nathan@example.com',
});

const outputs: Array<INodePropertyOptions & { value: (typeof toolOutputs)[number] }> = [
	{ name: 'Raw', value: 'raw', description: 'All fields, as the service gives them' },
	{ name: 'Selected Fields', value: 'selected', description: 'Only fields that you name' },
	{ name: 'Simplified', value: 'simplified', description: 'The fields that people use most' },
];

/** Which fields of a record an agent gets; stands for Simplify in a tool, as n8n's guidelines want it. */
const output: Field = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: outputs,
	default: 'simplified',
};

const outputFields: Field = {
	displayName: 'Field Names',
	name: 'outputFields',
	type: 'string',
	default: '',
	placeholder: 'e.g. email, tags',
	displayOptions: { show: { output: ['selected'] } },
};

/** All that stands for a field of an operation: in the node, and where the node is a tool of an agent. */
export function withToolFields(field: Field): Field[] {
	if (field.name === 'identifier') {
		return [contactText, exceptForTools(field), forTools({ ...field, required: false })];
	}
	if (field !== simplify) return [field];
	return [
		exceptForTools(simplify),
		// A tool that was saved with Simplify turned off goes on giving raw records.
		forTools({ ...simplify, type: 'hidden' }),
		forTools({ ...output, displayOptions: { hide: { simplify: [false] } } }),
		forTools({ ...output, default: 'raw', displayOptions: { show: { simplify: [false] } } }),
		// Shown with Output alone, which only a tool has.
		outputFields,
	];
}

function forTools({ displayOptions, ...field }: Field): Field {
	return {
		...field,
		displayOptions: { ...displayOptions, show: { ...displayOptions?.show, '@tool': [true] } },
	};
}

/** A field that makes no sense in a tool. */
export function exceptForTools({ displayOptions, ...field }: Field): Field {
	return {
		...field,
		displayOptions: { ...displayOptions, hide: { ...displayOptions?.hide, '@tool': [true] } },
	};
}
