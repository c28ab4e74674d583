import type { Endpoint } from '../contract/endpoint';
import type { Credential } from './credential';
import { isAnswer, refusedError, stoppedError } from './errors/ApiError';
import { finalError } from './errors/finalError';
import { tooManyRequestsError } from './errors/requestErrors';
import { findLoss, mayHaveHadEffect } from './errors/loss';
import { findIntermediary } from './errors/intermediary';
import { isSuccess } from './errors/reasons';
import { readServerMessage, type FieldLabel } from './errors/serverMessage';
import { holdsN8nFile } from './guards';
import { exchange, type Context, type HttpResponse, type HttpResult, type Transport } from './http';
import { LONGEST_ASKED_MS, PAUSED_TOO_LONG } from './rateLimit/limiter';
import { apiRequest, type ApiRequest, type Requester, type RequestParts } from './request';
import { IN_PROGRESS_MS, pause, readRetryAfter, retryDelayMs } from './retry/delays';
import { findNextTry, isInProgress } from './retry/nextTry';
import {
	retryDefaults,
	type RetryRecognition,
	type RetrySettings,
	type Tries,
} from './retry/settings';
import { Recovery } from './retry/recovery';
import type { SharedWorkspace } from './sharedWorkspaces';

/** How long the answer may take that shows that the service is back. */
const QUESTION_TIMEOUT_MS = 10_000;

const STOPPED = new Error('The run was stopped');

/** How requests are sent. */
export interface SenderSettings {
	/** n8n's own settings for requests. */
	transport: Transport;
	retry: RetrySettings;
	/** What knows whether the service recognizes retries. */
	recognition: RetryRecognition;
	/** Ends all waiting when the execution is cancelled. */
	signal?: AbortSignal;
	/** What the run has seen of the service, if others send its requests, too. */
	seen?: SeenService;
}

/** What a run has seen of the service. */
interface SeenService {
	/** When the first request was sent, by the limiter's clock. */
	firstTryAt?: number;
	/** Whether the service itself has answered. */
	hasAnswered?: boolean;
}

/** Sends the requests of a run: each in its turn, and again if that is safe. */
export class RequestSender {
	/**
	 * What has slowed the run down; shown to the user at its end. `waitedMs`: for how long in all the
	 * rate limit stopped all requests of the run.
	 */
	readonly stats = { retries: 0, tooManyRequests: 0, waitedMs: 0, maybeTwice: 0 };

	/** For how many milliseconds in all requests have waited for a service that did not answer. */
	get outageMs(): number {
		return this.recovery?.outageMs ?? 0;
	}

	private isStopped = false;

	/** How many requests wait for their turn. */
	private waiting = 0;

	/** How many requests have failed and wait for their retry. */
	private repeating = 0;

	/** Waits for the service after an outage, if the requests have the time. */
	protected readonly recovery?: Recovery;

	protected readonly seen: SeenService;

	constructor(
		protected readonly credential: Credential,
		protected readonly workspace: SharedWorkspace,
		protected readonly settings: SenderSettings,
	) {
		const { signal, retry, seen = {} } = settings;
		this.seen = seen;
		signal?.addEventListener('abort', this.cancelAll, { once: true });
		if (!retry.waitsForService) return;
		this.recovery = new Recovery((context) => this.isServiceAnswering(context), signal);
	}

	/**
	 * Returns what sends the requests of one item, or of one look-up.
	 *
	 * @param label names the fields that the service complains about
	 * @param makeKey makes the text by which the service recognizes that it gets the same request
	 * again
	 */
	createRequester(
		context: Context,
		label?: FieldLabel,
		makeKey?: (request: ApiRequest) => string,
	): Requester {
		const progress = { hasWritten: false };
		return {
			service: this.workspace.service,
			request: async (endpoint: Endpoint, parts?: RequestParts) => {
				// Fields have been checked, but not every value comes from a field.
				if (holdsN8nFile([parts?.params, parts?.query, parts?.body]))
					throw refusedError("A field can't hold binary data.");
				const request = apiRequest(endpoint, parts);
				if (endpoint.method !== 'GET') request.idempotencyKey = makeKey?.(request);
				return await this.send({
					context,
					request,
					label,
					progress,
					retries: 0,
					lostAnswers: 0,
					failures: 0,
				});
			},
		};
	}

	/**
	 * What the requests of the run are doing, and for how long the service has asked everybody to
	 * wait.
	 */
	get activity() {
		const { waiting, repeating } = this;
		return { waiting, repeating, pausedForMs: this.workspace.limiter.pausedForMs };
	}

