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
	/** For a list, how its end is known: by `pageCount`, by a page that brings nothing new, or it is one page only. */
	list?: 'pageCount' | 'untilEmpty' | 'onePage';
	/** Whether sending it twice does the same as sending it once; for some this depends on the body. */
	repeatable: boolean | ((body: unknown) => boolean);
	/** Whether it removes what its path names, so that finding nothing means that an earlier try has removed it. */
	deletes?: true;
	/** The operation by which a user can find out whether it was carried out. */
	check?: string;
	/** Set where the reference names the operation without its shape (part 4.6): what to do on a service without it. */
	undocumented?: { instead?: string };
}
