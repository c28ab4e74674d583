import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { paging, pathValue } from './values';

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
	createdAt: z.iso.datetime(),
	updatedAt: z.iso.datetime(),
});

export const getSequence = {
	method: 'GET',
	path: '/api/v1/sequences/{sequenceId}',
	params: z.strictObject({ sequenceId: pathValue }),
	response: sequence,
} satisfies Endpoint;

export const listSequences = {
	method: 'GET',
	path: '/api/v1/sequences',
	query: z.strictObject(paging),
	response: z.object({ data: z.array(sequence), pageCount: z.number().optional() }),
	list: 'pages',
	undocumented: { instead: 'name single sequences by their IDs' },
} satisfies Endpoint;
