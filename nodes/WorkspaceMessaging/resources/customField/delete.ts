import { z } from 'zod/v4';
import { customFieldApi } from '../../contract/customField';
import { ignoreMissing, optional } from '../../panel/fields';
import { subjectLocator } from '../../panel/lookups/locators';
import { lookups } from '../../panel/lookups';
import { deleteIfExists } from '../shared/deleteIfExists';
import { defineOperation } from '../../run/operation';
import { boolean, string } from '../../contract/values';

export const deleteCustomField = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete custom field',
	description: 'Delete a custom field permanently',
	endpoint: customFieldApi.deleteCustomField,
	fields: [
		subjectLocator(lookups.customFields, 'customFieldId'),
		optional('options', [ignoreMissing]),
	],
	output: z.object({ success: z.literal(true), deleted: boolean, customFieldId: string }),

	async run(item) {
		const deleted = await deleteIfExists(item, customFieldApi.deleteCustomField);
		return [{ success: true, deleted, ...item.params }];
	},
});
