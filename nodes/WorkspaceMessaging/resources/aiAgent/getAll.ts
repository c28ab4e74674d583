import { aiAgent, listAiAgents } from '../../contract';
import type { Operation } from '../../execution/operation';
import { pageOptionsField, returnAllOrLimit } from '../shared/lists';
import { NOT_DOCUMENTED } from '../shared/unsupported';

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many AI agents',
	description: `Get many AI agents of the workspace. ${NOT_DOCUMENTED}.`,
	endpoint: listAiAgents,
	fields: [...returnAllOrLimit, pageOptionsField],
	output: aiAgent,
};
