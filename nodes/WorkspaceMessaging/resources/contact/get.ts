import { contactApi } from '../../contract/contact';
import { defineOperation } from '../../run/operation';
import { simplify } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { simpleContact, simplifyContacts } from '../../contacts/simplify';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get contact',
	description: 'Get one contact by ID, email or phone number',
	endpoint: contactApi.getContact,
	fields: [contactLocator, simplify],
	output: simpleContact,
	simplify: simplifyContacts,
});
