import { deleteTag, listTags } from '../../contract';
import type { INodeProperties } from 'n8n-workflow';
import { showFor } from '../shared/fields';
import { locator } from '../shared/locators';
import { deleteOptions, routeDelete } from '../shared/undocumented';

export const deleteFields: INodeProperties[] = showFor('tag', 'delete', [
	locator({
		displayName: 'Tag',
		name: 'tagId',
		required: true,
		description: 'The tag to delete',
		thing: 'a tag',
		searchListMethod: 'searchTags',
		inPath: true,
	}),
	deleteOptions,
]);

export const deleteRouting = routeDelete(deleteTag, listTags, deleteFields);
