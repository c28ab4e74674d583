import type { INodeProperties } from 'n8n-workflow';
import { anyChanges, updateContact } from '../../contract';
import { callOf } from '../../routing/call';
import { route } from '../../routing/operation';
import { inTurn } from '../../routing/turns';
import { avatar, email, firstName, gender, lastName, optional, phoneNumber, showFor } from '../shared/fields';
import { contactLocator } from '../shared/locators';
import { andCustomFields, withCustomFields } from './customFields';

export const updateFields: INodeProperties[] = showFor('contact', 'update', [
	optional(
		'updateFields',
		[avatar, email, firstName, gender, lastName, phoneNumber],
		'What to change; fields that are not added here stay as they are',
	),
	...withCustomFields,
]);

export const updateRouting = route(updateContact, [contactLocator, ...updateFields], {
	accepts: (context) =>
		context.getNodeParameter('withCustomFields', false) === true ? { body: anyChanges } : {},

	run: async (caller, { params, body }, context, labels) => {
		const identifier = String(params.identifier);
		const updated = Object.keys(body as object);
		// Of several updates of one contact, the last item's stays.
		const { customFields } = await inTurn(
			context,
			[identifier],
			async () =>
				await andCustomFields(caller, context, async () => {
					if (updated.length > 0) await caller.send(callOf(updateContact, { params, body, labels }));
					return { identifier, result: undefined, done: 'updated' };
				}),
		);
		return [{ success: true, contact: identifier, updated, ...(customFields && { customFields }) }];
	},
});
