import { createCustomField, customField, customFieldTypes, limits } from '../../contract';
import type { Operation } from '../../execution/operation';
import { inBody, nameField, optional, optionsOf } from '../shared/fields';
import { folderOfNew } from '../shared/folder';

const typeNames = {
	shortText: 'Short Text',
	longText: 'Long Text',
	datetime: 'Date and Time',
	boolean: 'Yes/No',
	phoneNumber: 'Phone Number',
};

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create custom field',
	description: 'Define a new custom field for contacts',
	endpoint: createCustomField,
	fields: [
		nameField(
			'e.g. Birthday',
			`${limits.name.min} to ${limits.name.max} characters, unlike those of other custom fields`,
		),
		inBody({
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: optionsOf(customFieldTypes, typeNames),
			default: 'shortText',
			required: true,
			description: 'Cannot be changed later',
		}),
		optional('additionalFields', [folderOfNew]),
	],
	output: customField,
};
