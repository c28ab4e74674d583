import type { INodeProperties } from 'n8n-workflow';
import { listCustomFields } from '../../contract';
import { route } from '../../routing/operation';
import { inQuery, showFor } from '../shared/fields';
import { pageOptionsField } from '../shared/lists';

export const getAllFields: INodeProperties[] = showFor('customField', 'getAll', [
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
				description: 'Only custom fields whose name contains this text, in upper or lower case',
			}),
		],
	},
	pageOptionsField,
]);

export const getAllRouting = route(listCustomFields, getAllFields);
