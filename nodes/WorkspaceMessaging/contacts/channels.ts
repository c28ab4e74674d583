import type { IDataObject } from 'n8n-workflow';
import { isObject, objectsIn } from '../transport/guards';
import { readList } from '../transport/lists/pages';
import type { Requester } from '../transport/request';
import { oncePerService } from '../transport/service';
import { readServiceAge } from '../transport/serviceAge';
import type { Endpoint } from '../contract/endpoint';
import { anyChannel } from '../contract/limits';
import { undocumentedApi } from '../contract/undocumented';
import { workspaceApi } from '../contract/workspace';
import type { Condition, ConditionSet } from './conditions/condition';

/** A channel that a contact is on, as its record shows it (part 2.1 does not say what is inside). */
interface ContactInbox extends IDataObject {
	inboxId?: string;
	channel?: string;
	inbox?: { id?: string; name?: string; channel?: string };
}

/** Other names of channel types: services call the email channel `email` or `smtp`. */
const aliases: Record<string, string> = { email: 'smtp' };

/** Returns the channels that a contact or a conversation is on, as its record shows them. */
export const getInboxes = ({ contactInboxes }: { contactInboxes?: unknown }): ContactInbox[] =>
	objectsIn(contactInboxes);

/** Returns the ID of a channel that a contact is on; undefined if the record lacks it. */
export function getInboxId({ inboxId, inbox }: ContactInbox): string | undefined {
	const id = inboxId ?? inbox?.id;
	return id === undefined || id === null ? undefined : String(id);
}

/**
 * Returns the ID of the channel in a record: the trigger's `channel`, one of the list of channels, or a contact's account on
 * one. Other values stay unchanged. Throws an error that names the field if a record is no channel: messages and tags have
 * an `id`, too.
 *
 * @param label the field's name in errors
 */
export function readChannelChoice(value: unknown, label: string): unknown {
	if (!isObject(value)) return value;
	const { id, name, type, channel, inboxId } = value;
	const isFromTrigger = typeof type === 'string' && Object.keys(value).length === 3 && name !== undefined;
	const isListed = typeof channel === 'string' && inboxId === undefined;
	const found = isFromTrigger || isListed ? id : getInboxId(value as ContactInbox);
	if (typeof found !== 'string' && !Number.isSafeInteger(found))
		throw new Error(`${label} is a record without the fields of a channel. Drag "channel"`);
	return String(found);
}

/** Returns the type of a channel, as filters name it; undefined if the record lacks it. */
export function getChannelType({
	channel,
	inbox,
}: Pick<ContactInbox, 'channel' | 'inbox'>): string | undefined {
	const type = channel ?? inbox?.channel;
	return typeof type === 'string' ? (aliases[type] ?? type) : undefined;
}

/**
 * Returns the endpoint by which this service shows a list. Only channels have two: messages and contacts take the IDs of
 * inboxes on a service that lists inboxes besides channels (difference 8).
 */
export async function findListEndpoint(client: Requester, endpoint: Endpoint): Promise<Endpoint> {
	if (endpoint !== workspaceApi.listChannels) return endpoint;
	const age = await readServiceAge(client);
	return age === 'newer' ? undocumentedApi.listInboxes : endpoint;
}

/** Reads the channels whose IDs messages and contacts take. */
async function readChannels(client: Requester): Promise<IDataObject[]> {
	return await readList(client, await findListEndpoint(client, workspaceApi.listChannels));
}

/** Returns the type of a channel, such as `whatsapp`, by its ID; undefined if the list does not have it. */
export async function findChannelType(client: Requester, inboxId: string): Promise<string | undefined> {
	const found = (await readChannels(client)).find(({ id }) => String(id) === inboxId);
	return found && String(found.channel);
}

/** Names a channel that the user chose, for an error: `channel WhatsApp Süd`. Its ID tells nobody anything if it has a name. */
export async function describeChannel(client: Requester, inboxId: string): Promise<string> {
	const channels = await readChannels(client).catch(() => undefined);
	if (!channels) return `channel with the ID ${inboxId}`;
	const found = channels.find(({ id }) => String(id) === inboxId);
	// The suggestions of the error then say that the list has no such ID.
	return found ? `channel ${String(found.name)}` : 'chosen channel';
}

/**
 * Turns the channel filters of a list into conditions; undefined without such a filter. Services accept `channels` and
 * `inboxIds` (part 4.1) but do not apply them, so n8n compares the records (difference 17).
 */
export function channelConditions({ channels, inboxIds }: IDataObject): ConditionSet | undefined {
	const types = toStrings(channels);
	const lists = { channels: types.includes(anyChannel) ? [] : types, inboxes: toStrings(inboxIds) };
	const conditions = (['channels', 'inboxes'] as const)
		.filter((field) => lists[field].length > 0)
		.map((field): Condition => ({ field, type: 'list', operator: 'in', values: lists[field] }));
	const clock = { now: 0, timezone: 'UTC' };
	return conditions.length > 0 ? { match: 'all', conditions, clock } : undefined;
}

const toStrings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Returns contacts whose channels show their types; if the records lack them, the list of channels has them. */
export async function withChannelTypes(client: Requester, contacts: IDataObject[]): Promise<IDataObject[]> {
	if (contacts.flatMap(getInboxes).every(getChannelType)) return contacts;
	const types = await typesById(client);
	return contacts.map((contact) => ({
		...contact,
		contactInboxes: getInboxes(contact).map((inbox) => ({
			...inbox,
			channel: getChannelType(inbox) ?? types.get(getInboxId(inbox) ?? ''),
		})),
	}));
}

/** Returns the types of the workspace's channels by ID; none if the service does not list them. */
const typesById = oncePerService(async (client: Requester) => {
	const channels = await readChannels(client).catch(() => []);
	return new Map(channels.map((channel) => [String(channel.id), getChannelType(channel)]));
});
