import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { paging } from './values';

/** Flow; the reference names the list without its shape (part 4.6). */
export const flow = z.looseObject({ id: z.string(), name: z.string(), active: z.boolean().optional() });

export const listFlows = {
	method: 'GET',
	path: '/api/v1/flows',
	query: z.strictObject({ ...paging }),
	status: 200,
	response: z.object({ data: z.array(flow), pageCount: z.number().optional() }),
	list: 'pages',
	idempotent: true,
	undocumented: {},
} satisfies Endpoint;
