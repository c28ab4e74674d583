import { findChannelListEndpoint } from '../service/capabilities';
import { channel, workspaceApi } from '../contract/workspace';
import { defineOperation, type Resource } from '../run/operation';
import { readPagedList } from '../service/lists/pages';
import { returnAllOrLimit } from '../panel/fields';

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many channels',
	description: 'Get many channels with their platform and connection status',
	endpoint: workspaceApi.listChannels,
	fields: returnAllOrLimit,
	output: channel,
	async run(item) {
		const endpoint = await findChannelListEndpoint(item, workspaceApi.listChannels);
		return await readPagedList(item, endpoint, { query: item.query }, item.limit);
	},
});

export const channels: Resource = {
	name: 'Channel',
	value: 'channel',
	description: 'Inboxes such as WhatsApp',
	operations: [getAll],
	default: getAll,
};
