import type { INodeProperties } from 'n8n-workflow';
import { anyChanges, updateContact } from '../../contract';
import { callOf } from '../../routing/call';
import { route } from '../../routing/operation';
import { avatar, email, firstName, gender, lastName, phoneNumber, showFor } from '../shared/fields';
import { contactLocator } from '../shared/locators';
import { andCustomFields, withCustomFields } from './customFields';

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
	...withCustomFields,
]);

export const updateRouting = route(updateContact, [contactLocator, ...updateFields], {
	accepts: (context) =>
		context.getNodeParameter('withCustomFields', false) === true ? { body: anyChanges } : {},

	run: async (caller, { params, body }, context, labels) => {
		const identifier = String(params.identifier);
		const updated = Object.keys(body as object);
		const { customFields } = await andCustomFields(caller, context, async () => {
			if (updated.length > 0) await caller.send(callOf(updateContact, { params, body, labels }));
			return { identifier, result: undefined, done: 'updated' };
		});
		return [{ success: true, contact: identifier, updated, ...(customFields && { customFields }) }];
	},
});
