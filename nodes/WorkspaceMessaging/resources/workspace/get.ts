import { getWorkspace, workspace } from '../../contract';
import type { Operation } from '../../execution/operation';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get workspace',
	description: 'Get the workspace that the access token belongs to. Not every service supports it.',
	endpoint: getWorkspace,
	fields: [],
	output: workspace,
};
