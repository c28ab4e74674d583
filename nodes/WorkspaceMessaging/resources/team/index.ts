import type { Resource } from '../shared/resource';
import { getAll } from './getAll';

export const teams: Resource = {
	name: 'Team',
	value: 'team',
	description: 'Groups of members that share a channel',
	operations: [getAll],
	default: getAll,
};
