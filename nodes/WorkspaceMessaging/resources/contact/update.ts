import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { rejected } from '../../transport/errors/ApiError';
import { anyChanges, updateContact } from '../../contract';
import type { Operation } from '../../execution/operation';
import { optional } from '../shared/fields';
import { contactLocator, defaultCountryCode } from '../shared/locators';
import { withCustomFields } from './customFields/fields';
import { valuesByName, hasValues, valuesBeside, writeValues, writeValuesAfter } from './customFields/values';
import { contactFields, contactOutput, contactRef } from './shared/contactFields';

const { avatar, email, firstName, gender, lastName, phoneNumber } = contactFields;

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update contact',
	description: 'Change fields of a contact; all others stay as they are',
	endpoint: updateContact,
	fields: [
		contactLocator,
		optional(
			'updateFields',
			[avatar, email, firstName, gender, lastName, phoneNumber],
			'Fields that are not added stay as they are',
		),
		...withCustomFields,
		optional('options', [defaultCountryCode]),
	],
	output: contactOutput.extend({
		updated: z.array(z.string()),
		customFields: z.record(z.string(), z.unknown()).optional(),
	}),

	schema: (item) => (item.parameter('withCustomFields', false) === true ? { body: anyChanges } : {}),

	validate(item) {
		const isEmpty = Object.keys(item.body as object).length === 0;
		if (isEmpty && !hasValues(item))
			throw new Error('Fill in something under Update Fields or Custom Fields');
	},

	async run(item) {
		const { params, body } = item;
		const identifier = String(params.identifier);
		const updated = Object.keys(body as object);
		// Of several updates of one contact, the last item's stays.
		const values = await item.run.runExclusive([identifier], async () => {
			// Checked first: what is not valid must not come out when the contact has been changed.
			const checked = await valuesBeside(item);
			if (updated.length > 0) {
				await item.request(updateContact, { params, body });
				const now = identifierAfter(identifier, body as IDataObject);
				await writeValuesAfter(item, now, checked ?? [], 'updated');
				return checked;
			}
			// With automatic mapping it shows only now whether an item has a value for any custom field.
			if (!checked?.length) throw rejected('Fill in something under Update Fields or Custom Fields.');
			await writeValues(item, identifier, checked);
			return checked;
		});
		const { email: newEmail, phoneNumber: newNumber } = body as IDataObject;
		const reach = {
			...contactRef(identifier),
			...(newEmail !== undefined && { email: newEmail }),
			...(newNumber !== undefined && { phoneNumber: newNumber }),
		};
		const written = values && { customFields: valuesByName(values) };
		return [{ success: true, contact: identifier, ...reach, updated, ...written }];
	},
};

/** What finds a contact after a change of the email or phone number that found it before. */
function identifierAfter(identifier: string, changed: IDataObject): string {
	if (identifier.startsWith('email:') && changed.email) return `email:${String(changed.email)}`;
	if (identifier.startsWith('phone:') && changed.phoneNumber) return `phone:${String(changed.phoneNumber)}`;
	return identifier;
}
