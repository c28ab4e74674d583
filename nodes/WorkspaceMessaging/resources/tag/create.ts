import { tagApi, tagReference } from '../../contract/tag';
import { defineOperation } from '../../run/operation';
import { folderField, recordNameField, optional } from '../../panel/fields';

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create tag',
	description: 'Create a new tag in the workspace',
	endpoint: tagApi.createTag,
	fields: [
		recordNameField('e.g. VIP', '; must be unique'),
		optional('additionalFields', [folderField('Leave empty for no folder')]),
	],
	output: tagReference,
});
