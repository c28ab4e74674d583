import { aiAgent, workspaceApi } from '../contract/workspace';
import { defineOperation, type Resource } from '../run/operation';
import { returnAllOrLimit } from '../panel/fields';

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many AI agents',
	description: 'Get many AI agents of the workspace',
	endpoint: workspaceApi.listAiAgents,
	fields: returnAllOrLimit,
	output: aiAgent,
});

export const aiAgents: Resource = {
	name: 'AI Agent',
	value: 'aiAgent',
	description: 'AI agents that answer contacts',
	operations: [getAll],
	default: getAll,
};
