import { isUnsupported } from '../../transport/errors/errors';
import { readList } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { rethrow } from '../../transport/rethrow';
import { listChannels } from '../../contract';
import { listInboxes } from '../../contract/undocumented';
import type { Endpoint } from '../../contract';

/**
 * The list of channels whose IDs messages and contacts take. Services that list inboxes beside channels mean the inboxes;
 * which list there is, is asked once a workspace.
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

/** Returns the list to read for an endpoint: a service's list of channels may be that of its inboxes. */
export async function listFor(client: Requester, endpoint: Endpoint): Promise<Endpoint> {
	return endpoint === listChannels ? await channelList(client) : endpoint;
}

/** The type of a channel, such as `whatsapp`, by its ID; undefined when the list does not have it. */
export async function channelType(client: Requester, inboxId: string): Promise<string | undefined> {
	const channels = await readList(client, await channelList(client));
	const found = channels.find(({ id }) => String(id) === inboxId);
	return found && String(found.channel);
}
