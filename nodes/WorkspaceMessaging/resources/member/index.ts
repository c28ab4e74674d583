import type { Resource } from '../shared/resource';
import { get } from './get';
import { getAll } from './getAll';

export const members: Resource = {
	name: 'Member',
	value: 'member',
	description: 'Users of the workspace',
	operations: [get, getAll],
	default: getAll,
};
