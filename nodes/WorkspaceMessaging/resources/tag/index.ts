import type { Resource } from '../shared/describe';
import { create } from './create';
import { deleteOne } from './delete';
import { getAll } from './getAll';
import { update } from './update';

export const tags: Resource = {
	name: 'Tag',
	value: 'tag',
	description: 'Labels for contacts',
	operations: [create, deleteOne, getAll, update],
	default: getAll,
};
