import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { paging } from './values';

/** AI agent; the reference names the list without its shape (part 4.6). */
export const aiAgent = z.looseObject({ id: z.string(), name: z.string() });

export const listAiAgents = {
	method: 'GET',
	path: '/api/v1/ai-agents',
	query: z.strictObject({ ...paging }),
	status: 200,
	response: z.object({ data: z.array(aiAgent), pageCount: z.number().optional() }),
	list: 'pages',
	idempotent: true,
	undocumented: {},
} satisfies Endpoint;
