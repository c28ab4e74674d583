import type { Credential } from '../credential';
import type { HttpResult } from '../http';
import { LONGEST_ASKED_MS } from '../rateLimit/limiter';
import type { ApiRequest } from '../request';
import type { RetrySettings, Tries } from '../retry/settings';
import { addAdvice, type ApiError } from './ApiError';
import { statusError, tooManyRequestsError } from './requestErrors';
import { failureError } from './connectionErrors';

/** The advice for a message whose outcome is unknown. */
const RETRY_ALWAYS =
	'If your service recognizes clientId, set Retry When Outcome Is Unknown to Always under Request Options.';

/** A request that is not sent again. */
type FailedRequest = Pick<Tries, 'request' | 'label' | 'lostAnswers'>;

/** How it was sent. */
interface Circumstances {
	credential: Pick<Credential, 'baseUrl' | 'token'>;
	retry: RetrySettings;
	/** How long the service asks everybody to wait. */
	askedForMs: number;
	/** Whether the service is known to recognize a retry by its key. */
	recognizesRetries: boolean;
}

/** Returns the error for a request that is not sent again after its last try. */
export function finalError(
	failed: FailedRequest,
	result: HttpResult,
	circumstances: Circumstances,
): ApiError {
	const error = describeFailure(failed, result, circumstances);
	const { details } = error;
	// The node never sends again after an answer that it cannot read, or that reports a failure.
	const isLost = details.outcome === 'unknown' && details.loss !== undefined;
	const isAdvised = isLost && mayRecognizeDedupeId(failed.request, circumstances);
	return isAdvised ? addAdvice(error, RETRY_ALWAYS) : error;
}

/**
 * Whether a service that keeps to the reference would have dropped one retry more, which the user
 * did not ask for. Others recognize retries by their key instead (difference 10).
 */
function mayRecognizeDedupeId(
	{ endpoint }: ApiRequest,
	{ recognizesRetries, retry }: Circumstances,
) {
	if (recognizesRetries || endpoint.isSentOnce || endpoint.dedupeId === undefined) return false;
	return retry.retryWhenOutcomeUnknown !== 'always';
}

function describeFailure(
	{ request, label, lostAnswers }: FailedRequest,
	result: HttpResult,
	{ credential, retry, askedForMs }: Circumstances,
) {
	const mayHaveSucceeded = lostAnswers > 0;
	if (result.status === 429) {
		const atMostMs = Math.min(retry.giveUpAfterMs, LONGEST_ASKED_MS);
		return tooManyRequestsError(request, mayHaveSucceeded, askedForMs, atMostMs);
	}
	const { baseUrl, token } = credential;
	// A service may repeat the token in its error.
	const shown = redactToken(result, token);
	if (shown.status === undefined) return failureError(request, shown, baseUrl, mayHaveSucceeded);
	return statusError(request, shown, mayHaveSucceeded, label);
}

/** Replaces the token in every text of an answer. */
export function redactToken<T extends HttpResult>(answer: T, token: string): T {
	const withoutToken = (_key: string, part: unknown) =>
		typeof part === 'string' ? part.replaceAll(token, '[access token]') : part;
	return token === '' ? answer : JSON.parse(JSON.stringify(answer), withoutToken);
}
