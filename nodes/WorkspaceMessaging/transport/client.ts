import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Endpoint } from '../contract/endpoint';
import { readCredential } from './credential';
import type { Credential } from './credential';
import { ApiError, rejected, sentence, stoppedError } from './errors/ApiError';
import { failureError, statusError, tooManyRequestsError } from './errors/requestErrors';
import { mayHaveWorked } from './errors/reasons';
import { readServerMessage } from './errors/serverMessage';
import type { FieldLabel } from './errors/serverMessage';
import { holdsN8nFile } from './guards';
import { download, upload } from './files';
import type { ExpectedFile, Upload } from './files';
import { isSuccess, redact, sendOnce, withCancelSignal } from './http';
import type { Context, HttpFailure, HttpResponse, Transport } from './http';
import { PAUSED_TOO_LONG } from './rateLimit/limiter';
import { apiRequest } from './request';
import type { ApiRequest, Requester, RequestParts } from './request';
import {
	isInProgress,
	isRetryable,
	pause,
	readRetryAfter,
	retryDefaults,
	retryDelayMs,
} from './retry';
import type { RetrySettings } from './retry';
import { Recovery } from './recovery';
import { askServiceAge, readServiceAge } from './serviceAge';
import { getWorkspace } from './workspace';
import type { Workspace } from './workspace';

/** How the requests of a run are sent. */
export interface ClientSettings {
	retry?: RetrySettings;
	/** n8n's own settings for requests. */
	transport?: Transport;
	/** Ends all waiting when the execution is cancelled. */
	signal?: AbortSignal;
	/** The credential, if n8n has decrypted it before. */
	credential?: ICredentialDataDecryptedObject;
}

/** How long to wait before asking again if the service is still working on the same request. */
const IN_PROGRESS_MS = 1000;

/** How long the answer may take that shows that the service is back. */
const QUESTION_TIMEOUT_MS = 10_000;

const STOPPED = new Error('The run was stopped');

/** What sends a request, and what is known after its tries so far. */
interface Tries {
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
}

/**
 * A connection to one workspace, for one run or one poll: it goes on with the credential that it
 * was opened with.
 */
export class ApiClient {
	/**
	 * What has slowed the run down; shown to the user at its end. `waitedMs`: for how long in all the
	 * rate limit stopped all requests of the run.
	 */
	readonly stats = { retries: 0, tooManyRequests: 0, waitedMs: 0 };

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
	private readonly recovery?: Recovery;

	private constructor(
		private readonly credential: Credential,
		private readonly workspace: Workspace,
		private readonly settings: { transport: Transport; retry: RetrySettings; signal?: AbortSignal },
	) {
		settings.signal?.addEventListener('abort', this.cancelAll, { once: true });
		if (settings.retry.waitsForService)
			this.recovery = new Recovery(
				async (context) => await this.isServiceAnswering(context),
				settings.signal,
			);
	}

	/**
	 * Connects to the workspace of the node's credential. Throws an `ApiError` if it is missing or
	 * not valid.
	 */
	static async open(context: Context, settings: ClientSettings = {}): Promise<ApiClient> {
		const { retry = { giveUpAfterMs: retryDefaults.giveUpAfterMs }, signal } = settings;
		const credential = await readCredential(context, settings.credential).catch(
			({ message }: Error) => {
				throw new ApiError(sentence(message), { outcome: 'notSent', isAboutRun: true });
			},
		);
		const { baseUrl, token, requestsPerMinute, allowedDomains } = credential;
		const transport = { ...settings.transport, allowedDomains };
		const workspace = getWorkspace(baseUrl, token, requestsPerMinute);
		return new ApiClient(credential, workspace, { transport, retry, signal });
	}

	/** The address that paths are appended to. */
	get baseUrl(): string {
		return this.credential.baseUrl;
	}

