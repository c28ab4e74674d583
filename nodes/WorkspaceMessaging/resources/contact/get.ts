import { contactApi } from '../../contract/contact';
import { defineOperation } from '../../run/operation';
import { optional, simplify } from '../../panel/fields';
import { contactLocator, defaultCountryCode } from '../../panel/locators';
import { simplifyContacts } from '../../contacts/customFields/runDefinitions';
import { simpleContact } from '../../contacts/simplify';

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
