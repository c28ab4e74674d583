import type { z } from 'zod/v4';

/**
 * One call of the API: its address, its request and its response. Declare one with `satisfies Endpoint`, which keeps the
 * types of the schemas.
 */
export interface Endpoint {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** The path after the base URL; `{name}` stands for a path parameter. */
	path: `/api/v1/${string}`;
	/** The path parameters. */
	params?: z.ZodObject;
	/** The query; an endpoint without it takes none. */
	query?: z.ZodObject;
	/** The JSON body; an endpoint without it takes none. */
	body?: z.ZodType;
	/** The body of a success; a success without it is empty. */
	response?: z.ZodType;
	/** The status of a success, if it is neither 200 with a body nor 204 without one. */
	status?: 201;
	/** Whether a list comes in pages or all at once. */
	list?: 'pages' | 'onePage';
	/**
	 * The keys of a list's records that some services only return on request, each with its name for the query parameter
	 * `include`.
	 */
	includes?: Record<string, string>;
	/**
	 * Whether sending a request twice does the same as sending it once; for some endpoints this depends on the body. Without
	 * it, see `isIdempotent`.
	 */
	idempotent?: boolean | ((body: unknown) => boolean);
	/** Whether the body has an ID by which the service drops a repeated request, according to the reference. */
	hasDedupeId?: (body: unknown) => boolean;
	/** Whether it deletes what its path names: after a lost answer, a 404 then means that it is deleted. */
	isDelete?: true;
	/** Whether it sends something to a contact, so that errors say "sent" and not "changed". */
	isMessage?: true;
	/** What to look for in the workspace after a lost answer: "Check the workspace …". */
	verifyHint?: string;
	/**
	 * Set if the reference does not show this endpoint, or only names it (part 4.6), so that services may lack it; with what
	 * to do on a service that does.
	 */
	undocumented?: { instead?: string };
}

/** Whether an endpoint may be called twice without harm: as it says itself, or else as HTTP says of its method. */
export function isIdempotent({ method, idempotent }: Endpoint, body: unknown): boolean {
	if (typeof idempotent === 'function') return idempotent(body);
	return idempotent ?? ['GET', 'PUT', 'DELETE'].includes(method);
}

/** What the path parameters name, as errors say it: "tag with the ID" 12. */
export const pathSubjects: Record<string, string> = {
	identifier: 'contact',
	tagId: 'tag with the ID',
	customFieldId: 'custom field with the ID',
	memberId: 'member with the ID',
	sequenceId: 'sequence with the ID',
	broadcastId: 'broadcast with the ID or name',
	importId: 'import with the ID',
	fileId: 'file with the ID',
	webhookId: 'webhook with the ID',
};
