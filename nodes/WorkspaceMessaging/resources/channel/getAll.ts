import { readList } from '../../api/pagination';
import { channel, listChannels } from '../../contract';
import type { Operation } from '../../execution/operation';
import { inQuery, optional } from '../shared/fields';
import { pageOptions, returnAllOrLimit } from '../shared/lists';
import { channelList } from './channelList';

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many channels',
	description: 'Get many channels (inboxes) with their platform and connection status',
	endpoint: listChannels,
	fields: [
		...returnAllOrLimit,
		optional('options', [
			inQuery({
				displayName: 'Include',
				name: 'includes',
				type: 'string',
				default: '',
				description:
					'Names of related resources to include, separated by commas. The API does not document which there are; what you enter is sent as it is.',
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
