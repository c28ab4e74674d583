import { readList } from '../../transport/pagination';
import { channel, listChannels } from '../../contract';
import type { Operation } from '../../execution/operation';
import { inQuery, optional } from '../shared/fields';
import { pageOptions, returnAllOrLimit } from '../shared/lists';
import { channelList } from '../../contacts/list/channels';

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many channels',
	description: 'Get many channels with their platform and connection status',
	endpoint: listChannels,
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

	async run(item) {
		const { query, limit } = item;
		return await readList(item, await channelList(item), { query }, limit);
	},
};