	/** Gives up all items that have written nothing; the others finish. */
	stop() {
		this.isStopped = true;
		this.workspace.limiter.cancel(this.stats, STOPPED, 'unwritten');
		this.recovery?.stop();
	}

	/** Lets go of the execution when its run of the node has ended. */
	close() {
		this.settings.signal?.removeEventListener('abort', this.cancelAll);
	}

	/** Returns a sender for the same run, to which an answer comes in so many milliseconds at most. */
	protected createSender(ms: number, settings: Pick<SenderSettings, 'retry' | 'signal'>) {
		const { transport } = this.settings;
		const timeout = Math.min(transport.timeout ?? Infinity, ms);
		return new RequestSender(this.credential, this.workspace, {
			...this.settings,
			...settings,
			transport: { ...transport, timeout },
			seen: this.seen,
		});
	}

	/** For how many milliseconds after its first try a request is retried. */
	protected patienceMs(startedAt: number): number {
		const { giveUpAfterMs, giveUpUnansweredAfterMs = Infinity } = this.settings.retry;
		const { firstTryAt = startedAt, hasAnswered } = this.seen;
		if (hasAnswered) return giveUpAfterMs;
		return Math.min(giveUpAfterMs, firstTryAt + giveUpUnansweredAfterMs - startedAt);
	}

	/** How often requests are retried: an address that has never answered is more likely wrong than down. */
	private get maxRetries(): number {
		const { maxRetries, maxRetriesIfNeverAnswered } = retryDefaults;
		const usual = this.workspace.hasAnswered ? maxRetries : maxRetriesIfNeverAnswered;
		return this.settings.retry.maxRetries ?? usual;
	}

	private readonly cancelAll = () => this.workspace.limiter.cancel(this.stats, STOPPED, 'all');

	/**
	 * Sends a request until it gets an answer or must not be retried, and returns the body of the
	 * answer.
	 */
	private async send(tries: Tries) {
		const { request } = tries;
		for (;;) {
			const { result, waitMs } = await this.attempt(tries);
			if (result.status !== undefined && isSuccess(request, result)) {
				this.noteSuccess(tries);
				return result.body;
			}
			// If a retry of a deletion finds nothing, an earlier try has deleted it.
			if (result.status === 404 && tries.lostAnswers > 0 && request.endpoint.isDelete)
				return undefined;
			this.noteFailure(tries, result);
			this.repeating++;
			const isReady = await this.waitForRetry(tries, result, waitMs).finally(
				() => this.repeating--,
			);
			if (!isReady) throw this.createError(tries, result);
		}
	}

	/**
	 * Makes one try: waits for its turn, sends, and reports to the limiter how it ended. Returns that,
	 * and how long to wait before the next one at least: the limiter's pause after a 429, what the
	 * service asks for with a 503, or else 0.
	 */
	private async attempt(tries: Tries) {
		const { context, request, progress } = tries;
		const permit = await this.waitForTurn(tries);
		tries.startedAt ??= permit.startedAt;
		this.seen.firstTryAt ??= permit.startedAt;
		progress.hasWritten ||= request.endpoint.method !== 'GET';
		const result = await exchange(context, request, this.credential, this.settings.transport);
		if (result.status === undefined) {
			permit.failed();
			return { result, waitMs: 0 };
		}
		this.noteAnswer(result, permit.startedAt);
		const askedMs = readRetryAfter(result.headers, readServerMessage(result));
		if (result.status === 429) return { result, waitMs: permit.refused(askedMs) };
		permit.accepted();
		// Then only this request waits. With other answers, services state no time.
		const waitMs = result.status === 503 ? (askedMs ?? 0) : 0;
		return { result, waitMs };
	}

	/** Waits until the rate limit lets a request leave. */
	private async waitForTurn(tries: Tries) {
		const { request, progress, startedAt, lostAnswers } = tries;
		const { hasWritten } = progress;
		const { retry, signal } = this.settings;
		const { limiter } = this.workspace;
		const mayHaveSucceeded = lostAnswers > 0;
		if (signal?.aborted || (this.isStopped && !hasWritten))
			throw stoppedError(request, mayHaveSucceeded);
		const { waitAtMostMs = Math.max(retry.giveUpAfterMs, retryDefaults.giveUpAfterMs) } = retry;
		const isRetry = startedAt !== undefined;
		const waitedBefore = this.stats.waitedMs;
		this.waiting++;
		const permit = await limiter
			.acquire(this.stats, { hasWritten, isRetry, maxPauseMs: waitAtMostMs })
			.catch((reason: Error) => {
				if (reason !== PAUSED_TOO_LONG) throw stoppedError(request, mayHaveSucceeded);
				const atMostMs = Math.min(waitAtMostMs, LONGEST_ASKED_MS);
				throw tooManyRequestsError(request, mayHaveSucceeded, limiter.askedForMs, atMostMs);
			})
			.finally(() => this.waiting--);
		// Requests that wait side by side wait through the same time, which counts once.
		this.stats.waitedMs = Math.max(this.stats.waitedMs, waitedBefore + permit.waitedMs);
		return permit;
	}

