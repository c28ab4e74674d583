import { getContact } from '../../contract';
import { route } from '../../routing/operation';
import { contactLocator } from '../shared/locators';
import { simplifyContacts } from './simplify';

export const getRouting = route(getContact, [contactLocator], { simplify: simplifyContacts });
