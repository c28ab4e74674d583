import type { INodePropertyOptions } from 'n8n-workflow';
import type { Field } from '../run/operation';
import type { toolOutputs } from '../run/tool';

/*
 * The fields that only a tool of an agent has, in place of those whose `inTools` names them. n8n
 * gives a tool its own node type; `@tool` in `displayOptions` tells the two apart. What these
 * fields mean for an operation is in run/tool.ts.
 */

/** The contact as text, for a model to fill in. n8n lets only people choose in a picker. */
export const contactText: Field = {
	// If a model fills in a field, it sees only the label.
	displayName: 'Contact Email, Phone or ID',
	name: 'contact',
	type: 'string',
	default: '',
	placeholder: 'e.g. nathan@example.com',
};

const outputs: Array<INodePropertyOptions & { value: (typeof toolOutputs)[number] }> = [
	{ name: 'Raw', value: 'raw', description: 'All fields that the service returns' },
	{ name: 'Selected Fields', value: 'selected', description: 'Only fields that you name' },
	{ name: 'Simplified', value: 'simplified', description: 'The fields that people use most' },
];

/** The fields of a record that an agent gets. n8n's guidelines want it in place of Simplify. */
export const outputFields: Field[] = [
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: outputs,
		default: 'simplified',
	},
	{
		displayName: 'Field Names',
		name: 'outputFields',
		type: 'string',
		default: '',
		placeholder: 'e.g. email, tags',
		displayOptions: { show: { output: ['selected'] } },
	},
];

/** Returns a field that has another default in a tool. */
export const withToolDefault = (field: Field, preset: Field['default']): Field => ({
	...field,
	inTools: [{ ...field, default: preset }],
});

/** Returns what the panel shows for a field, in the node and in a tool. */
export function withToolFields(field: Field): Field[] {
	if (!field.inTools) return [field];
	// Field Names is shown with Output, so it needs no rule of its own.
	const shown = field.inTools.map((each) =>
		each.displayOptions?.show?.output ? each : forTools(each),
	);
	return [exceptForTools(field), ...shown];
}

/** Returns a field that only a tool shows. */
export function forTools({ displayOptions, ...field }: Field): Field {
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
