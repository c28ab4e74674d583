import type { INodeProperties } from 'n8n-workflow';
import { getFields, getRouting } from './get';
import { getAllFields, getAllRouting } from './getAll';

export const memberOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['member'] } },
	options: [
		{
			name: 'Get',
			value: 'get',
			action: 'Get member',
			description: 'Get one member of the workspace with its role',
			routing: getRouting,
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many members',
			description: 'Get many members of the workspace',
			routing: getAllRouting,
		},
	],
	default: 'getAll',
};

export const memberFields: INodeProperties[] = [...getFields, ...getAllFields];
