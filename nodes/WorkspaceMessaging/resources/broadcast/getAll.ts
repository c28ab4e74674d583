import type { INodeProperties } from 'n8n-workflow';
import { listBroadcasts } from '../../contract';
import { route } from '../../routing/operation';
import { showFor } from '../shared/fields';
import { pageOptions } from '../shared/lists';

export const getAllFields: INodeProperties[] = showFor('broadcast', 'getAll', [
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: pageOptions,
	},
]);

export const getAllRouting = route(listBroadcasts, getAllFields);
