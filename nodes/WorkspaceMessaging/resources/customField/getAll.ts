import type { INodeProperties } from 'n8n-workflow';
import { listCustomFields } from '../../contract';
import { route } from '../../routing/operation';
import { keywordFilter, optional, showFor } from '../shared/fields';
import { pageOptionsField } from '../shared/lists';

export const getAllFields: INodeProperties[] = showFor('customField', 'getAll', [
	optional('filters', [
		keywordFilter(
			'e.g. birthday',
			'Only custom fields whose name contains this text, in upper or lower case',
		),
	]),
	pageOptionsField,
]);

export const getAllRouting = route(listCustomFields, getAllFields);
