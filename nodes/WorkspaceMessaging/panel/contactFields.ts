import { z } from 'zod/v4';
import { choices, limits, rules } from '../contract/limits';
import { kinds } from '../contract/values';
import type { Field } from '../run/operation';
import { channelOptions, inBody, textField, toSortedOptions } from './fields';
import { locator } from './lookups/locators';
import { lookups } from './lookups';
import { withSingleSpaces } from '../values/names';

const fullName: Field<string> = {
	displayName: 'Full Name',
	name: 'fullName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description: 'In place of First Name and Last Name. It is split at the last space.',
	rule: z
		.string('must be text')
		.register(kinds, { kind: 'cell' })
		.transform(withSingleSpaces)
		.default(''),
};

/**
 * The fields of a contact. The reference lacks the last three, but some services need them for a
 * new contact (difference 9).
 */
export const contactFields = {
	avatar: textField({
		displayName: 'Avatar',
		name: 'avatar',
		placeholder: 'e.g. https://example.com/nathan.png',
		description: 'URL of the profile image',
	}),
	email: textField({ displayName: 'Email', name: 'email', placeholder: 'e.g. nathan@example.com' }),
	firstName: textField({
		displayName: 'First Name',
		name: 'firstName',
		placeholder: 'e.g. Nathan',
		description: `Up to ${limits.personName.max} characters`,
	}),
	fullName,
	gender: inBody({
		displayName: 'Gender',
		name: 'gender',
		type: 'options',
		options: toSortedOptions(choices.genders),
		default: 'unknown',
		description: 'An expression may return m or f',
	}),
	lastName: textField({
		displayName: 'Last Name',
		name: 'lastName',
		placeholder: 'e.g. Smith',
		description: `Up to ${limits.personName.max} characters`,
	}),
	phoneNumber: textField({
		displayName: 'Phone Number',
		name: 'phoneNumber',
		placeholder: 'e.g. +49 151 12345678',
		description: rules.phoneNumber,
	}),
	inboxId: locator(lookups.channels, 'inboxId', {
		description: 'Channel of a new contact. Some services require one.',
	}),
	channel: inBody({
		displayName: 'Channel Type',
		name: 'channel',
		type: 'options',
		options: channelOptions,
		default: 'webchat',
		description: 'Only needed if the service does not list its channels',
	}),
	contactId: textField({
		displayName: 'ID on the Channel',
		name: 'contactId',
		placeholder: 'e.g. 100200300',
		description: 'Required except on WhatsApp, email and web chat',
	}),
};
