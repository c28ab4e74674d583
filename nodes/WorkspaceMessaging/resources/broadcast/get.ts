import type { INodeProperties } from 'n8n-workflow';
import { getBroadcast } from '../../contract';
import { route } from '../../routing/operation';
import { showFor } from '../shared/fields';
import { locator } from '../shared/locators';

const broadcastLocator = locator({
	displayName: 'Broadcast',
	name: 'broadcastId',
	required: true,
	description: 'The broadcast to read',
	thing: 'a broadcast',
	searchListMethod: 'searchBroadcasts',
	inPath: true,
	anyId: true,
});

export const getFields: INodeProperties[] = showFor('broadcast', 'get', [
	{
		...broadcastLocator,
		modes: [
			...(broadcastLocator.modes ?? []),
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. Summer Sale',
				hint: 'The exact name',
			},
		],
	},
]);

export const getRouting = route(getBroadcast, getFields);
