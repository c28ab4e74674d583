import type { Endpoint } from '../../contract';
import type { ApiRequest } from '../request';
import { joined, render, textOf } from './render';
import type { ErrorDetails } from './render';

/** A request that failed. Its parts stay apart until `render` shows them; `message` is the complete text. */
export class ApiError extends Error {
	/** @param what the headline, in one sentence */
	constructor(
		readonly what: string,
		readonly details: ErrorDetails,
	) {
		super(textOf(render({ what, details })));
	}
}

/** What an error says about its request. */
export function aboutRequest({ endpoint, subject }: Pick<ApiRequest, 'endpoint' | 'subject'>) {
	const kind = endpoint.method === 'GET' ? 'read' : endpoint.isMessage ? 'message' : 'write';
	return { kind, subject, verifyHint: endpoint.verifyHint } as const;
}

/**
 * Returns the error for something that is not sent, because it is not valid or cannot work.
 *
 * @param endpoint what would have been requested; something that writes when left out
 * @param status what a service answers in such a case
 */
export function rejected(
	what: string,
	advice?: string,
	{ endpoint, status }: { endpoint?: Endpoint; status?: number } = {},
): ApiError {
	const { kind } = endpoint ? aboutRequest({ endpoint }) : { kind: 'write' as const };
	return new ApiError(what, { outcome: 'refused', advice, kind, status });
}

/**
 * Returns the error for a step that failed after another was done.
 *
 * @param done what was done and what was not, in a sentence
 */
export function partiallyDone({ what, details }: ApiError, done: string): ApiError {
	return new ApiError(done, {
		...details,
		cause: joined(what, details.cause),
		// The headline says what was done; whether this step was, only an unknown outcome leaves open.
		kind: details.outcome === 'unknown' ? details.kind : undefined,
		outcome: 'unknown',
		isPartlyDone: true,
	});
}

/**
 * Returns a handler for `catch()` that handles the `ApiError`s its predicate accepts and throws all other errors again.
 */
export function recover<T>(isExpected: (error: ApiError) => boolean, handle: (error: ApiError) => T) {
	return async (error: unknown): Promise<Awaited<T>> => {
		if (!(error instanceof ApiError && isExpected(error))) throw error;
		return await handle(error);
	};
}

/** Whether an error is about the credential, the address or the whole run, so that the item that met it says nothing. */
export const concernsRun = (error: unknown) => error instanceof ApiError && error.details.isAboutRun === true;

/** Whether a request failed because the service does not know what was asked for, or how. */
export function isNotFound(error: unknown): error is ApiError {
	return error instanceof ApiError && error.details.status === 404;
}

/** Whether a request failed because the service does not have the operation, or what it is about. */
export function isUnsupported(error: unknown): error is ApiError {
	return isNotFound(error) || (error instanceof ApiError && error.details.status === 405);
}

/**
 * Whether the service already has what was to be created, or something that only one may have, such as a phone number.
 * Services say it with 409, or with another status and in words.
 */
export function isDuplicate(error: unknown): error is ApiError {
	if (!(error instanceof ApiError)) return false;
	const { status, reason } = error.details;
	if (reason === undefined) return status === 409;
	return ['phoneTaken', 'contactTaken', 'nameTaken'].includes(reason);
}

/** Whether the service does not accept a request as it is, but may accept another. */
export function isRefusal(error: unknown): error is ApiError {
	if (!(error instanceof ApiError) || error.details.reason !== undefined) return false;
	return error.details.status === 400 || error.details.status === 422;
}
