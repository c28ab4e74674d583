import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { pagedList, pathValue, timestamps } from './values';

/** Sequence (part 2.8). */
export const sequence = z.object({
	id: z.string(),
	name: z.string(),
	active: z.boolean(),
	subscribers: z.number(),
	messages: z.number(),
	openRate: z.number().nullable(),
	ctr: z.number().nullable(),
	folderId: z.string().nullable(),
	workspaceId: z.string(),
	...timestamps,
});

export const getSequence = {
	method: 'GET',
	path: '/api/v1/sequences/{sequenceId}',
	params: z.strictObject({ sequenceId: pathValue }),
	response: sequence,
} satisfies Endpoint;

export const listSequences = {
	...pagedList('/api/v1/sequences', sequence, {}),
	undocumented: { instead: 'name single sequences by their IDs' },
} satisfies Endpoint;
