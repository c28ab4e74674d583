import { rowsOf } from '../../transport/pagination';
import { contactCustomFieldValue, customFieldApi } from '../../contract/customField';
import { defineOperation } from '../../execution/operation';
import { optional } from '../shared/fields';
import { contactLocator, defaultCountryCode } from '../shared/locators';
import { missingContact, requestUndocumented } from '../shared/undocumented';

export const getCustomFields = defineOperation({
	name: 'Get Custom Fields',
	value: 'getCustomFields',
	action: 'Get custom fields of contact',
	description: 'Get the custom field values of a contact with their names and types',
	endpoint: customFieldApi.getContactCustomFields,
	fields: [contactLocator, optional('options', [defaultCountryCode])],
	output: contactCustomFieldValue,

	async run(item) {
		const { params } = item;
		const findMissing = async () => await missingContact(item, params.identifier);
		return rowsOf(
			await requestUndocumented(item, customFieldApi.getContactCustomFields, { params }, findMissing),
		);
	},
});
