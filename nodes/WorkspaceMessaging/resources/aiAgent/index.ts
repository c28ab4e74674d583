import type { INodeProperties } from 'n8n-workflow';
import { NOT_DOCUMENTED } from '../shared/undocumented';
import { getAllFields, getAllRouting } from './getAll';

export const aiAgentOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['aiAgent'] } },
	options: [
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many AI agents',
			description: `Get many AI agents of the workspace. ${NOT_DOCUMENTED}.`,
			routing: getAllRouting,
		},
	],
	default: 'getAll',
};

export const aiAgentFields: INodeProperties[] = getAllFields;
