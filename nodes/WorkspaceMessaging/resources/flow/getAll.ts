import type { INodeProperties } from 'n8n-workflow';
import { listFlows } from '../../contract';
import { route } from '../../routing/operation';
import { showFor } from '../shared/fields';
import { pageOptions } from '../shared/lists';

export const getAllFields: INodeProperties[] = showFor('flow', 'getAll', [
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: pageOptions,
	},
]);

export const getAllRouting = route(listFlows, getAllFields);
