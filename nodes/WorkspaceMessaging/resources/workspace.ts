import type { IDataObject } from 'n8n-workflow';
import { undocumentedApi } from '../contract/undocumented';
import { workspace, workspaceApi } from '../contract/workspace';
import { defineOperation, type Resource } from '../run/operation';
import { isNotFound, onApiError } from '../transport/errors/ApiError';
import type { Requester } from '../transport/request';
import { readPagedList } from '../service/lists/pages';

const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get workspace',
	description: 'Get the workspace that the access token belongs to',
	endpoint: workspaceApi.getWorkspace,
	fields: [],
	output: workspace,

	run: readWorkspace,
});

/**
 * Reads the workspace; some services return it with what the token may do, in place of the list
 * with the workspace (difference 3).
 */
async function readWorkspace(client: Requester): Promise<IDataObject[]> {
	return await readPagedList(client, workspaceApi.getWorkspace).catch(
		onApiError(isNotFound, async () => {
			const token: IDataObject = Object(await client.request(undocumentedApi.getToken));
			return [{ id: token.workspaceId, ...token }];
		}),
	);
}

export const workspaces: Resource = {
	name: 'Workspace',
	value: 'workspace',
	description: 'The account itself',
	operations: [get],
	default: get,
};
