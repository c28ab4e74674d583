import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { pagedList, pathValue } from './values';

/** Broadcast as its list returns it (part 2.9). */
export const broadcastListItem = z.object({
	id: z.string(),
	name: z.string(),
	schedulesAt: z.iso.datetime(),
	contactCount: z.number().nullable(),
	flowId: z.string().nullable(),
	status: z.string(),
});

/** One broadcast (part 2.9). */
export const broadcast = broadcastListItem.extend({ schedulesType: z.enum(['now', 'future']) });

export const listBroadcasts = pagedList('/api/v1/broadcasts', broadcastListItem, {});

export const getBroadcast = {
	method: 'GET',
	path: '/api/v1/broadcasts/{broadcastId}',
	params: z.strictObject({ broadcastId: pathValue }),
	response: broadcast,
} satisfies Endpoint;
