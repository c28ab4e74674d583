import type { INodeProperties } from 'n8n-workflow';
import { createContact } from '../../contract';
import { route } from '../../routing/operation';
import { email, firstName, gender, lastName, phoneNumber, showFor } from '../shared/fields';

export const createFields: INodeProperties[] = showFor('contact', 'create', [
	{ ...phoneNumber, required: true },
	{ ...email, required: true },
	{ ...gender, required: true },
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [firstName, lastName],
	},
]);

export const createRouting = route(createContact, createFields);
