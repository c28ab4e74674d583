import type { Resource } from '../shared/resource';
import { getAll } from './getAll';

export const flows: Resource = {
	name: 'Flow',
	value: 'flow',
	operations: [getAll],
	default: getAll,
};
