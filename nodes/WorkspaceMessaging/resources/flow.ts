import { flow, workspaceApi } from '../contract/workspace';
import { defineOperation, type Resource } from '../run/operation';
import { returnAllOrLimit } from '../panel/fields';

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many flows',
	description: 'Get many automation flows with their IDs and names',
	endpoint: workspaceApi.listFlows,
	fields: returnAllOrLimit,
	output: flow,
});

export const flows: Resource = {
	name: 'Flow',
	value: 'flow',
	description: 'Automations (chatbots)',
	operations: [getAll],
	default: getAll,
};
