import { customField, limits, updateCustomField } from '../../contract';
import type { Operation } from '../../execution/operation';
import { inBody, nameField, optional } from '../shared/fields';
import { locator } from '../shared/locators';
import { pickLists } from '../shared/pickLists';

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update custom field',
	description: 'Change the name, description or folder of a custom field',
	endpoint: updateCustomField,
	fields: [
		locator(pickLists.customFields, {
			displayName: 'Custom Field',
			name: 'customFieldId',
			required: true,
			description: 'The custom field to change',
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
	],
	output: customField,
};
