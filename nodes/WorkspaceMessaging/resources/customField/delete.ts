import { z } from 'zod/v4';
import { deleteCustomField, listCustomFields } from '../../contract';
import type { Operation } from '../../execution/operation';
import { deleteOptions, deleted } from '../shared/deleting';
import { locator } from '../shared/locators';
import { lookups } from '../shared/lookups';
import { missingInList, NOT_DOCUMENTED, requestUndocumented } from '../shared/unsupported';

export const deleteOne: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete custom field',
	description: `Delete a custom field permanently. ${NOT_DOCUMENTED}.`,
	endpoint: deleteCustomField,
	fields: [
		locator(lookups.customFields, {
			displayName: 'Custom Field',
			name: 'customFieldId',
			required: true,
			inPath: true,
		}),
		deleteOptions,
	],
	output: z.object({ success: z.literal(true), deleted: z.boolean(), customFieldId: z.string() }),

	async run(item) {
		const { params } = item;
		const findMissing = async () => await missingInList(item, listCustomFields, params);
		const request = requestUndocumented(item, deleteCustomField, { params }, findMissing);
		return [{ success: true, deleted: await deleted(item, request), ...params }];
	},
};
