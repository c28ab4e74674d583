import type { Resource } from '../shared/resource';
import { get } from './get';

export const workspaces: Resource = {
	name: 'Workspace',
	value: 'workspace',
	description: 'The account itself',
	operations: [get],
	default: get,
};
