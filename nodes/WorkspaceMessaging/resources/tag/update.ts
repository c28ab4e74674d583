import { tagApi, tagReference } from '../../contract/tag';
import { defineOperation } from '../../execution/operation';
import { nameField } from '../shared/fields';
import { subjectLocator } from '../shared/lookupFields';
import { lookups } from '../shared/lookups';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update tag',
	description: 'Change the name of a tag',
	endpoint: tagApi.updateTag,
	fields: [subjectLocator(lookups.tags, 'tagId'), nameField('e.g. VIP', '; must be unique')],
	output: tagReference,
});
