import type { INodeProperties } from 'n8n-workflow';

/** Whether records come with the fields people use, or with all of them. */
export const simplifyOne: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	displayOptions: { show: { resource: ['contact', 'member', 'sequence'], operation: ['get', 'upsert'] } },
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const simplifyMany: INodeProperties = {
	...simplifyOne,
	displayOptions: { show: { resource: ['contact', 'member', 'sequence', 'team'], operation: ['getAll'] } },
};
