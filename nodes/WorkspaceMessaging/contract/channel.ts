import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { pageOf, paging, someText } from './values';

/** Channel, also called inbox (part 2.7). Services may have more types and statuses than the reference names. */
export const channel = z.object({
	id: z.string(),
	name: z.string(),
	channel: z.string(),
	status: z.string(),
});

export const listChannels = {
	method: 'GET',
	path: '/api/v1/channels',
	query: z.strictObject({ ...paging, includes: z.array(someText, 'must be a list of names').optional() }),
	response: pageOf(channel),
	list: 'pages',
} satisfies Endpoint;
