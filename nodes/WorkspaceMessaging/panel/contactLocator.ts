import type { INodePropertyMode } from 'n8n-workflow';
import type { Field } from '../run/operation';
import { patterns, rules } from '../contract/limits';
import { lookups } from './lookups';
import { locator } from './lookups/locators';
import { contactText } from './toolFields';

/** Full-width, Arabic and Persian digits. */
const otherDigit = '[\\uFF10-\\uFF19\\u0660-\\u0669\\u06F0-\\u06F9]';
/**
 * At least seven digits and no letter, or the address of a person on WhatsApp; the exact form is
 * checked when the number is read.
 */
const phoneForm = [
	'(?:\\W*(?:\\d\\W*){7,}',
	`[\\W\\d]{0,9}${otherDigit}[\\W\\d]{6,}`,
	'\\s*\\+?\\d[\\d:._]*@(?:s\\.whatsapp\\.net|c\\.us))',
].join('|');

/** Inside a longer form, so without `^` and `$`; also with the ＠ of an Asian keyboard. */
const emailForm = patterns.emailIdentifier.source.slice(1, -1).replace('+@', '+[@\\uFF20]');
/** A custom field and its value, `Order No = 4711`. */
const customFieldForm = '[^=\\s][^=]*=\\s*\\S[^]*';

/**
 * A mode that takes a contact as text: in the mode's own form, or with a prefix that works in every
 * mode.
 */
function contactMode({
	form,
	errorMessage,
	...mode
}: Pick<INodePropertyMode, 'displayName' | 'name' | 'placeholder'> & {
	form: string;
	errorMessage: string;
}): INodePropertyMode {
	const prefixed = `id:\\s*\\d+|email:\\s*${emailForm}|phone:${phoneForm}`;
	// n8n itself says that an empty field is required.
	const regex = `^\\s*(${prefixed}|${form})\\s*$|^$`;
	return {
		...mode,
		type: 'string',
		validation: [{ type: 'regex', properties: { regex, errorMessage } }],
	};
}

/**
 * Chooses a contact: from the list, or by ID, email, phone number or the value of a custom field.
 * `setContactId` looks up the custom field before the item runs.
 */
export const contactLocator: Field = {
	displayName: 'Contact',
	name: 'identifier',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	inTools: [contactText],
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
			form: `\\d+|${emailForm}|\\W*\\+${phoneForm}`,
			errorMessage:
				'Enter an ID (digits only), an email address, or a phone number with its leading +. To find a contact by name, choose From list.',
		}),
		contactMode({
			displayName: 'Email',
			name: 'email',
			placeholder: 'e.g. nathan@example.com',
			form: emailForm,
			errorMessage: 'Enter an email address, such as nathan@example.com',
		}),
		contactMode({
			displayName: 'Phone',
			name: 'phone',
			placeholder: 'e.g. +49 151 12345678',
			form: phoneForm,
			errorMessage: `Enter a phone number of ${rules.phoneNumber}`,
		}),
		contactMode({
			displayName: 'Custom Field',
			name: 'customField',
			placeholder: 'e.g. Order No = 4711',
			form: customFieldForm,
			errorMessage:
				'Enter the name or ID of a custom field, = and a value that only one contact has, such as Order No = 4711',
		}),
	],
};

/** The same where the contact gets an answer. */
export const recipientLocator: Field = {
	...contactLocator,
	hint: 'To answer, drag "contact".',
};

/**
 * The channel to send on; without it the contact's last active channel is used (part 4.1), or its
 * first one.
 */
export const sendingChannel: Field = {
	...locator(lookups.channels, 'inboxId', {
		hint: 'To answer a message, drag its "channel". If empty, the service usually takes the last active channel.',
	}),
	canBeEmpty: true,
};
