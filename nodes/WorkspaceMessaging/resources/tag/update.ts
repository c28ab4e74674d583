import type { INodeProperties } from 'n8n-workflow';
import { limits, updateTag } from '../../contract';
import { route } from '../../routing/operation';
import { nameField, showFor } from '../shared/fields';
import { locator } from '../shared/locators';

export const updateFields: INodeProperties[] = showFor('tag', 'update', [
	locator({
		displayName: 'Tag',
		name: 'tagId',
		required: true,
		description: 'The tag to rename',
		thing: 'a tag',
		searchListMethod: 'searchTags',
		inPath: true,
	}),
	nameField(
		'e.g. VIP',
		`New name of the tag, ${limits.name.min} to ${limits.name.max} characters; no other tag of the workspace may have it`,
	),
]);

export const updateRouting = route(updateTag, updateFields);
