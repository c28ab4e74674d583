import type { z } from 'zod/v4';

/** One call of the API: where it goes, what it may carry, and what comes back. */
export interface Endpoint {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Path behind the base URL; `{name}` stands for a path parameter. */
	path: `/api/v1/${string}`;
	/** What the path parameters must be. */
	params?: z.ZodObject;
	/** What the query may hold; nothing when absent. */
	query?: z.ZodObject;
	/** What the JSON body must be; no body when absent. */
	body?: z.ZodType;
	/** The answer's status when all went well. */
	status: 200 | 201 | 204;
	/** The answer's body; absent where it has none. */
	response?: z.ZodType;
	/** For a list, whether it comes in pages or in one piece. */
	list?: 'pages' | 'onePage';
	/**
	 * What the records of a list hold that some services show only when asked for: the records' keys, each with the name
	 * that `include` calls it by.
	 */
	includes?: Record<string, string>;
	/** Whether sending it twice does the same as sending it once; for some this depends on the body. */
	idempotent: boolean | ((body: unknown) => boolean);
	/** Whether the service recognises it by its body when it comes again, as far as the reference says so. */
	hasDedupeId?: (body: unknown) => boolean;
	/** Whether it removes what its path names, so that finding nothing means that an earlier try has removed it. */
	isDelete?: true;
	/** Whether what it does is to send something, so that errors speak of that. */
	isMessage?: true;
	/** What to look for in the workspace to find out whether it was carried out. */
	verifyHint?: string;
	/** Set where the reference does not show the operation, or only names it (part 4.6): what to do on a service without it. */
	undocumented?: { instead?: string };
}

/** What the parameters of paths name, in words: "tag with the ID" 12. */
export const pathSubjects: Record<string, string> = {
	identifier: 'contact',
	tagId: 'tag with the ID',
	customFieldId: 'custom field with the ID',
	memberId: 'member with the ID',
	sequenceId: 'sequence with the ID',
	broadcastId: 'broadcast with the ID or name',
	importId: 'import with the ID',
	fileId: 'file with the ID',
};
