import type { INodeProperties } from 'n8n-workflow';
import { removeContactTags } from '../../contract';
import { showFor } from '../shared/fields';
import { routeTags, tagsFields } from './tags';

export const removeTagsFields: INodeProperties[] = showFor('contact', 'removeTags', tagsFields);

export const removeTagsRouting = routeTags(removeContactTags, removeTagsFields, 'removed');
