import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { anyText, paging } from './values';

/** Channel, also called inbox (part 2.7); its platform and status are open lists. */
export const channel = z.object({
	id: z.string(),
	name: z.string(),
	channel: z.string(),
	status: z.string(),
});

export const listChannels = {
	method: 'GET',
	path: '/api/v1/channels',
	query: z.strictObject({
		...paging,
		includes: z.array(anyText.min(1, 'must not be empty'), 'must be a list of names').optional(),
	}),
	status: 200,
	response: z.object({ data: z.array(channel), pageCount: z.number() }),
	list: 'pages',
	idempotent: true,
} satisfies Endpoint;
