import type { Resource } from '../shared/describe';
import { create } from './create';
import { deleteOne } from './delete';
import { getAll } from './getAll';
import { update } from './update';

export const customFields: Resource = {
	name: 'Custom Field',
	value: 'customField',
	description: 'Extra contact fields',
	operations: [create, deleteOne, getAll, update],
	default: getAll,
};
