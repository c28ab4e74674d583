import { withChannelType } from '../../channels/list';
import { readRecord } from '../../service/lists/records';
import { createContactOnChannel } from '../../contract/contact';
import { defineOperation } from '../../run/operation';
import { toIdentifierParams } from '../../values/identifier';
import { optional, simplify } from '../../panel/fields';
import { withCustomFields } from '../../panel/customFields';
import {
	mergeValues,
	withWrittenValues,
	writeValues,
} from '../../contacts/customFields/contactValues';
import { readValuesToSet } from '../../contacts/customFields/mappedValues';
import { contactFields } from '../../panel/contactFields';
import { hintAtDoubledName, withNameParts } from '../../contacts/fullName';
import { simpleContact } from '../../contacts/simplify';

const { channel, contactId, email, firstName, fullName, gender, inboxId, lastName, phoneNumber } =
	contactFields;

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create contact',
	description: 'Create a new contact with an email address and a phone number',
	endpoint: createContactOnChannel,
	fields: [
		{ ...email, required: true },
		{ ...phoneNumber, required: true },
		{ ...gender, required: true },
		optional('additionalFields', [inboxId, channel, contactId, firstName, fullName, lastName]),
		...withCustomFields,
		simplify,
	],
	output: simpleContact,

	normalize: ({ body }, item) => ({
		body: withNameParts(body, item.value(fullName)),
	}),

	async run(item) {
		// First: an invalid value must fail the item before the contact exists.
		const values = await readValuesToSet(item);
		const body = await withChannelType(item, item.body);
		const created = await readRecord(item, createContactOnChannel, { body });
		const { identifier } = toIdentifierParams(created.id);
		if (values) await writeValues(item, identifier, values, { done: 'created' });
		const contact = mergeValues(created, values ?? []);
		if (item.value(fullName) === '') hintAtDoubledName(item, item.body);
		return [await withWrittenValues(item, contact, values)];
	},
});
