import type { Resource } from '../../run/operation';
import { create } from './create';
import { deleteTag } from './delete';
import { getAll } from './getAll';
import { update } from './update';

export const tags: Resource = {
	name: 'Tag',
	value: 'tag',
	description: 'Labels for contacts',
	operations: [create, deleteTag, getAll, update],
	default: getAll,
};
