import { z } from 'zod/v4';
import { addContactTags } from '../../contract';
import type { Operation } from '../../execution/operation';
import { optional } from '../shared/fields';
import { contactLocator, defaultCountryCode } from '../shared/locators';
import { doneTo } from './shared/contactFields';
import { createMissingByName, runWithTags, tagsAccepted, tagsFields } from './tags/tags';
import { withNames } from './tags/tagNames';

export const addTags: Operation = {
	name: 'Add Tags',
	value: 'addTags',
	action: 'Add tags to contact',
	description: 'Add tags to a contact, by list, ID or name',
	endpoint: addContactTags,
	fields: [contactLocator, ...tagsFields, createMissingByName, optional('options', [defaultCountryCode])],
	output: doneTo.extend({
		addedTagIds: z.array(z.string()),
		addedTagNames: z.array(z.string()).optional(),
	}),
	schema: tagsAccepted,
	normalize: ({ body }) => ({ body: withNames(body) }),
	run: async (item) => await runWithTags(item, addContactTags, 'added'),
};
