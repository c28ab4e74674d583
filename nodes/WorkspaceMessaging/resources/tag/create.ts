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
		nameField(
			'e.g. VIP',
			`Name of the tag, ${limits.name.min} to ${limits.name.max} characters; no other tag of the workspace may have it`,
		),
		optional('additionalFields', [folderOfNew]),
	],
	output: tagReference,
};
