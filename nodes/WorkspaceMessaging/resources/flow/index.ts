import type { INodeProperties } from 'n8n-workflow';
import { getAllFields, getAllRouting } from './getAll';

export const flowOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['flow'] } },
	options: [
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many flows',
			description: 'Get many automation flows with their IDs and names',
			routing: getAllRouting,
		},
	],
	default: 'getAll',
};

export const flowFields: INodeProperties[] = getAllFields;
