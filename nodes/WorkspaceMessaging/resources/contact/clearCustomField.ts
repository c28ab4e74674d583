import { z } from 'zod/v4';
import { customFieldApi } from '../../contract/customField';
import { defineOperation } from '../../execution/operation';
import { contactDeleteOptions, contactLocator } from '../shared/locators';
import { subjectLocator } from '../shared/lookupFields';
import { deleteUndocumented, missingContact } from '../shared/undocumented';
import { lookups } from '../shared/lookups';
import { customFieldDefinitions } from '../../contacts/customFields/definitions';
import { contactOutput, describeContact } from './shared/contactOutput';
import { isGone } from '../../contacts/customFields/resolveContact';

export const clearCustomField = defineOperation({
	name: 'Clear Custom Field',
	value: 'clearCustomField',
	action: 'Clear custom field of contact',
	description: 'Remove the value of one custom field from a contact',
	endpoint: customFieldApi.clearContactCustomField,
	fields: [
		contactLocator,
		subjectLocator(lookups.customFields, 'customFieldId', { anyId: true }),
		contactDeleteOptions,
	],
	output: contactOutput.extend({ cleared: z.boolean(), clearedCustomField: z.string() }),

	async run(item) {
		const { params } = item;
		const { identifier, customFieldId } = params;
		const output = (cleared: boolean) => [
			{ success: true, ...describeContact(item), cleared, clearedCustomField: customFieldId },
		];
		if (isGone(item)) return output(false);
		const findMissing = async () => {
			const contact = await missingContact(item, identifier);
			if (contact !== undefined) return contact;
			const isField = (await customFieldDefinitions(item)).has(customFieldId);
			return isField ? undefined : `custom field with the ID or name ${customFieldId}`;
		};
		return output(await deleteUndocumented(item, customFieldApi.clearContactCustomField, findMissing));
	},
});
