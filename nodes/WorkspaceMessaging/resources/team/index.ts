import type { Resource } from '../shared/resource';
import { getAll } from './getAll';

export const teams: Resource = {
	name: 'Team',
	value: 'team',
	operations: [getAll],
	default: getAll,
};
