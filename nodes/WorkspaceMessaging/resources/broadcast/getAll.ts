import { broadcastListItem, listBroadcasts } from '../../contract';
import type { Operation } from '../../execution/operation';
import { pageOptionsField, returnAllOrLimit } from '../shared/lists';

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many broadcasts',
	description: 'Get many broadcasts with their status and schedule',
	endpoint: listBroadcasts,
	fields: [...returnAllOrLimit, pageOptionsField],
	output: broadcastListItem,
};
