import type { Endpoint } from '../../contract/endpoint';
import { findReason } from '../errors/reasons';
import { findLoss } from '../errors/loss';
import type { Loss } from '../errors/loss';
import { isObject } from '../guards';
import type { HttpResult } from '../http';
import type { ApiRequest } from '../request';
import type { RetrySettings } from './settings';

/** Whether the service says that it still works on an earlier try. */
export const isInProgress = (result: HttpResult) =>
	result.status !== undefined && result.status >= 400 && findReason(result) === 'stillBusy';

/** Why a request may be sent again although the try before may have had an effect. */
export type RepeatReason =
	/** Twice does the same as once. */
	| 'sameEffect'
	/** The user accepts that it is done twice. */
	| 'userAccepts'
	/** It carries an ID by which services drop a message that they get again. */
	| 'messageId'
	/** The service no longer works on the try before, which has done nothing. */
	| 'nothingDone'
	/** The service recognizes it by its `Idempotency-Key`. */
	| 'keyRecognized';

/** What is known when a request is to be sent again. */
interface RepeatFacts {
	/** Whether the service recognizes it by its `Idempotency-Key`. */
	isRecognized?: boolean;
	/** Whether the caller has looked since the service is back, and the request has done nothing. */
	hasDoneNothing?: boolean;
}

/**
 * Returns why a request may be sent again whose answer got lost; undefined if it must not.
 *
 * @param loss how the answer got lost
 */
export function findRepeatReason(
	{ endpoint, body }: Pick<ApiRequest, 'endpoint' | 'body'>,
	loss: Loss,
	{ retryWhenOutcomeUnknown = 'messages' }: Pick<RetrySettings, 'retryWhenOutcomeUnknown'> = {},
	{ isRecognized = false, hasDoneNothing = false }: RepeatFacts = {},
): RepeatReason | undefined {
	if (isIdempotent(endpoint, body)) return 'sameEffect';
	// It may be done twice from here on, so the user decides.
	if (retryWhenOutcomeUnknown === 'always') return 'userAccepts';
	if (retryWhenOutcomeUnknown === 'never') return undefined;
	if (endpoint.hasIdempotencyKey || hasDedupeId(endpoint, body)) return 'messageId';
	if (hasDoneNothing && loss === 'serviceDown') return 'nothingDone';
	// Services keep no key of a request that has failed, whatever it had done by then.
	const isKept = loss === 'noAnswer' || (hasDoneNothing && loss === 'proxyTimeout');
	return isKept && isRecognized ? 'keyRecognized' : undefined;
}

/** Whether a retry after this result can do nothing twice. */
export function isRetryable(
	request: ApiRequest,
	result: HttpResult,
	settings?: Pick<RetrySettings, 'retryWhenOutcomeUnknown'>,
	facts?: RepeatFacts,
): boolean {
	if (result.status === undefined) {
		// The next try would fail in the same way.
		if (!result.isTransient) return false;
		// The service has not seen it.
		if (result.kind === 'notSent') return true;
	}
	const loss = findLoss(result);
	// The service has decided.
	if (!loss) return false;
	return findRepeatReason(request, loss, settings, facts) !== undefined;
}

/**
 * Whether a message that may have arrived could arrive once more (difference 10). With "Always" the
 * user decides.
 *
 * @param isRecognized whether the service is known to recognize a retry by its key
 */
export function mayArriveTwice(
	{ isMessage }: Endpoint,
	{ retryWhenOutcomeUnknown }: Pick<RetrySettings, 'retryWhenOutcomeUnknown'>,
	isRecognized: boolean,
): boolean {
	if (!isMessage || isRecognized) return false;
	return retryWhenOutcomeUnknown !== 'always';
}

/** Whether a body has the ID by which the service drops a message that it gets again. */
export function hasDedupeId({ dedupeId }: Endpoint, body: unknown): boolean {
	return dedupeId !== undefined && isObject(body) && body[dedupeId] !== undefined;
}

/**
 * Whether a request may be sent twice without harm: as the endpoint says, or else as HTTP says of
 * its method.
 */
export function isIdempotent({ method, idempotent }: Endpoint, body: unknown): boolean {
	if (typeof idempotent === 'object') return idempotent.safeParse(body).success;
	return idempotent ?? ['GET', 'PUT', 'DELETE'].includes(method);
}
