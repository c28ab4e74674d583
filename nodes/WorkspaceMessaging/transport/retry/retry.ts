import { sleep } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../contract/endpoint';
import { findLoss, findReason } from '../errors/reasons';
import type { Loss } from '../errors/reasons';
import type { FieldLabel } from '../errors/serverMessage';
import { isObject } from '../guards';
import type { Context, HttpResult } from '../http';
import type { ApiRequest, Requester } from '../request';

/** How often and for how long a request is retried. */
export interface RetrySettings {
	/**
	 * How often at most, 0 for never. If empty, `retryDefaults` applies: fewer at an address that has
	 * never answered, which is more likely wrong than down. "Too many requests" uses up none: the
	 * service did nothing then.
	 */
	maxRetries?: number;
	/**
	 * For how many milliseconds after its first try a request is retried. "Too many requests" uses up
	 * none of it while the service accepts other requests.
	 */
	giveUpAfterMs: number;
	/**
	 * Which requests are retried although a service that does not deduplicate could carry them out
	 * twice (difference 10); messages only if empty, because the reference calls their `clientId` an
	 * idempotency identifier (part 4.1). Except with "never", a request that the service recognizes by
	 * its key is retried, too.
	 */
	retryWhenOutcomeUnknown?: 'always' | 'messages' | 'never';
	/**
	 * For how many milliseconds a request waits if the service asks everybody to; if empty, 5 minutes
	 * at least.
	 */
	waitAtMostMs?: number;
	/**
	 * Whether a request waits until a service that has worked before answers again. This uses up no
	 * retries.
	 */
	waitsForService?: boolean;
}

/** What applies if `RetrySettings` leaves it empty. */
export const retryDefaults = {
	maxRetries: 8,
	maxRetriesIfNeverAnswered: 5,
	giveUpAfterMs: 300_000,
};

/** The longest delay before the first retry. */
const FIRST_DELAY_MS = 250;
/** The longest delay before any retry. */
const LONGEST_DELAY_MS = 8000;

/** How long to wait before asking again if the service is still working on the same request. */
export const IN_PROGRESS_MS = 1000;

/** Whether the service says that it still works on an earlier try. */
export const isInProgress = (result: HttpResult) =>
	result.status !== undefined && result.status >= 400 && findReason(result) === 'stillBusy';

/** Finds out whether a service recognizes a request that it gets again by its `Idempotency-Key`. */
export interface RetryRecognition {
	/** Whether it is known to do so; asks nothing. */
	isKnown(client: Pick<Requester, 'service'>): boolean;
	/** Takes note that it has done so. */
	note(client: Pick<Requester, 'service'>): void;
	/** Asks the service, if it has to; false if it does not say. */
	find(client: Requester): Promise<boolean>;
	/** Asks the service, also if it is known. Throws an `ApiError`. */
	askAgain(client: Requester): Promise<unknown>;
}

/** What sends a request, and what is known after its tries so far. */
export interface Tries {
	context: Context;
	request: ApiRequest;
	/** Names the fields that the service complains about. */
	label?: FieldLabel;
	/**
	 * Of the item that it belongs to: if it has written something, stopping would leave it half done.
	 */
	progress: { hasWritten: boolean };
	/** When the first try was sent, by the limiter's clock; its waiting does not count. */
	startedAt?: number;
	retries: number;
	/** How many of the tries may have gone through. */
	lostAnswers: number;
	/** To how many of these the service answered with an error: it keeps no key of such a try. */
	failures: number;
}

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
	{ retryWhenOutcomeUnknown }: RetrySettings,
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
function isIdempotent({ method, idempotent }: Endpoint, body: unknown): boolean {
	if (typeof idempotent === 'object') return idempotent.safeParse(body).success;
	return idempotent ?? ['GET', 'PUT', 'DELETE'].includes(method);
}

/**
 * Returns the delay before a retry in milliseconds. Its upper limit doubles each time, up to 8 s;
 * chance shortens it by up to half, so that requests that failed together don't come back together.
 *
 * @param tries how many retries there were before
 */
export function retryDelayMs(tries: number): number {
	const longest = Math.min(FIRST_DELAY_MS * 2 ** tries, LONGEST_DELAY_MS);
	return longest * (0.5 + Math.random() / 2);
}

/** Waits so many milliseconds, or until the signal says that the execution was cancelled. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	if (signal?.aborted) return;
	let onAbort = () => {};
	const aborted = new Promise<void>((resolve) => {
		onAbort = resolve;
		signal?.addEventListener('abort', onAbort, { once: true });
	});
	await Promise.race([sleep(ms), aborted]);
	signal?.removeEventListener('abort', onAbort);
}

/**
 * Reads how long the service asks to wait, in any of the known forms.
 *
 * @param headers of the answer, with names in lower case
 * @param message what the answer says in words, used if no header says it (difference 24)
 * @param now in milliseconds since 1970
 * @returns milliseconds from now, 0 or more; undefined if the service does not say
 */
export function readRetryAfter(
	headers: IDataObject,
	message = '',
	now = Date.now(),
): number | undefined {
	const value = String(headers['retry-after'] ?? '');
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = Date.parse(value);
	if (!Number.isNaN(date)) return Math.max(0, date - now);
	// "Too many requests. Retry after 7s."
	const words = /\b(?:retry|try again) (?:after|in) (\d{1,9}(?:\.\d{1,3})?) ?s(?:ec(?:ond)?s?)?\b/i;
	const [, seconds] = words.exec(message) ?? [];
	return seconds === undefined ? undefined : Number(seconds) * 1000;
}
