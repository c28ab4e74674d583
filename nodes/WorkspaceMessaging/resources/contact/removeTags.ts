import { z } from 'zod/v4';
import { contactApi } from '../../contract/contact';
import { defineOperation } from '../../run/operation';
import { contactLocator } from '../../panel/locators';
import { contactOutput } from '../../contacts/output';
import { runWithTags, tagsFields, tagsInput } from './tags';

export const removeTags = defineOperation({
	name: 'Remove Tags',
	value: 'removeTags',
	action: 'Remove tags from contact',
	description: 'Remove tags from a contact',
	endpoint: contactApi.removeContactTags,
	fields: [contactLocator, ...tagsFields],
	output: contactOutput.extend({
		removedTagIds: z.array(z.string()),
		removedTagNames: z.array(z.string()),
	}),
	...tagsInput,
	run: async (item) => await runWithTags(item, contactApi.removeContactTags, 'removed'),
});
