import type { INodeProperties } from 'n8n-workflow';
import { getRouting } from './get';

export const workspaceOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['workspace'] } },
	options: [
		{
			name: 'Get',
			value: 'get',
			action: 'Get workspace',
			description: 'Get the workspace that the access token belongs to. Not every service supports it.',
			routing: getRouting,
		},
	],
	default: 'get',
};
