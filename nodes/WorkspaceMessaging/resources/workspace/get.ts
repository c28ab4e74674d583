import type { IDataObject } from 'n8n-workflow';
import { isNotFound } from '../../api/errors';
import { readList } from '../../api/pagination';
import { rethrow } from '../../api/rethrow';
import { getWorkspace, workspace } from '../../contract';
import { getToken } from '../../contract/beyondReference';
import type { Operation } from '../../execution/operation';
import { NOT_DOCUMENTED } from '../shared/undocumented';

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
