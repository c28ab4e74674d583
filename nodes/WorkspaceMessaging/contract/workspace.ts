import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';

/** Workspace; the reference names the call without its shape (part 4.6). */
export const workspace = z.looseObject({ id: z.string(), name: z.string() });

export const getWorkspace = {
	method: 'GET',
	path: '/api/v1/workspaces',
	status: 200,
	response: z.object({ data: z.array(workspace) }),
	list: 'onePage',
	idempotent: true,
	undocumented: {},
} satisfies Endpoint;
