import type { Resource } from '../shared/resource';
import { get } from './get';
import { getAll } from './getAll';

export const sequences: Resource = {
	name: 'Sequence',
	value: 'sequence',
	description: 'Series of messages over time',
	operations: [get, getAll],
	default: get,
};
