import { tagApi, tagReference } from '../../contract/tag';
import { defineOperation } from '../../run/operation';
import { recordNameField } from '../../panel/fields';
import { subjectLocator } from '../../panel/lookups/locators';
import { tagLookup } from '../../panel/lookups/tags';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update tag',
	description: 'Change the name of a tag',
	endpoint: tagApi.updateTag,
	fields: [subjectLocator(tagLookup, 'tagId'), recordNameField('e.g. VIP', '; must be unique')],
	output: tagReference,
});
