import type { WorkflowExecuteMode } from 'n8n-workflow';
import type { FieldLabel } from '../errors/serverMessage';
import type { Context } from '../http';
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
	 * For how many milliseconds after the first try of the run requests are retried at most while the
	 * service has not answered once in this run; if empty, as long as later.
	 */
	giveUpUnansweredAfterMs?: number;
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

/**
 * Returns how long to try to reach the service: somebody waits for the end of a manual run and of a
 * test event.
 */
export const patienceIn = (mode: WorkflowExecuteMode): Partial<RetrySettings> =>
	mode === 'manual' ? { giveUpUnansweredAfterMs: 20_000 } : {};

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
