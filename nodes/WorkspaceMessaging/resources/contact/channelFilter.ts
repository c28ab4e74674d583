import type { IDataObject } from 'n8n-workflow';
import { ApiError } from '../../api/errors';
import { readList } from '../../api/pagination';
import type { Page } from '../../api/pagination';
import type { Requester } from '../../api/request';
import { channelList } from '../channel/channelList';

/** A channel that a contact is on, as its record shows it (part 2.1 leaves open what is inside). */
export interface ContactInbox {
	inboxId?: unknown;
	channel?: unknown;
	inbox?: { id?: unknown; channel?: unknown };
}

/** Other names of a type of channel: the one for mail is called by its protocol or by what it is. */
const aliases: Record<string, string> = { email: 'smtp' };

/**
 * Drops contacts from pages that are on none of the chosen channels. Services accept `channels` and `inboxIds` (part 4.1)
 * without applying them, and who then writes to what is listed writes to everyone.
 *
 * Throws where the records do not show on which channels a contact is.
 */
export async function* onChannels(
	client: Requester,
	{ channels, inboxIds }: IDataObject,
	pages: AsyncIterable<Page>,
): AsyncGenerator<Page, void, void> {
	const types = listOf(channels).map(String);
	const wantedTypes = types.includes('omnichannel') ? [] : types;
	const wantedIds = listOf(inboxIds).map(String);
	let hasRows = false;
	let isShown = false;
	let typesById = new Map<string, string>();

	const matches = (row: IDataObject): boolean => {
		const inboxes = listOf(row.contactInboxes) as ContactInbox[];
		const on = (wanted: string[], valueOf: (inbox: ContactInbox) => string | undefined) =>
			wanted.length === 0 || inboxes.some((inbox) => wanted.includes(valueOf(inbox) ?? ''));
		return (
			on(wantedIds, inboxIdOf) &&
			on(wantedTypes, (inbox) => channelTypeOf(inbox) ?? typesById.get(inboxIdOf(inbox) ?? ''))
		);
	};

	for await (const page of pages) {
		const inboxes = page.rows.flatMap(({ contactInboxes }) => listOf(contactInboxes) as ContactInbox[]);
		if (wantedTypes.length > 0 && typesById.size === 0 && inboxes.some((inbox) => !channelTypeOf(inbox)))
			typesById = await channelTypes(client);
		hasRows ||= page.rows.length > 0;
		isShown ||= inboxes.some(
			(inbox) =>
				(wantedIds.length === 0 || inboxIdOf(inbox) !== undefined) &&
				(wantedTypes.length === 0 || channelTypeOf(inbox) || typesById.has(inboxIdOf(inbox) ?? '')),
		);
		if (page.isLast && hasRows && !isShown) throw notShown();
		yield { ...page, rows: page.rows.filter(matches), fresh: page.fresh.filter(matches) };
	}
}

/**
 * Contacts whose channels show their types; where the service does not show these, they come from its list of channels.
 * Throws where they are not there either.
 */
export async function withChannelTypes(client: Requester, contacts: IDataObject[]): Promise<IDataObject[]> {
	const inboxesOf = ({ contactInboxes }: IDataObject) => listOf(contactInboxes) as ContactInbox[];
	if (contacts.flatMap(inboxesOf).every(channelTypeOf)) return contacts;
	const types = await client.service.once('types of channels', async () => await channelTypes(client));
	return contacts.map((contact) => ({
		...contact,
		contactInboxes: inboxesOf(contact).map((inbox) => {
			const channel = channelTypeOf(inbox) ?? types.get(inboxIdOf(inbox) ?? '');
			if (channel === undefined) throw notShown();
			return { ...inbox, channel };
		}) as IDataObject[],
	}));
}

/** Whether contacts are wanted of some channels alone. */
export function hasChannelFilter({ channels, inboxIds }: IDataObject): boolean {
	return listOf(channels).length > 0 || listOf(inboxIds).length > 0;
}

/** The ID of a channel that a contact is on. */
export function inboxIdOf({ inboxId, inbox }: ContactInbox): string | undefined {
	const id = inboxId ?? inbox?.id;
	return id === undefined || id === null ? undefined : String(id);
}

/** The type of a channel, as filters name it. */
export function channelTypeOf({ channel, inbox }: ContactInbox): string | undefined {
	const type = channel ?? inbox?.channel;
	return typeof type === 'string' ? (aliases[type] ?? type) : undefined;
}

/** The types of the workspace's channels by their IDs; none where they cannot be listed. */
async function channelTypes(client: Requester): Promise<Map<string, string>> {
	const records = await channelList(client)
		.then(async (list) => await readList(client, list))
		.catch(() => []);
	return new Map(records.map((record) => [String(record.id), channelTypeOf(record) ?? '']));
}

function notShown(): ApiError {
	return new ApiError(
		'This service does not show on which channels a contact is, so that it cannot be made sure that only contacts of the chosen channels come. Leave out Channel Types and Channel Names or IDs.',
		{ outcome: 'notSent' },
	);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
