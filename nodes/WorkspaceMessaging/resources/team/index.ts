import type { INodeProperties } from 'n8n-workflow';
import { getAllRouting } from './getAll';

export const teamOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['team'] } },
	options: [
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many teams',
			description: 'Get many teams of the workspace with their members',
			routing: getAllRouting,
		},
	],
	default: 'getAll',
};
