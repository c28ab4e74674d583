import { z } from 'zod/v4';
import { contactApi } from '../../contract/contact';
import { defineOperation } from '../../run/operation';
import { contactLocator } from '../../panel/locators';
import { contactOutput } from '../../contacts/output';
import { createMissing, runWithTags, tagsFields, tagsInput } from './tags';

export const addTags = defineOperation({
	name: 'Add Tags',
	value: 'addTags',
	action: 'Add tags to contact',
	description: 'Add tags to a contact, by list, ID or name',
	endpoint: contactApi.addContactTags,
	fields: [contactLocator, ...tagsFields, createMissing],
	output: contactOutput.extend({
		addedTagIds: z.array(z.string()),
		addedTagNames: z.array(z.string()),
	}),
	...tagsInput,
	run: async (item) => await runWithTags(item, contactApi.addContactTags, 'added'),
});
