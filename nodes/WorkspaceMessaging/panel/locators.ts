import type { INodePropertyMode } from 'n8n-workflow';
import type { Field } from '../run/operation';
import { rules } from '../contract/limits';
import { forms } from '../values/identifier';
import { locator, lookups } from './lookups';

const invisible = '\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069';
const dashes = '\\-\\u2010-\\u2015\\u2212';
const between = `[\\s()\\[\\]./${dashes}${invisible}]*`;
/** An opening bracket or +, in any order. */
const leading = `[\\s(\\[+${invisible}]*`;
/** Digits with what people write between them. How many of them are the number shows only when it is read. */
const phoneForm = `${between}\\d(?:${between}\\d){6,23}${between}`;

/** A mode that takes a contact as text: in the mode's own form, or with a prefix that works in every mode. */
function contactMode({
	form,
	errorMessage,
	...mode
}: Pick<INodePropertyMode, 'displayName' | 'name' | 'placeholder'> & {
	form: string;
	errorMessage: string;
}): INodePropertyMode {
	const prefixed = `id:\\s*\\d+|email:\\s*${forms.email}|phone:${leading}${phoneForm}`;
	// n8n itself says that an empty field is required.
	const regex = `^\\s*(${prefixed}|${form})\\s*$|^$`;
	return { ...mode, type: 'string', validation: [{ type: 'regex', properties: { regex, errorMessage } }] };
}

/**
 * Chooses a contact: from the list, or by ID, email, phone number or the value of a custom field. `resolveContact` looks up
 * the custom field before the item runs.
 */
export const contactLocator: Field = {
	displayName: 'Contact',
	name: 'identifier',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a contact…',
			typeOptions: {
				searchListMethod: lookups.contacts.searchMethod,
				searchable: true,
				slowLoadNotice: {
					message: 'If loading is slow, enter the ID, email or phone number of the contact',
					timeout: 10_000,
				},
			},
		},
		contactMode({
			displayName: 'ID',
			name: 'id',
			placeholder: 'e.g. 4711',
			form: `\\d+|${forms.email}|[${invisible}]*\\+${phoneForm}`,
			errorMessage:
				'Enter the ID of a contact, which is made of digits, an email address, or a phone number with its leading +',
		}),
		contactMode({
			displayName: 'Email',
			name: 'email',
			placeholder: 'e.g. nathan@example.com',
			form: forms.email,
			errorMessage: 'Enter an email address, such as nathan@example.com',
		}),
		contactMode({
			displayName: 'Phone',
			name: 'phone',
			placeholder: 'e.g. +49 151 12345678',
			form: leading + phoneForm,
			errorMessage: `Enter a phone number of ${rules.phoneNumber}`,
		}),
		contactMode({
			displayName: 'Custom Field',
			name: 'customField',
			placeholder: 'e.g. Order No = 4711',
			form: forms.customField,
			errorMessage:
				'Enter the name or ID of a custom field, = and the value that one contact has, such as Order No = 4711',
		}),
	],
};

/** The country code of phone numbers that have none, if not that of the credential; read by the item itself. */
export const defaultCountryCode: Field = {
	displayName: 'Default Country Code',
	name: 'defaultCountryCode',
	type: 'string',
	default: '',
	placeholder: 'e.g. +49, for numbers without one',
};

/** The channel to send on; without it the contact's last active channel is used (part 4.1), or its first one. */
export const sendingChannel: Field = {
	...locator(lookups.channels, 'inboxId', {
		hint: 'To answer a message, drag its "channel". If empty, the service usually takes the last active channel.',
	}),
	canBeEmpty: true,
};
