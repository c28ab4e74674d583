import { broadcastListItem, workspaceApi } from '../../contract/workspace';
import { returnAllOrLimit } from '../../panel/fields';
import { defineOperation } from '../../run/operation';

export const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many broadcasts',
	description: 'Get many broadcasts with their status and schedule',
	endpoint: workspaceApi.listBroadcasts,
	fields: returnAllOrLimit,
	output: broadcastListItem,
});
