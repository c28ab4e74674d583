import type { Field } from '../run/operation';
import { choices } from '../contract/limits';
import { oneOf } from '../contract/values';
import { toSortedOptions } from './fields';

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
			// n8n also shows this, with a link to retry, if it could not read the fields.
			noFieldsError:
				'There are no custom fields to show. Choose a credential, or create a custom field in the workspace first.',
		},
	},
	description: 'Empty values are skipped',
	// The editor lists the fields by name; a language model gets no such list.
	builderHint: { propertyHint: 'value: { name or ID: value }' },
};

const writeModeDescriptions: Record<string, string> = {
	set: 'Replace the current value',
	append: 'Add text after the current value',
	prepend: 'Add text before the current value',
	increase: 'Add to the current number',
	decrease: 'Subtract from the current number',
};

/** How to write values (part 4.6). */
export const writeMode: Field<(typeof choices.customFieldOperations)[number]> = {
	displayName: 'How to Write',
	name: 'writeMode',
	type: 'options',
	options: toSortedOptions(choices.customFieldOperations).map((option) => ({
		...option,
		description: writeModeDescriptions[option.value],
	})),
	default: 'set',
	rule: oneOf(choices.customFieldOperations).default('set'),
};

/**
 * Custom fields to set beside another operation of a contact; hidden until the user turns them on.
 */
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
