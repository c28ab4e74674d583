import { os } from '@orpc/server';
import { z } from 'zod/v4';
import type { FileStorage } from '../files/storage';
import { notFound } from '../http/problems';
import type { ServiceName } from '../services/names';
import type { Workspace } from '../workspace';

/** A request that belongs to no workspace: without a valid token, or to the other origin. */
export interface UnknownRequest {
	at: number;
	listener: 'api' | 'other';
	method: string;
	path: string;
	/** How the Authorization header came. */
	authorization: 'none' | 'bearer' | 'other';
	/** Names of all headers. */
	headers: string[];
	status: number;
}

/** All that one process serves. */
export interface Sandboxes {
	/** Workspaces by bearer token. */
	workspaces: Map<string, Workspace>;
	/** Requests that belong to none of them, oldest first. */
	unknownRequests: UnknownRequest[];
	/** Where files are put, and where clients get them. */
	storage: FileStorage;
	/** The default kind of a workspace, and the service that answers unknown tokens. */
	service: ServiceName;
}

const base = os.$context<Sandboxes>();
/** The length at which a token differs from any other text of a request. */
const token = z.string().min(8);
/** The path of a workspace, by its token. */
export const ofWorkspace = z.strictObject({ token });

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';

/** A call of `/_sandbox`. */
export const route = (method: Method, path: `/${string}`) =>
	base.route({ method, path: `/_sandbox${path}`, inputStructure: 'detailed' });

/** A call about one workspace. */
export const about = (method: Method, path: `/${string}` | '' = '') =>
	route(method, `/workspaces/{token}${path}`);

/** Returns the workspace with a token, or throws a 404. */
export function workspaceOf({ workspaces }: Sandboxes, name: string): Workspace {
	const workspace = workspaces.get(name);
	if (!workspace) throw notFound('Workspace');
	return workspace;
}
