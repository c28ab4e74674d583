import type { Resource } from '../shared/resource';
import { get } from './get';

export const workspaces: Resource = {
	name: 'Workspace',
	value: 'workspace',
	operations: [get],
	default: get,
};
