import type { INodeProperties } from 'n8n-workflow';
import { limits, updateCustomField } from '../../contract';
import { route } from '../../routing/operation';
import { inBody, nameField, optional, showFor } from '../shared/fields';
import { locator } from '../shared/locators';

export const updateFields: INodeProperties[] = showFor('customField', 'update', [
	locator({
		displayName: 'Custom Field',
		name: 'customFieldId',
		required: true,
		description: 'The custom field to change',
		thing: 'a custom field',
		searchListMethod: 'searchCustomFields',
		inPath: true,
	}),
	nameField(
		'e.g. Birthday',
		`Name of the custom field, ${limits.name.min} to ${limits.name.max} characters. The API wants it with every update; enter the present name to keep it.`,
	),
	optional('updateFields', [
		inBody({
			displayName: 'Description',
			name: 'description',
			type: 'string',
			default: '',
			description: 'What the custom field is for',
		}),
		inBody({
			displayName: 'Folder ID',
			name: 'folderId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 4711',
			description: 'ID of the folder to move it into. Empty to take it out of its folder.',
		}),
	]),
]);

export const updateRouting = route(updateCustomField, updateFields);
