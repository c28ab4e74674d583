import type { IDataObject } from 'n8n-workflow';
import { isUnsupported } from '../../transport/errors/errors';
import { readList } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { rethrow } from '../../transport/rethrow';
import { anyChannel, listChannels } from '../../contract';
import { listInboxes } from '../../contract/undocumented';
import type { Endpoint } from '../../contract';
import type { Condition, ConditionSet } from '../conditions/condition';

/** A channel that a contact is on, as its record shows it (part 2.1 does not say what is inside). */
interface ContactInbox extends IDataObject {
	inboxId?: string;
	channel?: string;
	inbox?: { id?: string; channel?: string };
}

/** Other names of channel types: services call email by its protocol or by what it is. */
const aliases: Record<string, string> = { email: 'smtp' };

/** Returns the channels that a contact is on. */
export const inboxesOf = ({ contactInboxes }: IDataObject): ContactInbox[] =>
	Array.isArray(contactInboxes) ? (contactInboxes as ContactInbox[]) : [];

/** Returns the ID of a channel that a contact is on. */
export function inboxIdOf({ inboxId, inbox }: ContactInbox): string | undefined {
	const id = inboxId ?? inbox?.id;
	return id === undefined || id === null ? undefined : String(id);
}

/** Returns the type of a channel, as filters name it. */
export function channelTypeOf({
	channel,
	inbox,
}: Pick<ContactInbox, 'channel' | 'inbox'>): string | undefined {
	const type = channel ?? inbox?.channel;
	return typeof type === 'string' ? (aliases[type] ?? type) : undefined;
}

/**
 * Returns the list of the channels whose IDs messages and contacts take. A service that lists inboxes besides channels takes
 * the IDs of inboxes. The service is asked once which of the two lists it has.
 */
export async function channelList(client: Requester): Promise<Endpoint> {
	return await client.service.once('the list of channels', async () => {
		const parts = { query: { perPage: 1 } };
		return await client.request(listInboxes, parts).then(
			() => listInboxes,
			async (error: unknown) => (isUnsupported(error) ? listChannels : await rethrow(error)),
		);
	});
}

/** Returns the type of a channel, such as `whatsapp`, by its ID; undefined if the list does not have it. */
export async function channelType(client: Requester, inboxId: string): Promise<string | undefined> {
	const channels = await readList(client, await channelList(client));
	const found = channels.find(({ id }) => String(id) === inboxId);
	return found && String(found.channel);
}

/**
 * Turns the channel filters of a list into conditions; undefined without such a filter. Services accept `channels` and
 * `inboxIds` (part 4.1) but do not apply them, so n8n compares the records.
 */
export function channelConditions({ channels, inboxIds }: IDataObject): ConditionSet | undefined {
	const types = textsOf(channels);
	const lists = { channels: types.includes(anyChannel) ? [] : types, inboxes: textsOf(inboxIds) };
	const conditions = (['channels', 'inboxes'] as const)
		.filter((field) => lists[field].length > 0)
		.map((field): Condition => ({ field, type: 'list', operator: 'in', values: lists[field] }));
	const clock = { now: 0, timezone: 'UTC' };
	return conditions.length > 0 ? { match: 'all', conditions, clock } : undefined;
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Returns contacts whose channels show their types; where the records lack them, the list of channels has them. */
export async function withChannelTypes(client: Requester, contacts: IDataObject[]): Promise<IDataObject[]> {
	if (contacts.flatMap(inboxesOf).every(channelTypeOf)) return contacts;
	const types = await channelTypes(client);
	return contacts.map((contact) => ({
		...contact,
		contactInboxes: inboxesOf(contact).map((inbox) => ({
			...inbox,
			channel: channelTypeOf(inbox) ?? types.get(inboxIdOf(inbox) ?? ''),
		})),
	}));
}

/** Returns the types of the workspace's channels by ID; none if the service does not list them. */
async function channelTypes(client: Requester): Promise<Map<string, string | undefined>> {
	return await client.service.once('types of channels', async () => {
		const records = await channelList(client)
			.then(async (list) => await readList(client, list))
			.catch(() => []);
		return new Map(records.map((record) => [String(record.id), channelTypeOf(record)]));
	});
}
