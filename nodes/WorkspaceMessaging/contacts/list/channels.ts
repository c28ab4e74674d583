import type { IDataObject } from 'n8n-workflow';
import { isUnsupported, recover } from '../../transport/errors/ApiError';
import { readList } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { oncePerService } from '../../transport/service';
import type { Endpoint } from '../../contract/endpoint';
import { anyChannel } from '../../contract/limits';
import { undocumentedApi } from '../../contract/undocumented';
import { workspaceApi } from '../../contract/workspace';
import type { Condition, ConditionSet } from '../conditions/condition';

/** A channel that a contact is on, as its record shows it (part 2.1 does not say what is inside). */
interface ContactInbox extends IDataObject {
	inboxId?: string;
	channel?: string;
	inbox?: { id?: string; name?: string; channel?: string };
}

/** Other names of channel types: services call the email channel `email` or `smtp`. */
const aliases: Record<string, string> = { email: 'smtp' };

/** Returns the channels that a contact is on, as its record shows them. */
export const inboxesOf = ({ contactInboxes }: { contactInboxes?: unknown }): ContactInbox[] =>
	Array.isArray(contactInboxes) ? contactInboxes : [];

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

/** Returns the IDs or the types of the channels that a contact is on; undefined for those that its record lacks. */
export const channelsOf = (contact: IDataObject, by: 'inboxes' | 'channels'): Array<string | undefined> =>
	inboxesOf(contact).map(by === 'inboxes' ? inboxIdOf : channelTypeOf);

/**
 * Returns the list of the channels whose IDs messages and contacts take. A service that lists inboxes besides channels takes
 * the IDs of inboxes.
 */
export const channelList = oncePerService(
	async (client: Requester): Promise<Endpoint> =>
		await client
			.request(undocumentedApi.listInboxes, { query: { perPage: 1 } })
			.then(() => undocumentedApi.listInboxes)
			.catch(recover(isUnsupported, () => workspaceApi.listChannels)),
);

const readChannels = async (client: Requester) => await readList(client, await channelList(client));

/** Returns the type of a channel, such as `whatsapp`, by its ID; undefined if the list does not have it. */
export async function channelType(client: Requester, inboxId: string): Promise<string | undefined> {
	const found = (await readChannels(client)).find(({ id }) => String(id) === inboxId);
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

/** Returns contacts whose channels show their types; if the records lack them, the list of channels has them. */
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
const channelTypes = oncePerService(async (client: Requester) => {
	const channels = await readChannels(client).catch(() => []);
	return new Map(channels.map((channel) => [String(channel.id), channelTypeOf(channel)]));
});
