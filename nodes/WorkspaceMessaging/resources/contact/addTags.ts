import type { INodeProperties } from 'n8n-workflow';
import { addContactTags } from '../../contract';
import { showFor } from '../shared/fields';
import { createMissingTags, routeTags, tagsFields } from './tags';

export const addTagsFields: INodeProperties[] = showFor('contact', 'addTags', [
	...tagsFields,
	createMissingTags,
]);

export const addTagsRouting = routeTags(addContactTags, addTagsFields, 'added');
