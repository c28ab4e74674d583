import { z } from 'zod/v4';
import { customFieldApi } from '../../contract/customField';
import { defineOperation } from '../../run/operation';
import { ignoreMissing, optional } from '../../panel/fields';
import { contactLocator } from '../../panel/locators';
import { deleteIfExists } from '../../run/deleteIfExists';
import { lookups, subjectLocator } from '../../panel/lookups';
import { contactOutput, describeContact } from '../../contacts/output';
import { isGone } from '../../contacts/find';

export const clearCustomField = defineOperation({
	name: 'Clear Custom Field',
	value: 'clearCustomField',
	action: 'Clear custom field of contact',
	description: 'Remove the value of one custom field from a contact',
	endpoint: customFieldApi.clearContactCustomField,
	fields: [
		contactLocator,
		subjectLocator(lookups.customFields, 'customFieldId', { anyId: true }),
		optional('options', [ignoreMissing]),
	],
	output: contactOutput.extend({ cleared: z.boolean(), clearedCustomField: z.string() }),

	async run(item) {
		const cleared = !isGone(item) && (await deleteIfExists(item, customFieldApi.clearContactCustomField));
		const { customFieldId } = item.params;
		return [{ success: true, ...describeContact(item), cleared, clearedCustomField: customFieldId }];
	},
});
