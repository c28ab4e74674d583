import { z } from 'zod/v4';
import { pagedList, someText } from './values';

/** Channel, also called inbox (part 2.7). Services may have more types and statuses than the reference names. */
export const channel = z.object({
	id: z.string(),
	name: z.string(),
	channel: z.string(),
	status: z.string(),
});

export const listChannels = pagedList('/api/v1/channels', channel, {
	includes: z.array(someText, 'must be a list of names').optional(),
});
