import type { Resource } from '../shared/resource';
import { getAll } from './getAll';

export const aiAgents: Resource = {
	name: 'AI Agent',
	value: 'aiAgent',
	operations: [getAll],
	default: getAll,
};
