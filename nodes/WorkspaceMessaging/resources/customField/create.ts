import { customField, customFieldApi } from '../../contract/customField';
import { choices } from '../../contract/limits';
import { defineOperation } from '../../run/operation';
import {
	folderField,
	inBody,
	recordNameField,
	optional,
	toSortedOptions,
} from '../../panel/fields';

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create custom field',
	description: 'Define a new custom field for contacts',
	endpoint: customFieldApi.createCustomField,
	fields: [
		recordNameField('e.g. Birthday', '; must be unique'),
		inBody({
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: toSortedOptions(choices.customFieldTypes),
			default: 'shortText',
			required: true,
			description: 'Cannot be changed later',
		}),
		optional('additionalFields', [folderField('Leave empty for no folder')]),
	],
	output: customField,
});
