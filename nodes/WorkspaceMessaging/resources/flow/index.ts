import type { Resource } from '../shared/resource';
import { getAll } from './getAll';

export const flows: Resource = {
	name: 'Flow',
	value: 'flow',
	description: 'Automations (chatbots) that contacts go through',
	operations: [getAll],
	default: getAll,
};
