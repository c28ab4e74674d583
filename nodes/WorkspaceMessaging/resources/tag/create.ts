import { createTag, limits, tagReference } from '../../contract';
import type { Operation } from '../../execution/operation';
import { nameField, optional } from '../shared/fields';
import { folderOfNew } from '../shared/folder';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create tag',
	description: 'Create a new tag in the workspace',
	endpoint: createTag,
	fields: [
		nameField('e.g. VIP', `${limits.name.min} to ${limits.name.max} characters, unlike those of other tags`),
		optional('additionalFields', [folderOfNew]),
	],
	output: tagReference,
};
