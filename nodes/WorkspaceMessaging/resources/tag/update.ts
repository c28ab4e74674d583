import { limits, tagReference, updateTag } from '../../contract';
import type { Operation } from '../../execution/operation';
import { nameField } from '../shared/fields';
import { locator } from '../shared/locators';
import { lookups } from '../shared/lookups';

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update tag',
	description: 'Change the name of a tag',
	endpoint: updateTag,
	fields: [
		locator(lookups.tags, {
			displayName: 'Tag',
			name: 'tagId',
			required: true,
			inPath: true,
		}),
		nameField('e.g. VIP', `${limits.name.min} to ${limits.name.max} characters, unlike those of other tags`),
	],
	output: tagReference,
};
