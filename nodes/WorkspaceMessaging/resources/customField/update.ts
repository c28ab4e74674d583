import { customField, customFieldApi } from '../../contract/customField';
import { defineOperation } from '../../run/operation';
import { folderField, inBody, recordNameField, optional } from '../../panel/fields';
import { subjectLocator } from '../../panel/lookups/locators';
import { lookups } from '../../panel/lookups';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update custom field',
	description: 'Change the name, description or folder of a custom field',
	endpoint: customFieldApi.updateCustomField,
	fields: [
		subjectLocator(lookups.customFields, 'customFieldId'),
		recordNameField('e.g. Birthday', '. To keep the name, enter the current one.'),
		optional('updateFields', [
			inBody({ displayName: 'Description', name: 'description', type: 'string', default: '' }),
			folderField('Leave empty to take it out of its folder'),
		]),
	],
	output: customField,
});
