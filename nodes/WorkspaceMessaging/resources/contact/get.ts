import { contactApi } from '../../contract/contact';
import { defineOperation } from '../../execution/operation';
import { optional, simplify } from '../shared/fields';
import { contactLocator, defaultCountryCode } from '../shared/locators';
import { simpleContact, simplifyContacts } from '../../contacts/simplify';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get contact',
	description: 'Get one contact by ID, email or phone number',
	endpoint: contactApi.getContact,
	fields: [contactLocator, simplify, optional('options', [defaultCountryCode])],
	output: simpleContact,
	simplify: simplifyContacts,
});
