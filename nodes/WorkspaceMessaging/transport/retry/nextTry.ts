import type { Endpoint } from '../../contract/endpoint';
import { findLoss, type Loss } from '../errors/loss';
import { findReason } from '../errors/reasons';
import type { HttpResult } from '../http';
import type { ApiRequest, Requester } from '../request';
import type { RetryRecognition, RetrySettings, Tries } from './settings';

/* Is a request sent again after a failed try? `docs/ops.md` has the same table in words. */

/** How a try failed. */
type Failure =
	/** The service has decided, or the next try would fail in the same way. */
	| 'final'
	/** The service got too many requests, and did nothing. */
	| 'tooMany'
	/** The service still works on an earlier try. */
	| 'busy'
	/** It never reached the service. */
	| 'notSent'
	| Loss;

/** What a request does. */
type Effect =
	/** It reads, or sets a state. */
	| 'state'
	/** It sends something to a contact. */
	| 'message'
	/** It makes something, each time. */
	| 'makes'
	/** It makes something, and its caller looks for that afterwards. */
	| 'lookedFor'
	/** Its caller has looked after the service was back: it has made nothing. */
	| 'notThere';

/** How many of its tries may have gone through; undefined for more. */
const losses = ['noneLost', 'oneLost'] as const;

/**
 * The service recognizes the key of the request. It forgets a key that it has answered with an error:
 * none of the tries, or one; undefined for more.
 */
const keys = ['kept', 'oneFreed'] as const;

/** What decides whether a request is sent again, with what the user chose. */
type Fact =
	| Failure
	| Effect
	| (typeof losses)[number]
	| (typeof keys)[number]
	| 'noRetries'
	| RetrySettings['retryWhenOutcomeUnknown'];

/** What follows after a failed try. */
type NextTry =
	/** It is sent again when the limiter lets it. */
	| 'inTurn'
	/** It is sent again when the service has ended the try before. */
	| 'whenDone'
	/** It is sent again after a pause. */
	| 'again'
	/** It is sent again, in an outage when that is over. */
	| 'afterOutage'
	| 'stop';

/** The first row whose facts all apply decides. */
const table: Array<[facts: Fact[], next: NextTry]> = [
	// The next answer would be the same.
	[['final'], 'stop'],
	// Nothing was done, and the limiter makes all requests wait.
	[['tooMany'], 'inTurn'],
	// The answer can be had then.
	[['busy'], 'whenDone'],
	[['noRetries'], 'stop'],
	// Twice does the same as once.
	[['state'], 'again'],
	// The user accepts that it is done twice.
	[['always'], 'again'],
	// Nothing was done.
	[['notSent', 'noneLost'], 'again'],
	// This try did nothing, and earlier ones were repeated only because the service recognizes them.
	[['notSent', 'never'], 'again'],
	// It may be done twice, which the user does not accept.
	[['never'], 'stop'],
	// The service drops every copy.
	[['message', 'kept'], 'again'],
	// One copy too many is a risk worth taking.
	[['message', 'oneLost'], 'afterOutage'],
	// The service drops the copy, unless only the try with the error has gone through.
	[['message', 'oneFreed'], 'afterOutage'],
	// It might come a third time.
	[['message'], 'stop'],
	// This try has done nothing, and those before it can be repeated.
	[['notSent'], 'again'],
	// The service answers what became of the first try.
	[['makes', 'noAnswer', 'kept'], 'afterOutage'],
	// The service no longer works on it.
	[['notThere', 'serviceDown'], 'afterOutage'],
	// The service may still work on it, and answers what becomes of it.
	[['notThere', 'noAnswer', 'kept'], 'afterOutage'],
	[['notThere', 'proxyTimeout', 'kept'], 'afterOutage'],
	// It may be made twice, or its caller looks for it first.
	[[], 'stop'],
];

const lookUp = (facts: Fact[]): NextTry =>
	table.find(([row]) => row.every((fact) => facts.includes(fact)))![1];

/**
 * Looks up what follows. Asks the service whether it recognizes retries only if that decides.
 *
 * @param ifRecognizes the fact that applies if the service recognizes retries
 * @param client asks the service
 */
export async function lookUpNextTry(
	facts: Fact[],
	ifRecognizes: Fact,
	recognition: RetryRecognition,
	client: Requester,
): Promise<NextTry> {
	const ifRecognized = lookUp([...facts, ifRecognizes]);
	if (recognition.isKnown(client)) return ifRecognized;
	const next = lookUp(facts);
	if (next !== 'stop' || ifRecognized === 'stop') return next;
	return (await recognition.find(client)) ? 'afterOutage' : 'stop';
}

/**
 * Returns what follows after a failed try; its caller looks at the time.
 *
 * @param maxRetries how often a request is sent again at most, except in turn and when done
 * @param client asks the service whether it recognizes retries
 */
export async function findNextTry(
	{ request, retries, lostAnswers, failures }: Tries,
	result: HttpResult,
	maxRetries: number,
	{ retry, recognition }: { retry: RetrySettings; recognition: RetryRecognition },
	client: Requester,
): Promise<NextTry> {
	const { endpoint, idempotencyKey } = request;
	const facts: Fact[] = [
		findFailure(result),
		retries < maxRetries ? undefined : 'noRetries',
		findEffect(request),
		retry.retryWhenOutcomeUnknown,
		losses[lostAnswers],
	];
	const key = idempotencyKey === undefined ? undefined : keys[failures];
	if (endpoint.hasIdempotencyKey) facts.push(key);
	const next = await lookUpNextTry(facts, key, recognition, client);
	// The last retry must not be used up in an outage.
	return next === 'again' && retries + 1 === maxRetries ? 'afterOutage' : next;
}

/** Whether n8n's "Retry On Fail" may send a request again that all its tries have left unknown. */
export const mayFollowTries = (
	request: ApiRequest,
	{ retryWhenOutcomeUnknown }: RetrySettings,
): boolean => lookUp([findEffect(request), retryWhenOutcomeUnknown]) !== 'stop';

/** Whether the service says that it still works on an earlier try. */
export const isInProgress = (result: HttpResult) =>
	result.status !== undefined && result.status >= 400 && findReason(result) === 'stillBusy';

function findFailure(result: HttpResult): Failure {
	if (result.status === 429) return 'tooMany';
	if (isInProgress(result)) return 'busy';
	if (result.status === undefined) {
		if (!result.isTransient) return 'final';
		if (result.kind === 'notSent') return 'notSent';
	}
	return findLoss(result) ?? 'final';
}

function findEffect({ endpoint, body, isLookedFor }: ApiRequest): Effect {
	if (isIdempotent(endpoint, body)) return 'state';
	if (endpoint.isMessage && !endpoint.isSentOnce) return 'message';
	return isLookedFor ? 'lookedFor' : 'makes';
}

/** As the endpoint says, or else as HTTP says of its method. */
function isIdempotent({ method, idempotent }: Endpoint, body: unknown): boolean {
	if (typeof idempotent === 'object') return idempotent.safeParse(body).success;
	return idempotent ?? ['GET', 'PUT', 'DELETE'].includes(method);
}
