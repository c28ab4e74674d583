import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { anyChanges, changesOrCustomFields, updateContact } from '../../contract';
import { callOf } from '../../routing/call';
import { route } from '../../routing/operation';
import { inTurn } from '../../routing/turns';
import { avatar, email, firstName, gender, lastName, optional, phoneNumber, showFor } from '../shared/fields';
import { contactLocator } from '../shared/locators';
import {
	byName,
	hasValues,
	refused,
	setAfter,
	valuesBeside,
	withCustomFields,
	writeValues,
} from './customFields';

export const updateFields: INodeProperties[] = showFor('contact', 'update', [
	optional(
		'updateFields',
		[avatar, email, firstName, gender, lastName, phoneNumber],
		'What to change; fields that are not added here stay as they are',
	),
	...withCustomFields,
]);

export const updateRouting = route(updateContact, [contactLocator, ...updateFields], {
	accepts: (context) => {
		if (context.getNodeParameter('withCustomFields', false) !== true) return {};
		return { body: hasValues(context) ? anyChanges : changesOrCustomFields };
	},

	run: async (caller, { params, body }, context, labels) => {
		const identifier = String(params.identifier);
		const updated = Object.keys(body as object);
		// Of several updates of one contact, the last item's stays.
		const values = await inTurn(context, [identifier], async () => {
			// Checked first: what is not valid must not come out when the contact has been changed.
			const checked = await valuesBeside(caller, context);
			if (updated.length > 0) {
				await caller.send(callOf(updateContact, { params, body, labels }));
				await setAfter(caller, identifierAfter(identifier, body as IDataObject), checked ?? [], 'updated');
				return checked;
			}
			// With automatic mapping it shows only now whether an item has a value for any custom field.
			if (!checked?.length) throw refused('Update Fields or Custom Fields must hold at least one value.');
			await writeValues(caller, identifier, checked);
			return checked;
		});
		return [{ success: true, contact: identifier, updated, ...(values && { customFields: byName(values) }) }];
	},
});

/** What finds a contact after a change of the email or phone number that found it before. */
function identifierAfter(identifier: string, changed: IDataObject): string {
	if (identifier.startsWith('email:') && changed.email) return `email:${String(changed.email)}`;
	if (identifier.startsWith('phone:') && changed.phoneNumber) return `phone:${String(changed.phoneNumber)}`;
	return identifier;
}
