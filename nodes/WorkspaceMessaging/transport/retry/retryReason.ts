import type { HttpResult } from '../http';
import { IN_PROGRESS_MS } from './delays';
import { isInProgress, isRetryable, mayArriveTwice } from './safeToRepeat';
import { retryDefaults } from './settings';
import type { RetryRecognition, RetrySettings, Tries } from './settings';
import type { SharedWorkspace } from '../sharedWorkspaces';

/** Why a request is sent again. */
export type RetryReason =
	/** The service got too many requests. The limiter makes all of them wait. */
	| 'rateLimited'
	/** The service still works on the try before. Its answer can be had when that has ended. */
	| 'inProgress'
	/** The failure may pass. */
	| 'mayPass'
	/**
	 * The failure may pass, but the next try is the last one, or may arrive twice. So during an outage,
	 * it waits for the end.
	 */
	| 'afterOutage';

/** How long a request waits before it is sent again. */
interface Delays {
	/** How long it has to wait at least; see `Attempt`. */
	waitMs: number;
	/** At least that, and longer after each retry. */
	delayMs: number;
}

/** What decides besides the request. */
interface RetryFacts {
	retry: RetrySettings;
	recognition: RetryRecognition;
	workspace: SharedWorkspace;
	/** Whether the service recognizes a request that it gets again by its key. Asks it if it has to. */
	recognizesRetries(): Promise<boolean>;
}

/** Finds why a request is sent again after a failed try; undefined if it is not. */
export async function findRetryReason(
	tries: Tries,
	result: HttpResult,
	{ waitMs, delayMs }: Delays,
	facts: RetryFacts,
): Promise<RetryReason | undefined> {
	const { request, startedAt = 0, retries, lostAnswers } = tries;
	const { retry, workspace } = facts;
	const hasTime = (since: number, ms: number) =>
		performance.now() - since + ms < retry.giveUpAfterMs;
	if (result.status === 429) {
		// As long as the service accepts other requests, this one's turn comes.
		const lastProgressAt = Math.max(startedAt, workspace.limiter.lastAcceptedAt);
		return hasTime(lastProgressAt, waitMs) ? 'rateLimited' : undefined;
	}
	if (isInProgress(result) && hasTime(startedAt, IN_PROGRESS_MS)) return 'inProgress';
	const maxRetries = retry.maxRetries ?? defaultRetries(workspace);
	if (retries >= maxRetries || !hasTime(startedAt, delayMs)) return undefined;
	const isSafe = isRetryable(request, result, retry);
	if (!isSafe && !(await isSafeByKey(tries, result, facts))) return undefined;
	const { endpoint } = request;
	const isRisky = lostAnswers > 0 && mayArriveTwice(endpoint, retry, isRecognized(tries, facts));
	// One copy too many is a risk worth taking. More need a newer service, which drops them.
	if (isRisky && lostAnswers > 1 && !(await dropsCopies(tries, facts))) return undefined;
	const isLast = retries + 1 === maxRetries;
	return isRisky || !isSafe || isLast ? 'afterOutage' : 'mayPass';
}

/**
 * Whether the service is known to recognize a request that it gets again. Services keep no key of
 * one that they answered with an error.
 */
export const isRecognized = (
	{ request, failures }: Tries,
	{ recognition, workspace }: Pick<RetryFacts, 'recognition' | 'workspace'>,
): boolean =>
	failures === 0 && (request.endpoint.hasIdempotencyKey || recognition.isKnown(workspace));

/** An address that has never answered is more likely wrong than down. */
const defaultRetries = ({ hasAnswered }: SharedWorkspace) =>
	hasAnswered ? retryDefaults.maxRetries : retryDefaults.maxRetriesIfNeverAnswered;

/** Whether a request can be sent again only because the service recognizes it. */
async function isSafeByKey(
	{ request }: Tries,
	result: HttpResult,
	{ retry, recognizesRetries }: RetryFacts,
): Promise<boolean> {
	if (request.isLookedFor || request.idempotencyKey === undefined) return false;
	const mayBeSafe = isRetryable(request, result, retry, { isRecognized: true });
	return mayBeSafe && (await recognizesRetries());
}

/** Whether the service drops all further copies of a request that may have gone through. */
async function dropsCopies(
	{ request, failures }: Tries,
	{ recognizesRetries }: RetryFacts,
): Promise<boolean> {
	if (failures > 1) return false;
	return request.endpoint.hasIdempotencyKey || (await recognizesRetries());
}