	/**
	 * Returns what sends the requests of one item, or of one look-up.
	 *
	 * @param label names the fields that the service complains about
	 * @param makeKey makes the text by which the service recognizes that it gets the same request
	 * again
	 */
	requester(
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
					throw rejected("A field can't hold binary data.");
				const request = apiRequest(endpoint, parts);
				if (endpoint.method !== 'GET') request.idempotencyKey = makeKey?.(request);
				return await this.send({ context, request, label, progress, retries: 0, lostAnswers: 0 });
			},
		};
	}

	/**
	 * Returns what sends requests for so many milliseconds in all. Then those without an answer fail,
	 * with the status 429 if the rate limit made them wait.
	 */
	briefRequester(context: Context, ms: number, maxRetries: number): Requester {
		const signal = AbortSignal.timeout(ms);
		const client = new ApiClient(this.credential, this.workspace, {
			transport: { ...this.settings.transport, timeout: ms },
			retry: { maxRetries, giveUpAfterMs: ms, waitAtMostMs: ms },
			signal,
		});
		const { service, request } = client.requester(withCancelSignal(context, signal));
		const explain = (endpoint: Endpoint, parts?: RequestParts) => (error: unknown) => {
			if (!signal.aborted) throw error;
			const { pausedForMs } = client.activity;
			if (client.stats.waitedMs > 0 || pausedForMs > 0)
				throw tooManyRequestsError(apiRequest(endpoint, parts), false, pausedForMs);
			const what = `The service took longer than ${Math.round(ms / 1000)} seconds.`;
			throw new ApiError(what, { outcome: 'refused' });
		};
		return {
			service,
			request: async (endpoint, parts) =>
				await request(endpoint, parts).catch(explain(endpoint, parts)),
		};
	}

	/** Sends a file where the service wants it; see `upload`. */
	async upload(context: Context, file: Upload): Promise<void> {
		await upload(context, file, { baseUrl: this.baseUrl, ...this.settings });
	}

	/** Downloads a file from an address that the service returned; see `download`. */
	async download(context: Context, address: string, expected: ExpectedFile, signal: AbortSignal) {
		return await download(context, address, expected, {
			baseUrl: this.baseUrl,
			...this.settings,
			signal,
		});
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

	private readonly cancelAll = () => this.workspace.limiter.cancel(this.stats, STOPPED, 'all');

	/**
	 * Sends a request until it gets an answer or must not be retried, and returns the body of the
	 * answer.
	 */
	private async send(tries: Tries): Promise<unknown> {
		const { request } = tries;
		for (;;) {
			const { result, waitMs } = await this.attempt(tries);
			if (result.status !== undefined && isSuccess(request, result)) return result.body;
			// If a retry of a deletion finds nothing, an earlier try has deleted it.
			if (result.status === 404 && tries.lostAnswers > 0 && request.endpoint.isDelete)
				return undefined;
			this.repeating++;
			const canRetry = await this.waitForRetry(tries, result, waitMs).finally(
				() => this.repeating--,
			);
			if (!canRetry) throw this.createError(tries, result, waitMs);
		}
	}

	/** Makes one try: waits for its turn, sends, and reports to the limiter how it ended. */
	private async attempt(
		tries: Tries,
	): Promise<{ result: HttpResponse | HttpFailure; waitMs: number }> {
		const { context, request, progress } = tries;
		const { limiter, service } = this.workspace;
		const { transport, retry, signal } = this.settings;
		const mayHaveSucceeded = tries.lostAnswers > 0;
		if (signal?.aborted || (this.isStopped && !progress.hasWritten))
			throw stoppedError(request, mayHaveSucceeded);
		const { waitAtMostMs = Math.max(retry.giveUpAfterMs, retryDefaults.giveUpAfterMs) } = retry;
		const { hasWritten } = progress;
		const isRetry = tries.startedAt !== undefined;
		const waitedBefore = this.stats.waitedMs;
		this.waiting++;
		const permit = await limiter
			.acquire(this.stats, { hasWritten, isRetry, maxPauseMs: waitAtMostMs })
			.catch((reason: Error) => {
				if (reason !== PAUSED_TOO_LONG) throw stoppedError(request, mayHaveSucceeded);
				throw tooManyRequestsError(request, mayHaveSucceeded, limiter.pausedForMs);
			})
			.finally(() => this.waiting--);
		// Requests that wait side by side wait through the same time, which counts once.
		this.stats.waitedMs = Math.max(this.stats.waitedMs, waitedBefore + permit.waitedMs);
		tries.startedAt ??= permit.startedAt;
		progress.hasWritten ||= request.endpoint.method !== 'GET';
		const result = await sendOnce(context, request, this.credential, transport);
		if (result.status === undefined) {
			permit.failed();
			return { result, waitMs: 0 };
		}
		this.workspace.hasAnswered = true;
		service.recognizesRetries ||= 'idempotent-replayed' in result.headers || isInProgress(result);
		if (!mayHaveWorked(result)) {
			this.workspace.hasWorked = true;
			this.recovery?.answered(permit.startedAt);
		}
		const askedMs = readRetryAfter(result.headers, readServerMessage(result));
		if (result.status === 429) return { result, waitMs: permit.refused(askedMs) };
		permit.accepted();
		// If the service is not available, only this request waits.
		return { result, waitMs: result.status === 503 ? (askedMs ?? 0) : 0 };
	}

	/** Waits until a request can be sent again. Returns false if it must not, or has no time left. */
	private async waitForRetry(
		tries: Tries,
		result: HttpResponse | HttpFailure,
		waitMs: number,
	): Promise<boolean> {
		const { request, context, progress, startedAt = 0, retries } = tries;
		const { retry, signal } = this.settings;
		const hasTime = (delayMs: number, since = startedAt) =>
			performance.now() - since + delayMs < retry.giveUpAfterMs;
		if (result.status === 429) {
			this.stats.tooManyRequests++;
			// As long as the service accepts other requests, this one's turn comes. The limiter makes it
			// wait.
			const { lastAcceptedAt } = this.workspace.limiter;
			return hasTime(waitMs, Math.max(startedAt, lastAcceptedAt));
		}
		const isBusy = isInProgress(result);
		if (isBusy || mayHaveWorked(result)) tries.lostAnswers++;
		// The service still works on the first try; its answer can be had when that has ended.
		if (isBusy && hasTime(IN_PROGRESS_MS)) {
			await pause(IN_PROGRESS_MS, signal);
			return true;
		}
		const defaultRetries = this.workspace.hasAnswered
			? retryDefaults.maxRetries
			: retryDefaults.maxRetriesIfNeverAnswered;
		const { maxRetries = defaultRetries } = retry;
		const delayMs = Math.max(retryDelayMs(retries), waitMs);
		if (!isRetryable(request, result, retry) || retries >= maxRetries || !hasTime(delayMs))
			return false;
		const mayArriveTwice = this.mayArriveTwice(tries);
		if (mayArriveTwice && tries.lostAnswers > 1 && !(await this.isNewer(context))) return false;

		this.stats.retries++;
		tries.retries++;
		const isLast = tries.retries === maxRetries;
		if (!this.recovery || !this.workspace.hasWorked || !(mayArriveTwice || isLast)) {
			await pause(delayMs, signal);
			return true;
		}
		const giveUpAt = startedAt + retry.giveUpAfterMs;
		const [recovered] = await Promise.all([
			this.recovery.wait(context, giveUpAt, progress.hasWritten),
			pause(delayMs, signal),
		]);
		// What failed because of an outage has all its retries left.
		if (recovered === 'back') tries.retries = 0;
		return recovered !== 'late';
	}

	/**
	 * Whether a message may arrive once more if it is sent again: the service has not shown that it
	 * recognizes a retry, and is not known to be a newer one (difference 10). With "Always" the user
	 * decides.
	 */
	private mayArriveTwice({ request: { endpoint }, lostAnswers }: Tries): boolean {
		const { service } = this.workspace;
		if (!endpoint.isMessage || lostAnswers === 0) return false;
		if (endpoint.hasIdempotencyKey || service.recognizesRetries || service.age === 'newer')
			return false;
		return this.settings.retry.retryWhenOutcomeUnknown !== 'always';
	}

	/** Asks which kind of service this is, unless it was asked while waiting for the service. */
	private async isNewer(context: Context): Promise<boolean> {
		const age = await readServiceAge(this.requester(context)).catch(() => undefined);
		return age === 'newer';
	}

	/** Whether the service answers. Asks what tells its age, because that is asked next. */
	private async isServiceAnswering(context: Context): Promise<boolean> {
		const { transport, signal } = this.settings;
		const timeout = Math.min(transport.timeout ?? Infinity, QUESTION_TIMEOUT_MS);
		const client = new ApiClient(this.credential, this.workspace, {
			transport: { ...transport, timeout },
			retry: { maxRetries: 0, giveUpAfterMs: 0, waitAtMostMs: QUESTION_TIMEOUT_MS },
			signal,
		});
		return await askServiceAge(client.requester(context))
			.then(() => true, isAnswer)
			.finally(() => client.close());
	}

	private createError(
		{ request, lostAnswers, label }: Tries,
		result: HttpResponse | HttpFailure,
		waitMs: number,
	) {
		const mayHaveSucceeded = lostAnswers > 0;
		if (result.status === 429) return tooManyRequestsError(request, mayHaveSucceeded, waitMs);
		// A service may repeat the token in its error.
		const shown = redact(result, this.credential.token);
		if (shown.status === undefined)
			return failureError(request, shown, this.baseUrl, mayHaveSucceeded);
		return statusError(request, shown, mayHaveSucceeded, label);
	}
}

/** Whether a request failed by an answer of the service itself. */
function isAnswer(error: unknown): boolean {
	if (!(error instanceof ApiError)) return false;
	const { status, reason } = error.details;
	if (status === undefined || status === 429) return false;
	return status < 500 || reason !== undefined;
}
