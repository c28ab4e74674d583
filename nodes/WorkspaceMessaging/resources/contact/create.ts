import type { IDataObject } from 'n8n-workflow';
import { readRecord } from '../../transport/pagination';
import { createContactOnChannel } from '../../contract/undocumented';
import type { Operation } from '../../execution/operation';
import { optional, simplify } from '../shared/fields';
import { defaultCountryCode } from '../shared/locators';
import { channelFields, channelOf } from './upsert/contactChannel';
import { withCustomFields } from './customFields/fields';
import { valuesByName, valuesBeside, mergeValues, writeValuesAfter } from './customFields/values';
import { email, firstName, gender, lastName, phoneNumber } from './shared/personFields';
import { simpleContact, simplifyContacts } from '../../contacts/simplify';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create contact',
	description: 'Create a new contact with an email address and a phone number',
	endpoint: createContactOnChannel,
	fields: [
		{ ...email, required: true },
		{ ...phoneNumber, required: true },
		{ ...gender, required: true },
		optional('additionalFields', [...channelFields, firstName, lastName]),
		...withCustomFields,
		simplify,
		optional('options', [defaultCountryCode]),
	],
	output: simpleContact,

	async run(item) {
		// Checked first: what is not valid must not come out when the contact exists.
		const values = await valuesBeside(item);
		const body = { ...(item.body as IDataObject), ...(await channelOf(item, item.body as IDataObject)) };
		const created = await readRecord(item, createContactOnChannel, { body });
		if (values) await writeValuesAfter(item, `id:${String(created.id)}`, values, 'created');
		const contact = values ? mergeValues(created, values) : created;
		const [shown] = item.isSimplified ? await simplifyContacts([contact], item) : [contact];
		return [{ ...shown, ...(values && { customFields: valuesByName(values) }) }];
	},
};
