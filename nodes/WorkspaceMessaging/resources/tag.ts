import { tag, tagApi, tagReference } from '../contract/tag';
import { defineOperation } from '../execution/operation';
import type { Resource } from './shared/describe';
import {
	folderField,
	keywordFilter,
	nameField,
	optional,
	pageOptionsField,
	returnAllOrLimit,
} from './shared/fields';
import { subjectLocator } from './shared/lookupFields';
import { lookups } from './shared/lookups';
import { deleteOperation, readByName } from './shared/namedRecords';

const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create tag',
	description: 'Create a new tag in the workspace',
	endpoint: tagApi.createTag,
	fields: [
		nameField('e.g. VIP', '; must be unique'),
		optional('additionalFields', [folderField('Leave empty for no folder')]),
	],
	output: tagReference,
});

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many tags',
	description: 'Get many tags with their IDs',
	endpoint: tagApi.listTags,
	fields: [
		...returnAllOrLimit,
		optional('filters', [keywordFilter('e.g. vip', 'Only tags whose name contains this text')]),
		pageOptionsField,
	],
	output: tag,
	run: async (item) => await readByName(item, tagApi.listTags),
});

const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update tag',
	description: 'Change the name of a tag',
	endpoint: tagApi.updateTag,
	fields: [subjectLocator(lookups.tags, 'tagId'), nameField('e.g. VIP', '; must be unique')],
	output: tagReference,
});

export const tags: Resource = {
	name: 'Tag',
	value: 'tag',
	description: 'Labels for contacts',
	operations: [create, deleteOperation(lookups.tags, 'tagId', tagApi.deleteTag), getAll, update],
	default: getAll,
};
