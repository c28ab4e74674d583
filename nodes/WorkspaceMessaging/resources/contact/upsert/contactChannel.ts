import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../../../execution/operation';
import { ApiError, rejected } from '../../../transport/errors/errors';
import { limits } from '../../../contract';
import type { Item } from '../../../execution/item';
import { channelType } from '../../../contacts/list/channels';
import { inBody } from '../../shared/fields';
import { locator } from '../../shared/lookupFields';
import { lookups } from '../../shared/lookups';
import { channelOptions } from '../../shared/contactFilters';

/** Where a new contact comes from. The reference does not have these; services with channels of their own ask for them. */
export const channelFields: Field[] = [
	locator(lookups.channels, 'inboxId', { description: 'Channel of a new contact; some services need one' }),
	inBody({
		displayName: 'Channel Type',
		name: 'channel',
		type: 'options',
		options: channelOptions,
		default: 'webchat',
		description: 'Type of the channel; looked up when left out, where the service lists its channels',
	}),
	inBody({
		displayName: 'External ID',
		name: 'contactId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 100200300',
		description: `ID of the person on the channel, up to ${limits.externalId.max} characters; needed except on WhatsApp, email and web chat`,
	}),
];

/** The channel of a new contact, in the form in which services take it; nothing where none is given. */
export async function channelOf(
	item: Item,
	{ inboxId, channel, contactId }: { inboxId?: string; channel?: string; contactId?: string },
): Promise<IDataObject> {
	const externalId = contactId === undefined ? {} : { contactId };
	if (inboxId === undefined) return channel === undefined ? externalId : { channel, ...externalId };
	return { inboxId, channel: channel ?? (await typeOfChannel(item, inboxId)), ...externalId };
}

/**
 * The type of a channel, looked up once a run.
 * Throws an `ApiError` when it cannot be, or there is no such channel.
 *
 * @param advice what the user can do then, such as "Set Channel Type yourself."
 */
export async function typeOfChannel(
	item: Item,
	inboxId: string,
	advice = 'Add Channel Type under Additional Fields.',
): Promise<string> {
	const type = await item.run
		.once(`type of channel ${inboxId}`, async () => await channelType(item, inboxId))
		.catch((error: unknown) => {
			if (!(error instanceof ApiError)) throw error;
			throw rejected(`The type of the channel ${inboxId} cannot be looked up: ${error.message}`, advice);
		});
	if (type !== undefined) return type;
	throw rejected(
		`The service has no channel with the ID ${inboxId}.`,
		`Choose one from the list of Channel. ${advice}`,
		{ status: 404 },
	);
}
