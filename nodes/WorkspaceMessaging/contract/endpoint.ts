import { z } from 'zod/v4';
import { limits } from './limits';
import { number, wholeNumber } from './values';

/**
 * One call of the API: its address, its request and its response. Declare one with `satisfies
 * Endpoint`, which keeps the types of the schemas.
 */
export interface Endpoint {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** The path after the base URL; `{name}` stands for a path parameter. */
	path: `/api/v1/${string}`;
	/** The path parameters. Errors name each by its words in `pathSubjects`. */
	params?: z.ZodObject;
	/** The query; an endpoint without it takes none. */
	query?: z.ZodObject;
	/** The JSON body; an endpoint without it takes none. */
	body?: z.ZodType;
	/** The body of a success; a success without it is empty. */
	response?: z.ZodType;
	/** The status of a success, if it is neither 200 with a body nor 204 without one. */
	status?: 201 | 202;
	/**
	 * Whether a list comes in pages, in pages that lead to each other by a cursor, or all at once.
	 */
	list?: 'pages' | 'cursor' | 'onePage';
	/**
	 * The keys of a list's records that some services only return on request (difference 7), each
	 * with its name for the query parameter `include`.
	 */
	includes?: Record<string, string>;
	/**
	 * Whether sending a request twice does the same as sending it once: always, never, or with the
	 * bodies of a schema. If empty, GET, PUT and DELETE do, and POST and PATCH do not.
	 */
	idempotent?: boolean | z.ZodType;
	/**
	 * The field of the body by which the service drops a repeated request, according to the
	 * reference.
	 */
	dedupeId?: string;
	/** Whether every service that has it recognizes a repeated request by its `Idempotency-Key`. */
	hasIdempotencyKey?: true;
	/**
	 * Whether it deletes what its path names: after a lost answer, a 404 then means that it is
	 * deleted.
	 */
	isDelete?: true;
	/**
	 * Whether only the contact with exactly the phone number that the user entered will do, and not
	 * one with the other form of a mobile number.
	 */
	needsExactNumber?: true;
	/**
	 * Whether another request of the same item can undo it, so that the next try of n8n's "Retry On
	 * Fail" needs it once more.
	 */
	isUndone?: true;
	/** Whether it only reads although it is no GET, so that a lost answer has changed nothing. */
	isRead?: true;
	/** Whether it sends something to a contact, so that errors say "sent" and not "changed". */
	isMessage?: true;
	/**
	 * Whether no message is better than the same one twice; then it is sent again as what makes
	 * something is.
	 */
	isSentOnce?: boolean;
	/** What to look for in the workspace after a lost answer: "Check the workspace …". */
	verifyHint?: string;
	/**
	 * Set if the reference does not show this endpoint, or only names it (part 4.6), so that services
	 * may lack it. `instead` says what to do on such a service.
	 */
	undocumented?: { instead?: string };
}

const pageNumber = wholeNumber(limits.page.min, limits.page.max);

/**
 * An endpoint that lists records in pages (part 4). Not every list counts its pages.
 *
 * @param query the query parameters besides those of the page
 */
export const pagedList = <Query extends z.ZodRawShape>(
	path: Endpoint['path'],
	record: z.ZodObject,
	query: Query,
) =>
	({
		method: 'GET',
		path,
		query: z.strictObject({
			page: pageNumber.optional(),
			perPage: pageNumber.optional(),
			...query,
		}),
		response: z.object({ data: z.array(record), pageCount: number.optional() }),
		list: 'pages',
	}) satisfies Endpoint;

/** What the path parameters name, as errors say it: "tag with the ID" 12. */
export const pathSubjects: Record<string, string> = {
	identifier: 'contact',
	tagId: 'tag with the ID',
	conversationId: 'conversation with the ID',
	messageId: 'message with the ID',
	templateId: 'template with the ID',
	customFieldId: 'custom field with the ID',
	memberId: 'member with the ID',
	sequenceId: 'sequence with the ID',
	broadcastId: 'broadcast with the ID or name',
	importId: 'import with the ID',
	fileId: 'file with the ID',
	webhookId: 'webhook with the ID',
};
