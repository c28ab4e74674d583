import type { Resource } from '../shared/resource';
import { getAll } from './getAll';

export const flows: Resource = {
	name: 'Flow',
	value: 'flow',
	description: 'Automations (chatbots)',
	operations: [getAll],
	default: getAll,
};
