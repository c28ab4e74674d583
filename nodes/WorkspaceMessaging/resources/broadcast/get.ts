import { broadcast, workspaceApi } from '../../contract/workspace';
import { lookups } from '../../panel/lookups';
import { subjectLocator, withNameMode } from '../../panel/lookups/locators';
import { defineOperation } from '../../run/operation';

export const get = defineOperation({
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
