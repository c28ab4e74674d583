import type { INodeProperties } from 'n8n-workflow';
import { contactLocator } from '../shared/locators';
import { NOT_DOCUMENTED } from '../shared/undocumented';
import { addTagsFields, addTagsRouting } from './addTags';
import { clearCustomFieldFields, clearCustomFieldRouting } from './clearCustomField';
import { createFields, createRouting } from './create';
import { deleteFields, deleteRouting } from './delete';
import { getRouting } from './get';
import { getCustomFieldsRouting } from './getCustomFields';
import { getAllFields, getAllRouting } from './getAll';
import { importFields, importRouting } from './import';
import { removeTagsFields, removeTagsRouting } from './removeTags';
import { sendMessageFields, sendMessageRouting } from './sendMessage';
import { setCustomFieldsFields, setCustomFieldsRouting } from './setCustomFields';
import { triggerFlowFields, triggerFlowRouting } from './triggerFlow';
import { updateFields, updateRouting } from './update';
import { upsertFields, upsertRouting } from './upsert';

export const contactOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['contact'] } },
	options: [
		{
			name: 'Add Tags',
			value: 'addTags',
			action: 'Add tags to contact',
			description: 'Add one or more tags to a contact, by list, ID or name',
			routing: addTagsRouting,
		},
		{
			name: 'Clear Custom Field',
			value: 'clearCustomField',
			action: 'Clear custom field of contact',
			description: `Remove the value of one custom field from a contact. ${NOT_DOCUMENTED}.`,
			routing: clearCustomFieldRouting,
		},
		{
			name: 'Create',
			value: 'create',
			action: 'Create contact',
			description: 'Create a new contact with a phone number and an email address',
			routing: createRouting,
		},
		{
			name: 'Create or Update',
			value: 'upsert',
			action: 'Create or update contact',
			description: 'Create a new contact, or update the current one if it already exists (upsert)',
			routing: upsertRouting,
		},
		{
			name: 'Delete',
			value: 'delete',
			action: 'Delete contact',
			description: `Delete a contact permanently. ${NOT_DOCUMENTED}.`,
			routing: deleteRouting,
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get contact',
			description: 'Get one contact by ID, email or phone number',
			routing: getRouting,
		},
		{
			name: 'Get Custom Fields',
			value: 'getCustomFields',
			action: 'Get custom fields of contact',
			description: `Get the custom field values of a contact with their names and types. ${NOT_DOCUMENTED}.`,
			routing: getCustomFieldsRouting,
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many contacts',
			description: 'Get many contacts, optionally only those that match filters',
			routing: getAllRouting,
		},
		{
			name: 'Import',
			value: 'import',
			action: 'Import contacts',
			description: 'Start a bulk import of contacts from a file that was uploaded before',
			routing: importRouting,
		},
		{
			name: 'Remove Tags',
			value: 'removeTags',
			action: 'Remove tags from contact',
			description: 'Remove one or more tags from a contact',
			routing: removeTagsRouting,
		},
		{
			name: 'Send Message',
			value: 'sendMessage',
			action: 'Send message to contact',
			description: 'Send text, files or a flow to a contact on one of its channels',
			routing: sendMessageRouting,
		},
		{
			name: 'Set Custom Fields',
			value: 'setCustomFields',
			action: 'Set custom fields of contact',
			description: `Write values of custom fields of a contact. ${NOT_DOCUMENTED}.`,
			routing: setCustomFieldsRouting,
		},
		{
			name: 'Trigger Flow',
			value: 'triggerFlow',
			action: 'Trigger flow for contact',
			description: 'Start an automation flow for a contact',
			routing: triggerFlowRouting,
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update contact',
			description: 'Change fields of a contact; all others stay as they are',
			routing: updateRouting,
		},
	],
	default: 'getAll',
};

const ofOneContact = [
	'addTags',
	'clearCustomField',
	'delete',
	'get',
	'getCustomFields',
	'removeTags',
	'sendMessage',
	'setCustomFields',
	'triggerFlow',
	'update',
];

export const contactFields: INodeProperties[] = [
	{ ...contactLocator, displayOptions: { show: { resource: ['contact'], operation: ofOneContact } } },
	...addTagsFields,
	...clearCustomFieldFields,
	...createFields,
	...deleteFields,
	...getAllFields,
	...importFields,
	...removeTagsFields,
	...sendMessageFields,
	...setCustomFieldsFields,
	...triggerFlowFields,
	...updateFields,
	...upsertFields,
];
