import { contactApi } from '../../contract/contact';
import { defineOperation } from '../../run/operation';
import { contactLocator } from '../../panel/contactLocator';
import { changedRecordsOutput, removeSelectedRecords } from './namedRecords/change';
import { selectionFields, selectionInput } from './namedRecords/fields';
import { findTags } from './namedRecords/tags';

export const removeTags = defineOperation({
	name: 'Remove Tags',
	value: 'removeTags',
	action: 'Remove tags from contact',
	description: 'Remove tags from a contact',
	endpoint: contactApi.removeContactTags,
	fields: [contactLocator, ...selectionFields('tag')],
	output: changedRecordsOutput('tag', 'removed'),
	...selectionInput('tag'),
	run: (item) => removeSelectedRecords(item, 'tag', contactApi.removeContactTags, findTags),
});
