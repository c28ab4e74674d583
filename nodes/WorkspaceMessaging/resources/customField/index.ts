import type { Resource } from '../../run/operation';
import { create } from './create';
import { deleteCustomField } from './delete';
import { getAll } from './getAll';
import { update } from './update';

export const customFields: Resource = {
	name: 'Custom Field',
	value: 'customField',
	description: 'Extra contact fields',
	operations: [create, deleteCustomField, getAll, update],
	default: getAll,
};
