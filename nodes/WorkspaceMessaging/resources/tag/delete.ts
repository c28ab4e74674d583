import { z } from 'zod/v4';
import { deleteTag, listTags } from '../../contract';
import type { Operation } from '../../execution/operation';
import { deleteOptions, deleted } from '../shared/deleting';
import { locator } from '../shared/locators';
import { lookups } from '../shared/lookups';
import { missingInList, NOT_DOCUMENTED, requestUndocumented } from '../shared/unsupported';

export const deleteOne: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete tag',
	description: `Delete a tag permanently. ${NOT_DOCUMENTED}.`,
	endpoint: deleteTag,
	fields: [
		locator(lookups.tags, {
			displayName: 'Tag',
			name: 'tagId',
			required: true,
			inPath: true,
		}),
		deleteOptions,
	],
	output: z.object({ success: z.literal(true), deleted: z.boolean(), tagId: z.string() }),

	async run(item) {
		const { params } = item;
		const findMissing = async () => await missingInList(item, listTags, params);
		const request = requestUndocumented(item, deleteTag, { params }, findMissing);
		return [{ success: true, deleted: await deleted(item, request), ...params }];
	},
};
