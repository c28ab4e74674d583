import type { IDataObject } from 'n8n-workflow';
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
import {
	hintAtDoubledName,
	joinNameParts,
	withNameParts,
	withoutOwnName,
} from '../../contacts/fullName';
import { contactOutput, describeContact } from '../../contacts/output';
import { readRecord } from '../../service/lists/records';
import { string, strings } from '../../contract/values';

const { avatar, email, firstName, fullName, gender, lastName, phoneNumber } = contactFields;

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
			[avatar, email, firstName, fullName, gender, lastName, phoneNumber],
			"Fields that you don't add stay as they are",
		),
		...withCustomFields,
	],
	output: contactOutput.extend({
		updated: strings,
		customFields: z.record(string, z.unknown()).optional(),
	}),

	schema: (item) => (item.isOn('withCustomFields') ? { body: anyChanges } : {}),

	normalize: ({ body }, item) => ({ body: withNameParts(body, item.value(fullName)) }),

	validate(item) {
		if (Object.keys(item.body).length === 0 && !hasMappedValues(item))
			throw new Error('Fill in something under Update Fields or Custom Fields');
	},

	async run(item) {
		const { params } = item;
		const { identifier } = params;
		const { body, contact } = await readChanges(item);
		const updated = Object.keys(body);
		// First: an invalid value must fail the item before the contact changes.
		const values = await readValuesToSet(item);
		if (updated.length > 0) {
			await item.request(contactApi.updateContact, { params, body });
			await writeValues(item, identifierAfter(identifier, body), values ?? [], { done: 'updated' });
		} else if (values?.length) {
			await writeValues(item, identifier, values);
		} else if (!contact) {
			// With automatic mapping, only now n8n knows whether the item has a value for any custom
			// field.
			throw refusedError('Fill in something under Update Fields or Custom Fields.');
		}
		const written = values && { customFields: valuesByName(values) };
		return [{ success: true, ...describeUpdated(item, body, contact), updated, ...written }];
	},
});

type Changes = z.output<typeof anyChanges>;
type UpdateItem = Item<{ identifier: string }, object, Changes>;

/**
 * Returns what changes. With Full Name, reads the contact first: if it has that name already, its
 * first and last name stay as they are.
 */
async function readChanges(item: UpdateItem): Promise<{ body: Changes; contact?: IDataObject }> {
	const { params, body } = item;
	const name = item.value(fullName);
	if (name === '') {
		hintAtDoubledName(item, body);
		return { body };
	}
	const contact = await readRecord(item, contactApi.getContact, { params });
	return { body: withoutOwnName(body, name, contact), contact };
}

/**
 * Returns who the contact is after the update. Its full name is only known if neither part of it
 * has changed, or if the contact was read before.
 */
function describeUpdated(item: UpdateItem, changes: Changes, before?: IDataObject) {
	const { email, phoneNumber, firstName, lastName } = changes;
	const { fullName: nameBefore, ...contact } = describeContact(item, before);
	const hasName = nameBefore !== undefined && firstName === undefined && lastName === undefined;
	return {
		...contact,
		...(email !== undefined && { email }),
		...(phoneNumber !== undefined && { phoneNumber }),
		...(hasName && { fullName: nameBefore }),
		...(before && { fullName: joinNameParts({ ...before, ...changes }) }),
	};
}

/**
 * Returns an identifier that finds a contact after a change of the email or phone number that found
 * it before.
 */
function identifierAfter(identifier: string, changes: z.output<typeof anyChanges>) {
	const before = parseIdentifier(identifier);
	const changed = getIdentifiers(changes);
	const after = changed.find(({ kind }) => kind === before?.kind);
	return after ? formatIdentifier(after) : identifier;
}
