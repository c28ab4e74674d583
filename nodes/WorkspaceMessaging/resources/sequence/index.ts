import type { Resource } from '../shared/resource';
import { get } from './get';
import { getAll } from './getAll';

export const sequences: Resource = {
	name: 'Sequence',
	value: 'sequence',
	description: 'Series of messages over time, with their numbers',
	operations: [get, getAll],
	default: get,
};
