import type { INodeProperties } from 'n8n-workflow';
import { NOT_DOCUMENTED } from '../shared/undocumented';
import { createFields, createRouting } from './create';
import { deleteFields, deleteRouting } from './delete';
import { getAllFields, getAllRouting } from './getAll';
import { updateFields, updateRouting } from './update';

export const customFieldOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['customField'] } },
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create custom field',
			description: 'Define a new custom field for contacts',
			routing: createRouting,
		},
		{
			name: 'Delete',
			value: 'delete',
			action: 'Delete custom field',
			description: `Delete a custom field permanently. ${NOT_DOCUMENTED}.`,
			routing: deleteRouting,
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many custom fields',
			description: 'Get many custom fields of the workspace with their IDs, names and types',
			routing: getAllRouting,
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update custom field',
			description: 'Change the name, description or folder of a custom field',
			routing: updateRouting,
		},
	],
	default: 'getAll',
};

export const customFieldFields: INodeProperties[] = [
	...createFields,
	...deleteFields,
	...getAllFields,
	...updateFields,
];
