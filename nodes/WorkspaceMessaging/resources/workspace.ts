import type { IDataObject } from 'n8n-workflow';
import { undocumentedApi } from '../contract/undocumented';
import { workspace, workspaceApi } from '../contract/workspace';
import { defineOperation, type Resource } from '../run/operation';
import { isNotFound, onApiError } from '../transport/errors/ApiError';
import { readPagedList } from '../service/lists/pages';

const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get workspace',
	description: 'Get the workspace that the access token belongs to',
	endpoint: workspaceApi.getWorkspace,
	fields: [],
	output: workspace,

	async run(item) {
		return await readPagedList(item, workspaceApi.getWorkspace).catch(
			onApiError(isNotFound, async () => {
				// Services without this list return the workspace with what the token may do.
				const token: IDataObject = Object(await item.request(undocumentedApi.getToken));
				return [{ id: token.workspaceId, ...token }];
			}),
		);
	},
});

export const workspaces: Resource = {
	name: 'Workspace',
	value: 'workspace',
	description: 'The account itself',
	operations: [get],
	default: get,
};
