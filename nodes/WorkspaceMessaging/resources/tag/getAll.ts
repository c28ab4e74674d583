import type { INodeProperties } from 'n8n-workflow';
import { listTags } from '../../contract';
import { route } from '../../routing/operation';
import { keywordFilter, optional, showFor } from '../shared/fields';
import { pageOptionsField } from '../shared/lists';

export const getAllFields: INodeProperties[] = showFor('tag', 'getAll', [
	optional('filters', [
		keywordFilter(
			'Only tags whose name contains this text. Not every service supports it; one that does not may ignore it.',
		),
	]),
	pageOptionsField,
]);

export const getAllRouting = route(listTags, getAllFields);
