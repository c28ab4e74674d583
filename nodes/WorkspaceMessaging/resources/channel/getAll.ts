import type { INodeProperties } from 'n8n-workflow';
import { listChannels } from '../../contract';
import { route } from '../../routing/operation';
import { inQuery, optional, showFor } from '../shared/fields';
import { pageOptions } from '../shared/lists';

export const getAllFields: INodeProperties[] = showFor('channel', 'getAll', [
	optional('options', [
		inQuery({
			displayName: 'Include',
			name: 'includes',
			type: 'string',
			default: '',
			description:
				'Names of related resources to include, separated by commas. The API does not document which there are; what you enter is sent as it is.',
		}),
		...pageOptions,
	]),
]);

export const getAllRouting = route(listChannels, getAllFields);
