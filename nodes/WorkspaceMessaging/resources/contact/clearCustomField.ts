import { customFieldApi } from '../../contract/customField';
import { patterns } from '../../contract/limits';
import type { Item } from '../../run/item';
import { defineOperation } from '../../run/operation';
import { ignoreMissing, optional } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { subjectLocator } from '../../panel/lookups/locators';
import { deleteIfExists } from '../shared/deleteIfExists';
import { lookups } from '../../panel/lookups';
import { contactOutput, describeContact } from '../../contacts/output';
import {
	customFieldDefinitions,
	findCustomFieldId,
	findCustomFieldDefinitions,
} from '../../contacts/customFields/definitions';
import { foundNoContact } from '../../contacts/setContactId';
import { listTraits } from '../../service/capabilities';
import { boolean, string } from '../../contract/values';

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
	output: contactOutput.extend({ cleared: boolean, clearedCustomField: string }),

	async run(item) {
		const { customFieldId } = item.params;
		const cleared = !foundNoContact(item) && (await clear(item));
		return [
			{ success: true, ...describeContact(item), cleared, clearedCustomField: customFieldId },
		];
	},
});

/**
 * Removes the value, and returns whether there was one. Some services take the IDs of fields, but
 * not their names.
 */
async function clear(item: Item<{ customFieldId: string }>) {
	const { params } = item;
	if (item.isOn('options.ignoreMissing') && (await isUnknownField(item))) return false;
	const customFieldId = await findCustomFieldId(item, params.customFieldId);
	return await deleteIfExists(item, customFieldApi.clearContactCustomField, {
		...params,
		customFieldId,
	});
}

/**
 * Whether the workspace certainly has no field with the name that the user entered. The service
 * itself knows its IDs.
 */
async function isUnknownField(item: Item<{ customFieldId: string }>) {
	const { customFieldId } = item.params;
	if (patterns.numericId.test(customFieldId)) return false;
	const definitions = await customFieldDefinitions(item);
	const found = findCustomFieldDefinitions(definitions, customFieldId);
	if (found.length > 0) return false;
	// A list that is cut can lack the field.
	return listTraits(item, customFieldApi.listCustomFields).cutAt === undefined;
}
