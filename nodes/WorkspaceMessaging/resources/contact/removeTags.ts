import { z } from 'zod/v4';
import { contactApi } from '../../contract/contact';
import { defineOperation } from '../../run/operation';
import { optional } from '../../panel/fields';
import { contactLocator, defaultCountryCode } from '../../panel/locators';
import { contactOutput } from '../../contacts/output';
import { runWithTags, tagsFields, tagsInput } from './tags';

export const removeTags = defineOperation({
	name: 'Remove Tags',
	value: 'removeTags',
	action: 'Remove tags from contact',
	description: 'Remove tags from a contact',
	endpoint: contactApi.removeContactTags,
	fields: [contactLocator, ...tagsFields, optional('options', [defaultCountryCode])],
	output: contactOutput.extend({
		removedTagIds: z.array(z.string()),
		removedTagNames: z.array(z.string()),
	}),
	...tagsInput,
	run: async (item) => await runWithTags(item, contactApi.removeContactTags, 'removed'),
});
