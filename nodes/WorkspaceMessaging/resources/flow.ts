import { flow, workspaceApi } from '../contract/workspace';
import { defineOperation } from '../execution/operation';
import type { Resource } from './shared/describe';
import { pageOptionsField, returnAllOrLimit } from './shared/fields';

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many flows',
	description: 'Get many automation flows with their IDs and names',
	endpoint: workspaceApi.listFlows,
	fields: [...returnAllOrLimit, pageOptionsField],
	output: flow,
});

export const flows: Resource = {
	name: 'Flow',
	value: 'flow',
	description: 'Automations (chatbots)',
	operations: [getAll],
	default: getAll,
};
