import type { INodeProperties } from 'n8n-workflow';
import { NOT_DOCUMENTED } from '../shared/undocumented';
import { getFields, getRouting } from './get';
import { getAllFields, getAllRouting } from './getAll';

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
			action: 'Get sequence',
			description: 'Get one sequence with its numbers: subscribers, messages, open and click rate',
			routing: getRouting,
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many sequences',
			description: `Get many sequences with their numbers. ${NOT_DOCUMENTED}.`,
			routing: getAllRouting,
		},
	],
	default: 'get',
};

export const sequenceFields: INodeProperties[] = [...getFields, ...getAllFields];
