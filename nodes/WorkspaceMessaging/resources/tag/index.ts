import type { INodeProperties } from 'n8n-workflow';
import { NOT_DOCUMENTED } from '../shared/undocumented';
import { createFields, createRouting } from './create';
import { deleteFields, deleteRouting } from './delete';
import { getAllFields, getAllRouting } from './getAll';
import { updateFields, updateRouting } from './update';

export const tagOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['tag'] } },
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create tag',
			description: 'Create a new tag in the workspace',
			routing: createRouting,
		},
		{
			name: 'Delete',
			value: 'delete',
			action: 'Delete tag',
			description: `Delete a tag permanently. ${NOT_DOCUMENTED}.`,
			routing: deleteRouting,
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many tags',
			description: 'Get many tags of the workspace with their IDs and names',
			routing: getAllRouting,
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update tag',
			description: 'Change the name of a tag',
			routing: updateRouting,
		},
	],
	default: 'getAll',
};

export const tagFields: INodeProperties[] = [
	...createFields,
	...deleteFields,
	...getAllFields,
	...updateFields,
];
