import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';

/** Workspace; the reference names the call without its shape (part 4.6). */
export const workspace = z.looseObject({ id: z.string(), name: z.string() });

/** What a token may do, and in which workspace; some services have this in place of the workspace itself. */
export const getToken: Endpoint = {
	method: 'GET',
	path: '/api/v1/token',
	status: 200,
	response: z.looseObject({ workspaceId: z.string() }),
	idempotent: true,
	undocumented: {},
};

export const getWorkspace: Endpoint = {
	method: 'GET',
	path: '/api/v1/workspaces',
	status: 200,
	response: z.object({ data: z.array(workspace) }),
	list: 'onePage',
	idempotent: true,
	undocumented: {},
};
