import type { IDataObject } from 'n8n-workflow';
import { ApiError } from '../../transport/errors/errors';
import { readList } from '../../transport/pagination';
import type { Page } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { anyChannel } from '../../contract';
import { channelList } from './channels';

/** A channel that a contact is on, as its record shows it (part 2.1 leaves open what is inside). */
export interface ContactInbox {
	inboxId?: unknown;
	channel?: unknown;
	inbox?: { id?: unknown; channel?: unknown };
}

/** Other names of a type of channel: the one for mail is called by its protocol or by what it is. */
const aliases: Record<string, string> = { email: 'smtp' };

/**
 * The contacts that are on the chosen channels. Services accept `channels` and `inboxIds` (part 4.1) without applying them,
 * and who then writes to what is listed writes to everyone.
 *
 * @param query the list's query; its other values do not count here
 * Throws where the records do not show on which channels a contact is.
 */
export async function onChannels(
	client: Requester,
	query: IDataObject,
	contacts: IDataObject[],
): Promise<IDataObject[]> {
	const types = typesIn(query);
	const ids = listOf(query.inboxIds).map(String);
	if (!hasChannelFilter(query)) return contacts;
	const inboxesOf = ({ contactInboxes }: IDataObject) => listOf(contactInboxes) as ContactInbox[];
	const all = contacts.flatMap(inboxesOf);
	const typesById =
		types.length === 0 || all.every(channelTypeOf) ? new Map<string, string>() : await channelTypes(client);
	const typeOf = (inbox: ContactInbox) => channelTypeOf(inbox) ?? typesById.get(inboxIdOf(inbox) ?? '');

	// One that is on no channel at all shows that as well.
	const isShown =
		contacts.some(({ contactInboxes }) => Array.isArray(contactInboxes) && contactInboxes.length === 0) ||
		all.some((inbox) => (ids.length === 0 || inboxIdOf(inbox)) && (types.length === 0 || typeOf(inbox)));
	if (contacts.length > 0 && !isShown) throw notShown();
	const isOn = (
		wanted: string[],
		inboxes: ContactInbox[],
		valueOf: (inbox: ContactInbox) => string | undefined,
	) => wanted.length === 0 || inboxes.some((inbox) => wanted.includes(valueOf(inbox) ?? ''));
	return contacts.filter((contact) => {
		const inboxes = inboxesOf(contact);
		return isOn(ids, inboxes, inboxIdOf) && isOn(types, inboxes, typeOf);
	});
}

/** The same for contacts that come page after page. */
export async function* pagesOnChannels(
	client: Requester,
	query: IDataObject,
	pages: AsyncIterable<Page>,
): AsyncGenerator<Page, void, void> {
	for await (const page of pages) {
		const rows = await onChannels(client, query, page.rows);
		const kept = new Set(rows);
		yield { ...page, rows, fresh: page.fresh.filter((row) => kept.has(row)) };
	}
}

/** Whether contacts are wanted of some channels alone. */
export function hasChannelFilter(query: IDataObject): boolean {
	return typesIn(query).length > 0 || listOf(query.inboxIds).length > 0;
}

/** The types of channel that are asked for; none where any will do. */
function typesIn({ channels }: IDataObject): string[] {
	const types = listOf(channels).map(String);
	return types.includes(anyChannel) ? [] : types;
}

/**
 * Contacts whose channels show their types; where the service does not show these, they come from its list of channels.
 * Throws where they are not there either.
 */
export async function withChannelTypes(client: Requester, contacts: IDataObject[]): Promise<IDataObject[]> {
	const inboxesOf = ({ contactInboxes }: IDataObject) => listOf(contactInboxes) as ContactInbox[];
	if (contacts.flatMap(inboxesOf).every(channelTypeOf)) return contacts;
	const types = await channelTypes(client);
	return contacts.map((contact) => ({
		...contact,
		contactInboxes: inboxesOf(contact).map((inbox) => {
			const channel = channelTypeOf(inbox) ?? types.get(inboxIdOf(inbox) ?? '');
			if (channel === undefined) throw notShown();
			return { ...inbox, channel };
		}) as IDataObject[],
	}));
}

/** Throws where the records of contacts show channels without their IDs. */
export function checkInboxIds(contacts: IDataObject[]) {
	for (const { contactInboxes } of contacts)
		for (const inbox of listOf(contactInboxes) as ContactInbox[])
			if (inboxIdOf(inbox) === undefined) throw notShown();
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

/** The types of the workspace's channels by their IDs, asked for once; none where they cannot be listed. */
async function channelTypes(client: Requester): Promise<Map<string, string>> {
	return await client.service.once('types of channels', async () => await readChannelTypes(client));
}

async function readChannelTypes(client: Requester): Promise<Map<string, string>> {
	const records = await channelList(client)
		.then(async (list) => await readList(client, list))
		.catch(() => []);
	const types = new Map<string, string>();
	for (const record of records) {
		const type = channelTypeOf(record);
		if (type !== undefined) types.set(String(record.id), type);
	}
	return types;
}

function notShown(): ApiError {
	return new ApiError(
		'This service does not show on which channels a contact is, so that it cannot be made sure that only contacts of the chosen channels come. Leave out Channel Types and Channel Names or IDs.',
		{ outcome: 'notSent' },
	);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
