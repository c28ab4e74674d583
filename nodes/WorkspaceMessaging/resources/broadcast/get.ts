import { broadcast, getBroadcast } from '../../contract';
import type { Operation } from '../../execution/operation';
import { locator } from '../shared/locators';
import { lookups } from '../shared/lookups';

const byListOrId = locator(lookups.broadcasts, {
	displayName: 'Broadcast',
	name: 'broadcastId',
	required: true,
	inPath: true,
	anyId: true,
});

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get broadcast',
	description: 'Get one broadcast by its ID or exact name',
	endpoint: getBroadcast,
	fields: [
		{
			...byListOrId,
			modes: [
				...(byListOrId.modes ?? []),
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					placeholder: 'e.g. Summer Sale',
					hint: 'The exact name',
				},
			],
		},
	],
	output: broadcast,
};
