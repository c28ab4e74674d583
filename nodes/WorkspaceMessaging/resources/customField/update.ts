import { customField, limits, updateCustomField } from '../../contract';
import type { Operation } from '../../execution/operation';
import { inBody, nameField, optional } from '../shared/fields';
import { locator } from '../shared/locators';
import { lookups } from '../shared/lookups';

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update custom field',
	description: 'Change the name, description or folder of a custom field',
	endpoint: updateCustomField,
	fields: [
		locator(lookups.customFields, {
			displayName: 'Custom Field',
			name: 'customFieldId',
			required: true,
			inPath: true,
		}),
		nameField(
			'e.g. Birthday',
			`${limits.name.min} to ${limits.name.max} characters. Every update needs it; enter the present one to keep it.`,
		),
		optional('updateFields', [
			inBody({
				displayName: 'Description',
				name: 'description',
				type: 'string',
				default: '',
			}),
			inBody({
				displayName: 'Folder ID',
				name: 'folderId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 4711',
				description: 'Empty to take it out of its folder',
			}),
		]),
	],
	output: customField,
};
