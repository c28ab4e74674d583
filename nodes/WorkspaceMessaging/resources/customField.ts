import { customField, customFieldApi, customFieldListItem } from '../contract/customField';
import { choices } from '../contract/limits';
import { defineOperation } from '../execution/operation';
import type { Resource } from './shared/describe';
import {
	folderField,
	inBody,
	keywordFilter,
	nameField,
	optional,
	optionsOf,
	pageOptionsField,
	returnAllOrLimit,
} from './shared/fields';
import { subjectLocator } from './shared/lookupFields';
import { lookups } from './shared/lookups';
import { deleteOperation, readByName } from './shared/namedRecords';

const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create custom field',
	description: 'Define a new custom field for contacts',
	endpoint: customFieldApi.createCustomField,
	fields: [
		nameField('e.g. Birthday', '; must be unique'),
		inBody({
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: optionsOf(choices.customFieldTypes),
			default: 'shortText',
			required: true,
			description: 'Cannot be changed later',
		}),
		optional('additionalFields', [folderField('Leave empty for no folder')]),
	],
	output: customField,
});

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many custom fields',
	description: 'Get many custom fields of the workspace with their IDs, names and types',
	endpoint: customFieldApi.listCustomFields,
	fields: [
		...returnAllOrLimit,
		optional('filters', [
			keywordFilter('e.g. birthday', 'Only custom fields whose name contains this text, in any case'),
		]),
		pageOptionsField,
	],
	output: customFieldListItem,
	run: async (item) => await readByName(item, customFieldApi.listCustomFields),
});

const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update custom field',
	description: 'Change the name, description or folder of a custom field',
	endpoint: customFieldApi.updateCustomField,
	fields: [
		subjectLocator(lookups.customFields, 'customFieldId'),
		nameField('e.g. Birthday', '. To keep the name, enter the current one.'),
		optional('updateFields', [
			inBody({ displayName: 'Description', name: 'description', type: 'string', default: '' }),
			folderField('Leave empty to take it out of its folder'),
		]),
	],
	output: customField,
});

export const customFields: Resource = {
	name: 'Custom Field',
	value: 'customField',
	description: 'Extra contact fields',
	operations: [
		create,
		deleteOperation(lookups.customFields, 'customFieldId', customFieldApi.deleteCustomField),
		getAll,
		update,
	],
	default: getAll,
};
