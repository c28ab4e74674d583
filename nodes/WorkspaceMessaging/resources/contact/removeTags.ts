import { z } from 'zod/v4';
import { removeContactTags } from '../../contract';
import type { Operation } from '../../execution/operation';
import { optional } from '../shared/fields';
import { contactLocator, defaultCountryCode } from '../shared/locators';
import { doneTo } from './shared/contactFields';
import { withNames } from './tags/tagNames';
import { runWithTags, tagsAccepted, tagsFields } from './tags/tags';

export const removeTags: Operation = {
	name: 'Remove Tags',
	value: 'removeTags',
	action: 'Remove tags from contact',
	description: 'Remove tags from a contact',
	endpoint: removeContactTags,
	fields: [contactLocator, ...tagsFields, optional('options', [defaultCountryCode])],
	output: doneTo.extend({
		removedTagIds: z.array(z.string()),
		removedTagNames: z.array(z.string()).optional(),
	}),
	schema: tagsAccepted,
	normalize: ({ body }) => ({ body: withNames(body) }),
	run: async (item) => await runWithTags(item, removeContactTags, 'removed'),
};
