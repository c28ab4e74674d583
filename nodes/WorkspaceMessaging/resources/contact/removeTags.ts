import type { INodeProperties } from 'n8n-workflow';
import { removeContactTags } from '../../contract';
import { route } from '../../routing/operation';
import { showFor } from '../shared/fields';
import { contactLocator } from '../shared/locators';
import { tagsField } from './tags';

export const removeTagsFields: INodeProperties[] = showFor('contact', 'removeTags', [tagsField]);

export const removeTagsRouting = route(removeContactTags, [contactLocator, ...removeTagsFields], {
	done: ({ params, body }) => ({
		contact: params.identifier,
		removedTagIds: (body as { tagIds: string[] }).tagIds,
	}),
});
