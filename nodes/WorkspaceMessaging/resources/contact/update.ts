import type { INodeProperties } from 'n8n-workflow';
import { updateContact } from '../../contract';
import { route } from '../../routing/operation';
import { avatar, email, firstName, gender, lastName, phoneNumber, showFor } from '../shared/fields';
import { contactLocator } from '../shared/locators';

export const updateFields: INodeProperties[] = showFor('contact', 'update', [
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'What to change; fields that are not added here stay as they are',
		options: [avatar, email, firstName, gender, lastName, phoneNumber],
	},
]);

export const updateRouting = route(updateContact, [contactLocator, ...updateFields], {
	done: ({ params, body }) => ({ contact: params.identifier, updated: Object.keys(body as object) }),
});
