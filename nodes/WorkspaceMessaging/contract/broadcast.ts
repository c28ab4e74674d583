import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { scheduleTypes } from './limits';
import { paging, pathValue } from './values';

/** Broadcast as the list shows it (part 2.9). */
export const broadcastListItem = z.object({
	id: z.string(),
	name: z.string(),
	schedulesAt: z.iso.datetime(),
	contactCount: z.number().nullable(),
	flowId: z.string().nullable(),
	status: z.string(),
});

/** One broadcast (part 2.9). */
export const broadcast = broadcastListItem.extend({ schedulesType: z.enum(scheduleTypes) });

export const listBroadcasts = {
	method: 'GET',
	path: '/api/v1/broadcasts',
	query: z.strictObject({ ...paging }),
	status: 200,
	response: z.object({ data: z.array(broadcastListItem) }),
	list: 'pages',
	idempotent: true,
} satisfies Endpoint;

export const getBroadcast = {
	method: 'GET',
	path: '/api/v1/broadcasts/{broadcastId}',
	params: z.strictObject({ broadcastId: pathValue }),
	status: 200,
	response: broadcast,
	idempotent: true,
} satisfies Endpoint;
