import { contactApi } from '../../contract/contact';
import { defineOperation } from '../../run/operation';
import { contactLocator } from '../../panel/contactLocator';
import { changedRecordsOutput, describeChangedRecords } from './namedRecords/change';
import { selectionFields, selectionInput } from './namedRecords/fields';
import { addSelectedTags, createMissing } from './namedRecords/tags';

export const addTags = defineOperation({
	name: 'Add Tags',
	value: 'addTags',
	action: 'Add tags to contact',
	description: 'Add tags to a contact, by list, ID or name',
	endpoint: contactApi.addContactTags,
	fields: [contactLocator, ...selectionFields('tag'), createMissing],
	output: changedRecordsOutput('tag', 'added'),
	...selectionInput('tag'),
	run: async (item) => describeChangedRecords(item, 'tag', 'added', await addSelectedTags(item)),
});
