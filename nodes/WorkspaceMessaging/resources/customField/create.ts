import type { INodeProperties } from 'n8n-workflow';
import { createCustomField, customFieldTypes, limits } from '../../contract';
import { route } from '../../routing/operation';
import { inBody, nameField, optional, optionsOf, showFor } from '../shared/fields';
import { folderOfNew } from '../shared/folder';

const typeNames = {
	shortText: 'Short Text',
	longText: 'Long Text',
	datetime: 'Date and Time',
	boolean: 'Yes/No',
	phoneNumber: 'Phone Number',
};

export const createFields: INodeProperties[] = showFor('customField', 'create', [
	nameField(
		'e.g. Birthday',
		`Name of the custom field, ${limits.name.min} to ${limits.name.max} characters; no other custom field may have it`,
	),
	inBody({
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: optionsOf(customFieldTypes, typeNames),
		default: 'shortText',
		required: true,
		description: 'What kind of values it holds; this cannot be changed later',
	}),
	optional('additionalFields', [folderOfNew]),
]);

export const createRouting = route(createCustomField, createFields);
