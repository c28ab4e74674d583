import { createTag, tagReference } from '../../contract/tag';
import type { Operation } from '../../execution/operation';
import { optional } from '../shared/fields';
import { folderField, nameField } from '../shared/namedRecords';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create tag',
	description: 'Create a new tag in the workspace',
	endpoint: createTag,
	fields: [
		nameField('e.g. VIP', '; must be unique'),
		optional('additionalFields', [folderField('Leave empty for no folder')]),
	],
	output: tagReference,
};