	/** Notes what an answer shows about the service. */
	private noteAnswer(answer: HttpResponse, sentAt: number) {
		const { workspace } = this;
		workspace.hasAnswered = true;
		if ('idempotent-replayed' in answer.headers || isInProgress(answer))
			this.settings.recognition.note(workspace);
		// Such an answer may be a proxy's.
		if (mayHaveHadEffect(answer) || findIntermediary(answer)) return;
		workspace.hasWorked = true;
		this.seen.hasAnswered = true;
		this.recovery?.answered(sentAt);
	}

	/** Notes that a message arrived whose earlier tries may have arrived as well. */
	private noteSuccess({ request: { endpoint }, lostAnswers, failures }: Tries) {
		if (!endpoint.isMessage || lostAnswers === 0) return;
		const { recognition } = this.settings;
		const hasKey = endpoint.hasIdempotencyKey || recognition.isKnown(this.workspace);
		// Services keep no key of a try that they have answered with an error.
		if (!hasKey || failures > 0) this.stats.maybeTwice++;
	}

	/** Notes what a failed try means for the next ones. */
	private noteFailure(tries: Tries, result: HttpResult) {
		if (result.status === 429) {
			// The service did nothing then, whatever it says.
			this.stats.tooManyRequests++;
			return;
		}
		if (isInProgress(result) || mayHaveHadEffect(result)) tries.lostAnswers++;
		if (findLoss(result) === 'failure') tries.failures++;
	}

	/** Waits until a request can be sent again. Returns false if it must not, or has no time left. */
	private async waitForRetry(tries: Tries, result: HttpResult, waitMs: number) {
		const { settings, maxRetries } = this;
		const { context, startedAt = 0 } = tries;
		const client = this.createRequester(context);
		const next = await findNextTry(tries, result, maxRetries, settings, client);
		if (next === 'stop') return false;
		const delayMs = Math.max(retryDelayMs(tries.retries), waitMs);
		const pauses = {
			inTurn: waitMs,
			whenDone: IN_PROGRESS_MS,
			again: delayMs,
			afterOutage: delayMs,
		};
		const pauseMs = pauses[next];
		// As long as the service accepts other requests, the turn of this one comes.
		const { lastAcceptedAt } = this.workspace.limiter;
		const since = next === 'inTurn' ? Math.max(startedAt, lastAcceptedAt) : startedAt;
		if (performance.now() - since + pauseMs >= this.patienceMs(startedAt)) return false;
		if (next === 'inTurn') return true;
		if (next !== 'whenDone') {
			this.stats.retries++;
			tries.retries++;
		}
		if (next === 'afterOutage') return await this.waitForService(tries, delayMs);
		await pause(pauseMs, settings.signal);
		return true;
	}

	/**
	 * Waits before a retry that is the last one or may arrive twice: in an outage, until the service
	 * answers again. Returns false if it does not in time.
	 */
	private async waitForService(tries: Tries, delayMs: number) {
		const { context, progress, startedAt = 0 } = tries;
		const delay = pause(delayMs, this.settings.signal);
		if (!this.recovery || !this.workspace.hasWorked) {
			await delay;
			return true;
		}
		const giveUpAt = startedAt + this.patienceMs(startedAt);
		const recovery = this.recovery.wait(context, giveUpAt, progress.hasWritten);
		const [recovered] = await Promise.all([recovery, delay]);
		// What failed because of an outage has all its retries left.
		if (recovered === 'back') tries.retries = 0;
		return recovered !== 'late';
	}

	/** Whether the service answers. Asks what may be asked next: whether it recognizes retries. */
	private async isServiceAnswering(context: Context) {
		const sender = this.createSender(QUESTION_TIMEOUT_MS, {
			retry: { maxRetries: 0, giveUpAfterMs: 0, waitAtMostMs: QUESTION_TIMEOUT_MS },
		});
		return await this.settings.recognition
			.askAgain(sender.createRequester(context))
			.then(() => true, isAnswer)
			.finally(() => sender.close());
	}

	private createError(tries: Tries, result: HttpResult) {
		const { retry, recognition } = this.settings;
		return finalError(tries, result, {
			credential: this.credential,
			retry,
			askedForMs: this.workspace.limiter.askedForMs,
			recognizesRetries: recognition.isKnown(this.workspace),
		});
	}
}
