import { readRecord } from '../../transport/pagination';
import { undocumentedApi } from '../../contract/undocumented';
import { defineOperation } from '../../execution/operation';
import { optional, simplify } from '../shared/fields';
import { defaultCountryCode } from '../shared/locators';
import { withCustomFields } from './customFields/fields';
import { valuesBeside, valuesByName } from './customFields/values';
import { mergeValues, writeValues } from './customFields/writeValues';
import { contactFields, withChannelType } from './shared/contactFields';
import { simpleContact, simplifyContacts } from '../../contacts/simplify';

const { channel, contactId, email, firstName, gender, inboxId, lastName, phoneNumber } = contactFields;

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create contact',
	description: 'Create a new contact with an email address and a phone number',
	endpoint: undocumentedApi.createContactOnChannel,
	fields: [
		{ ...email, required: true },
		{ ...phoneNumber, required: true },
		{ ...gender, required: true },
		optional('additionalFields', [inboxId, channel, contactId, firstName, lastName]),
		...withCustomFields,
		simplify,
		optional('options', [defaultCountryCode]),
	],
	output: simpleContact,

	async run(item) {
		// First, because a value that is not valid must not come to light when the contact exists.
		const values = await valuesBeside(item);
		const body = await withChannelType(item, item.body);
		const created = await readRecord(item, undocumentedApi.createContactOnChannel, { body });
		if (values) await writeValues(item, `id:${String(created.id)}`, values, { done: 'created' });
		const contact = values ? mergeValues(created, values) : created;
		const [shown] = item.isSimplified ? await simplifyContacts([contact], item) : [contact];
		return [{ ...shown, ...(values && { customFields: valuesByName(values) }) }];
	},
});
