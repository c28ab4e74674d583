import type { Field } from '../../../execution/operation';
import { customFieldOperations } from '../../../contract';
import { optionsOf } from '../../shared/fields';

/** Shows the workspace's custom fields by name, with an input for their type. */
export const customFieldMapper: Field = {
	displayName: 'Custom Fields',
	name: 'customFields',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	required: true,
	typeOptions: {
		resourceMapper: {
			resourceMapperMethod: 'getCustomFieldColumns',
			mode: 'add',
			fieldWords: { singular: 'custom field', plural: 'custom fields' },
			addAllFields: false,
			multiKeyMatch: false,
			supportAutoMap: true,
			allowEmptyValues: true,
			// n8n shows this, with a link to retry, also when the fields could not be read.
			noFieldsError:
				'There are no custom fields to show. Choose a credential, or create a custom field in the workspace first.',
		},
	},
	description: 'Empty values are skipped',
	// The editor lists the fields by name; a model gets no such list.
	builderHint: { propertyHint: 'value: { name or ID: value }' },
};

const writeModeDescriptions: Record<string, string> = {
	set: 'Replace what is there',
	append: 'Put text behind what is there',
	prepend: 'Put text in front of what is there',
	increase: 'Add to the number that is there',
	decrease: 'Take from the number that is there',
};

/** How values are written (part 4.6). */
export const writeMode: Field = {
	displayName: 'How to Write',
	name: 'writeMode',
	type: 'options',
	options: optionsOf(customFieldOperations).map((option) => ({
		...option,
		description: writeModeDescriptions[option.value],
	})),
	default: 'set',
};

/** Custom fields beside another operation of a contact, hidden until they are wanted. */
export const withCustomFields: Field[] = [
	{
		displayName: 'Set Custom Fields',
		name: 'withCustomFields',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: 'Whether to set custom fields. Not available on every service.',
	},
	{ ...customFieldMapper, displayOptions: { show: { withCustomFields: [true] } } },
];
