import { broadcast, broadcastListItem, workspaceApi } from '../contract/workspace';
import { defineOperation, type Resource } from '../run/operation';
import { returnAllOrLimit } from '../panel/fields';
import { subjectLocator, withNameMode } from '../panel/lookups/locators';
import { lookups } from '../panel/lookups';

const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get broadcast',
	description: 'Get one broadcast by its ID or exact name',
	endpoint: workspaceApi.getBroadcast,
	fields: [
		subjectLocator(lookups.broadcasts, 'broadcastId', {
			anyId: true,
			...withNameMode('Summer Sale'),
		}),
	],
	output: broadcast,
});

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many broadcasts',
	description: 'Get many broadcasts with their status and schedule',
	endpoint: workspaceApi.listBroadcasts,
	fields: returnAllOrLimit,
	output: broadcastListItem,
});

export const broadcasts: Resource = {
	name: 'Broadcast',
	value: 'broadcast',
	description: 'Messages to many contacts (newsletters)',
	operations: [get, getAll],
	default: getAll,
};
