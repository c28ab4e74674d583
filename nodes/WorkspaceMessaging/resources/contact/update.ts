import { z } from 'zod/v4';
import { refusedError } from '../../transport/errors/ApiError';
import { anyChanges, contactApi } from '../../contract/contact';
import type { Item } from '../../run/item';
import { defineOperation } from '../../run/operation';
import { formatIdentifier, getIdentifiers, parseIdentifier } from '../../values/identifier';
import { optional } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { withCustomFields } from '../../panel/customFields';
import { valuesByName, writeValues } from '../../contacts/customFields/contactValues';
import { hasMappedValues, readValuesToSet } from '../../contacts/customFields/mappedValues';
import { contactFields } from '../../panel/contactFields';
import { contactOutput, describeContact } from '../../contacts/output';

const { avatar, email, firstName, gender, lastName, phoneNumber } = contactFields;

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update contact',
	description: 'Change fields of a contact; all others stay as they are',
	endpoint: contactApi.updateContact,
	fields: [
		contactLocator,
		optional(
			'updateFields',
			[avatar, email, firstName, gender, lastName, phoneNumber],
			"Fields that you don't add stay as they are",
		),
		...withCustomFields,
	],
	output: contactOutput.extend({
		updated: z.array(z.string()),
		customFields: z.record(z.string(), z.unknown()).optional(),
	}),

	schema: (item) => (item.isOn('withCustomFields') ? { body: anyChanges } : {}),

	validate(item) {
		if (Object.keys(item.body).length === 0 && !hasMappedValues(item))
			throw new Error('Fill in something under Update Fields or Custom Fields');
	},

	async run(item) {
		const { params, body } = item;
		const { identifier } = params;
		const updated = Object.keys(body);
		// First: an invalid value must fail the item before the contact changes.
		const values = await readValuesToSet(item);
		if (updated.length > 0) {
			await item.request(contactApi.updateContact, { params, body });
			await writeValues(item, identifierAfter(identifier, body), values ?? [], { done: 'updated' });
		} else if (values?.length) {
			await writeValues(item, identifier, values);
		} else {
			// With automatic mapping, only now n8n knows whether the item has a value for any custom
			// field.
			throw refusedError('Fill in something under Update Fields or Custom Fields.');
		}
		const written = values && { customFields: valuesByName(values) };
		return [{ success: true, ...describeUpdated(item), updated, ...written }];
	},
});

/**
 * Returns who the contact is after the update. Its full name is only known if neither part of it
 * has changed.
 */
function describeUpdated(item: Item<{ identifier: string }, object, z.output<typeof anyChanges>>) {
	const { email, phoneNumber, firstName, lastName } = item.body;
	const { fullName, ...contact } = describeContact(item);
	const hasName = fullName !== undefined && firstName === undefined && lastName === undefined;
	return {
		...contact,
		...(email !== undefined && { email }),
		...(phoneNumber !== undefined && { phoneNumber }),
		...(hasName && { fullName }),
	};
}

/**
 * Returns an identifier that finds a contact after a change of the email or phone number that found
 * it before.
 */
function identifierAfter(identifier: string, changes: z.output<typeof anyChanges>): string {
	const before = parseIdentifier(identifier);
	const changed = getIdentifiers(changes);
	const after = changed.find(({ kind }) => kind === before?.kind);
	return after ? formatIdentifier(after) : identifier;
}
