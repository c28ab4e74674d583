import type { Resource } from '../shared/resource';
import { get } from './get';
import { getAll } from './getAll';

export const broadcasts: Resource = {
	name: 'Broadcast',
	value: 'broadcast',
	description: 'Messages to many contacts (newsletters)',
	operations: [get, getAll],
	default: getAll,
};
