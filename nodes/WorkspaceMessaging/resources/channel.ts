import { channelList } from '../contacts/list/channels';
import { channel, workspaceApi } from '../contract/workspace';
import { defineOperation } from '../execution/operation';
import { readList } from '../transport/pagination';
import type { Resource } from './shared/describe';
import { inQuery, optional, pageOptions, returnAllOrLimit } from './shared/fields';

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many channels',
	description: 'Get many channels with their platform and connection status',
	endpoint: workspaceApi.listChannels,
	fields: [
		...returnAllOrLimit,
		optional('options', [
			inQuery({
				displayName: 'Include',
				name: 'includes',
				type: 'string',
				default: '',
				description: 'Related resources, separated by commas; the API does not document which',
			}),
			...pageOptions,
		]),
	],
	output: channel,
	run: async (item) => await readList(item, await channelList(item), { query: item.query }, item.limit),
});

export const channels: Resource = {
	name: 'Channel',
	value: 'channel',
	description: 'Inboxes such as WhatsApp',
	operations: [getAll],
	default: getAll,
};
