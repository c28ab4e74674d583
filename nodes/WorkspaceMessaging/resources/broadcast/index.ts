import type { INodeProperties } from 'n8n-workflow';
import { getFields, getRouting } from './get';
import { getAllFields, getAllRouting } from './getAll';

export const broadcastOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['broadcast'] } },
	options: [
		{
			name: 'Get',
			value: 'get',
			action: 'Get broadcast',
			description: 'Get one broadcast by its ID or exact name',
			routing: getRouting,
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many broadcasts',
			description: 'Get many broadcasts with their status and schedule',
			routing: getAllRouting,
		},
	],
	default: 'getAll',
};

export const broadcastFields: INodeProperties[] = [...getFields, ...getAllFields];
