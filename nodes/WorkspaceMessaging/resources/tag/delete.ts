import { z } from 'zod/v4';
import { tagApi } from '../../contract/tag';
import { ignoreMissing, optional } from '../../panel/fields';
import { subjectLocator } from '../../panel/lookups/locators';
import { tagLookup } from '../../panel/lookups/tags';
import { deleteIfExists } from '../shared/deleteIfExists';
import { defineOperation } from '../../run/operation';
import { boolean, string } from '../../contract/values';

export const deleteTag = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete tag',
	description: 'Delete a tag permanently',
	endpoint: tagApi.deleteTag,
	fields: [subjectLocator(tagLookup, 'tagId'), optional('options', [ignoreMissing])],
	output: z.object({ success: z.literal(true), deleted: boolean, tagId: string }),

	async run(item) {
		const deleted = await deleteIfExists(item, tagApi.deleteTag);
		return [{ success: true, deleted, ...item.params }];
	},
});
