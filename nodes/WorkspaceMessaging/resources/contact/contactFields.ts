import { findChannelType } from '../../channels/list';
import { choices, limits, rules } from '../../contract/limits';
import type { Item } from '../../run/item';
import type { Field } from '../../run/operation';
import { channelOptions, inBody, toOptions } from '../../panel/fields';
import { locator } from '../../panel/locators';
import { lookups } from '../../panel/lookups';

/*
 * What operations on contacts share: the fields that the user fills in, and the channel of a new
 * contact.
 */

const text = (field: Pick<Field, 'displayName' | 'name' | 'placeholder' | 'description'>): Field =>
	inBody({ type: 'string', default: '', ...field });

/**
 * The fields of a contact. The reference lacks the last three, but some services need them for a
 * new contact (difference 9).
 */
export const contactFields = {
	avatar: text({
		displayName: 'Avatar',
		name: 'avatar',
		placeholder: 'e.g. https://example.com/nathan.png',
		description: 'URL of the profile image',
	}),
	email: text({ displayName: 'Email', name: 'email', placeholder: 'e.g. nathan@example.com' }),
	firstName: text({
		displayName: 'First Name',
		name: 'firstName',
		placeholder: 'e.g. Nathan',
		description: `Up to ${limits.personName.max} characters`,
	}),
	gender: inBody({
		displayName: 'Gender',
		name: 'gender',
		type: 'options',
		options: toOptions(choices.genders),
		default: 'unknown',
		description: 'An expression may return m or f',
	}),
	lastName: text({
		displayName: 'Last Name',
		name: 'lastName',
		placeholder: 'e.g. Smith',
		description: `Up to ${limits.personName.max} characters`,
	}),
	phoneNumber: text({
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
	contactId: text({
		displayName: 'ID on the Channel',
		name: 'contactId',
		placeholder: 'e.g. 100200300',
		description: 'Required except on WhatsApp, email and web chat',
	}),
};

/**
 * Returns the fields of a new contact with the type of its channel, which services take only
 * together with the channel.
 */
export async function withChannelType<T extends { inboxId?: string; channel?: string }>(
	item: Item,
	fields: T,
): Promise<T> {
	const { inboxId, channel } = fields;
	if (inboxId === undefined || channel !== undefined) return fields;
	return { ...fields, channel: await findChannelType(item, inboxId) };
}
