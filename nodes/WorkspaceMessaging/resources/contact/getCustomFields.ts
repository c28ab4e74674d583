import { readRecords } from '../../service/lists/records';
import { contactCustomFieldValue, customFieldApi } from '../../contract/customField';
import { defineOperation } from '../../run/operation';
import { contactLocator } from '../../panel/contactLocator';

export const getCustomFields = defineOperation({
	name: 'Get Custom Fields',
	value: 'getCustomFields',
	action: 'Get custom fields of contact',
	description: 'Get the custom field values of a contact with their names and types',
	endpoint: customFieldApi.getContactCustomFields,
	fields: [contactLocator],
	output: contactCustomFieldValue,

	async run(item) {
		const { params } = item;
		return readRecords(await item.request(customFieldApi.getContactCustomFields, { params }));
	},
});
