import type { Resource } from '../shared/resource';
import { getAll } from './getAll';

export const aiAgents: Resource = {
	name: 'AI Agent',
	value: 'aiAgent',
	description: 'AI agents that answer contacts',
	operations: [getAll],
	default: getAll,
};
