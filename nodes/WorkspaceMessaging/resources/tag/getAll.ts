import type { INodeProperties } from 'n8n-workflow';
import { listTags } from '../../contract';
import { route } from '../../routing/operation';
import { inQuery, showFor } from '../shared/fields';
import { pageOptionsField } from '../shared/lists';

export const getAllFields: INodeProperties[] = showFor('tag', 'getAll', [
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			inQuery({
				displayName: 'Keyword',
				name: 'keyword',
				type: 'string',
				default: '',
				description:
					'Only tags whose name contains this text. Not every service supports it; one that does not may ignore it.',
			}),
		],
	},
	pageOptionsField,
]);

export const getAllRouting = route(listTags, getAllFields);
