import type { INodeProperties } from 'n8n-workflow';
import { getFields, getRouting } from './get';

export const sequenceOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['sequence'] } },
	options: [
		{
			name: 'Get',
			value: 'get',
			action: 'Get a sequence',
			description: 'Get one sequence with its numbers: subscribers, messages, open and click rate',
			routing: getRouting,
		},
	],
	default: 'get',
};

export const sequenceFields: INodeProperties[] = getFields;
