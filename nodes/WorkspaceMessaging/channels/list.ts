import type { IDataObject } from 'n8n-workflow';
import { workspaceApi } from '../contract/workspace';
import type { AnyItem } from '../run/item';
import { oncePerRun } from '../run/run';
import { onApiError, refusedError } from '../transport/errors/ApiError';
import { readPagedList } from '../service/lists/pages';
import type { Requester } from '../transport/request';
import { oncePerService } from '../service/memory';
import { findChannelListEndpoint } from '../service/capabilities';
import { getChannelType, getInboxes, getInboxId } from './channel';

/* The list of the workspace's channels. */

/** Reads the channels whose IDs messages and contacts take. */
async function readChannels(client: Requester) {
	const endpoint = await findChannelListEndpoint(client, workspaceApi.listChannels);
	return await readPagedList(client, endpoint);
}

/** Returns the channels of a run by their IDs. */
const readChannelsById = oncePerRun(async (item: AnyItem) => {
	const channels = await readChannels(item);
	return new Map(channels.map((channel) => [String(channel.id), channel]));
});

/**
 * Returns the type of a channel, which the list of channels has. Throws an `ApiError` if that is
 * impossible.
 *
 * @param advice how the user can do without the lookup
 */
export async function findChannelType(
	item: AnyItem,
	inboxId: string,
	advice = 'Add Channel Type under Additional Fields.',
): Promise<string> {
	const explain = onApiError(
		() => true,
		({ message: cause }) => {
			const what = `The type of channel ${inboxId} can't be looked up.`;
			throw refusedError(what, advice, { cause });
		},
	);
	const channels = await readChannelsById(item).catch(explain);
	const found = channels.get(inboxId);
	if (found) return String(found.channel);
	throw refusedError(
		`No channel has the ID ${inboxId}.`,
		`Choose one from the Channel list. ${advice}`,
		{ status: 404 },
	);
}

/**
 * Returns the fields of a new contact with the type of its channel, which services that need a
 * channel take only together with it (difference 9).
 */
export async function withChannelType<T extends { inboxId?: string; channel?: string }>(
	item: AnyItem,
	fields: T,
): Promise<T> {
	const { inboxId, channel } = fields;
	if (inboxId === undefined || channel !== undefined) return fields;
	return { ...fields, channel: await findChannelType(item, inboxId) };
}

/**
 * Names a channel that the user chose, for an error: `channel WhatsApp Süd`. If it has a name, its
 * ID helps nobody.
 */
export async function describeChannel(item: AnyItem, inboxId: string): Promise<string> {
	const channels = await readChannelsById(item).catch(() => undefined);
	if (!channels) return `channel with the ID ${inboxId}`;
	const found = channels.get(inboxId);
	if (found) return `channel ${String(found.name)}`;
	// The suggestions of the error then say that the list has no such ID.
	return 'chosen channel';
}

/**
 * Returns contacts or conversations whose channels show their types; if the records lack them, the
 * list of channels has them.
 */
export async function withChannelTypes(
	client: Requester,
	records: IDataObject[],
): Promise<IDataObject[]> {
	if (records.flatMap(getInboxes).every(getChannelType)) return records;
	const types = await typesById(client).catch(() => undefined);
	return records.map((record) => {
		const contactInboxes = getInboxes(record).map((inbox) => {
			const listed = types?.get(getInboxId(inbox) ?? '');
			const channel = getChannelType(inbox) ?? listed;
			return { ...inbox, channel };
		});
		return { ...record, contactInboxes };
	});
}

/** Returns the types of the workspace's channels by ID. */
const typesById = oncePerService(async (client: Requester) => {
	const channels = await readChannels(client);
	return new Map(channels.map((channel) => [String(channel.id), getChannelType(channel)]));
});
