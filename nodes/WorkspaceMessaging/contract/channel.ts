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

/**
 * The channels with the IDs that messages and contacts take. Services that have this list, which the reference does not name,
 * give other IDs of their channels in the documented one: those of the platforms.
 */
export const listInboxes: Endpoint = {
	method: 'GET',
	path: '/api/v1/inboxes',
	query: z.strictObject({ ...paging }),
	status: 200,
	response: z.object({ data: z.array(channel), pageCount: z.number() }),
	list: 'pages',
	idempotent: true,
	undocumented: {},
};

export const listChannels: Endpoint = {
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
};
