import type { INodeProperties } from 'n8n-workflow';
import { getAllFields, getAllRouting } from './getAll';

export const channelOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['channel'] } },
	options: [
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many channels',
			description: 'Get many channels (inboxes) with their platform and connection status',
			routing: getAllRouting,
		},
	],
	default: 'getAll',
};

export const channelFields: INodeProperties[] = getAllFields;
