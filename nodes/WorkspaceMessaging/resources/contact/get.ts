import { getContact } from '../../contract';
import type { Operation } from '../../execution/operation';
import { contactLocator } from '../shared/locators';
import { simplify } from '../shared/simplifyField';
import { simpleContact, simplifyContacts } from './simplify';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get contact',
	description: 'Get one contact by ID, email or phone number',
	endpoint: getContact,
	fields: [contactLocator, simplify],
	output: simpleContact,
	simplify: simplifyContacts,
};
