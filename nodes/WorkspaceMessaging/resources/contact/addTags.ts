import type { INodeProperties } from 'n8n-workflow';
import { addContactTags } from '../../contract';
import { route } from '../../routing/operation';
import { showFor } from '../shared/fields';
import { contactLocator } from '../shared/locators';
import { tagsField } from './tags';

export const addTagsFields: INodeProperties[] = showFor('contact', 'addTags', [tagsField]);

export const addTagsRouting = route(addContactTags, [contactLocator, ...addTagsFields], {
	done: ({ params, body }) => ({
		contact: params.identifier,
		addedTagIds: (body as { tagIds: string[] }).tagIds,
	}),
});
