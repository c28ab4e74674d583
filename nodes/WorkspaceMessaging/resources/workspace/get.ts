import type { IDataObject } from 'n8n-workflow';
import { isNotFound } from '../../transport/errors/errors';
import { readList } from '../../transport/pagination';
import { rethrow } from '../../transport/rethrow';
import { getWorkspace, workspace } from '../../contract';
import { getToken } from '../../contract/undocumented';
import type { Operation } from '../../execution/operation';
import { NOT_DOCUMENTED } from '../shared/unsupported';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get workspace',
	description: `Get the workspace that the access token belongs to. ${NOT_DOCUMENTED}.`,
	endpoint: getWorkspace,
	fields: [],
	output: workspace,

	async run(item) {
		try {
			return await readList(item, getWorkspace);
		} catch (error) {
			if (!isNotFound(error)) return await rethrow(error);
			// Services without it tell the workspace of the token, and what the token may do.
			const token = (await item.request(getToken).catch(async () => await rethrow(error))) as IDataObject;
			return [{ id: token.workspaceId, ...token }];
		}
	},
};
