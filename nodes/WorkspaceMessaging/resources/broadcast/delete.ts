import { z } from 'zod/v4';
import { broadcastApi } from '../../contract/broadcast';
import { boolean, string } from '../../contract/values';
import { defineOperation } from '../../run/operation';
import { broadcastToChange, readBroadcast, wrongStatusError } from './steps/status';

export const deleteBroadcast = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete broadcast draft',
	description: 'Delete a draft permanently',
	endpoint: broadcastApi.deleteBroadcast,
	keptFromAgents: 'delete a broadcast',
	fields: [broadcastToChange],
	output: z.object({ success: z.literal(true), deleted: boolean, broadcastId: string }),

	async run(item) {
		const { params } = item;
		const found = await readBroadcast(item, params.broadcastId);
		if (found.status !== 'draft') throw wrongStatusError(found, 'delete');
		await item.request(broadcastApi.deleteBroadcast, { params });
		return [{ success: true, deleted: true, ...params }];
	},
});
