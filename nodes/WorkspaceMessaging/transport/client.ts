import type { Endpoint } from '../contract/endpoint';
import { readCredential } from './credential';
import {
	ApiError,
	failureError,
	rejected,
	statusError,
	stoppedError,
	tooManyRequestsError,
} from './errors/ApiError';
import { mayHaveWorked, reasonOf } from './errors/reasons';
import { sentence } from './errors/render';
import { serverMessageOf } from './errors/serverMessage';
import type { FieldLabel } from './errors/serverMessage';
import { download } from './download';
import type { DownloadedFile } from './download';
import { sendOnce } from './http';
import type { Context, HttpFailure, HttpResponse, Transport } from './http';
import { holdsN8nFile } from './n8nFiles';
import { PAUSED_TOO_LONG } from './rateLimit/limiter';
import { apiRequest } from './request';
import type { ApiRequest, Requester, RequestParts } from './request';
import { isRetryable, pause, retryAfterMs, retryDefaults, retryDelayMs } from './retry';
import type { RetrySettings } from './retry';
import { workspaceOf } from './workspace';
import type { Workspace } from './workspace';
import { upload } from './upload';
import type { Upload } from './upload';

/** What has slowed a run down; shown to the user at its end. */
interface RequestStats {
	retries: number;
	tooManyRequests: number;
	/** For how long in all the rate limit stopped all requests of the run, in milliseconds. */
	waitedMs: number;
}

/** What the requests of a run are doing at the moment. */
interface RequestActivity {
	/** How many wait for their turn. */
	waiting: number;
	/** How many have failed and wait for their retry. */
	repeating: number;
	/** For how many milliseconds the service has asked everybody to wait. */
	pausedForMs: number;
}

/** How the requests of a run are sent. */
export interface ClientSettings {
	retry?: RetrySettings;
	/** n8n's own settings for requests. */
	transport?: Transport;
	/** Ends all waiting when the execution is cancelled. */
	signal?: AbortSignal;
}

/** How long to wait before asking again if the service is still working on the same request. */
const IN_PROGRESS_MS = 1000;

const STOPPED = new Error('The run was stopped');

/** What sends a request, and what is known after its tries so far. */
interface Tries {
	context: Context;
	request: ApiRequest;
	/** Of the item that it belongs to: if it has written something, stopping would leave it half done. */
	progress: { hasWritten: boolean };
	/** When the first try was sent, by the limiter's clock; its waiting does not count. */
	startedAt?: number;
	retries: number;
	/** Whether one of the tries may have gone through. */
	mayHaveSucceeded: boolean;
}

/** A connection to one workspace, for one run. */
export class ApiClient {
	readonly stats: RequestStats = { retries: 0, tooManyRequests: 0, waitedMs: 0 };

	private isStopped = false;

	private waiting = 0;

	private repeating = 0;

	private constructor(
		private readonly baseUrl: string,
		private readonly token: string,
		private readonly workspace: Workspace,
		private readonly transport: Transport,
		private readonly retry: RetrySettings,
		private readonly signal?: AbortSignal,
	) {
		signal?.addEventListener('abort', this.cancelAll, { once: true });
	}

	/** Connects to the workspace of the node's credential. Throws an `ApiError` if it is missing or not valid. */
	static async open(
		context: Context,
		{ transport, retry = { giveUpAfterMs: retryDefaults.giveUpAfterMs }, signal }: ClientSettings = {},
	): Promise<ApiClient> {
		const { baseUrl, token, requestsPerMinute, allowedDomains } = await readCredential(context).catch(
			({ message }: Error) => {
				throw new ApiError(sentence(message), { outcome: 'notSent', isAboutRun: true });
			},
		);
		const workspace = workspaceOf(baseUrl, token, requestsPerMinute);
		return new ApiClient(baseUrl, token, workspace, { ...transport, allowedDomains }, retry, signal);
	}

	/**
	 * Returns what sends the requests of one item, or of one look-up.
	 *
	 * @param label names the fields that the service complains about
	 * @param makeKey makes the text by which the service recognizes that it gets the same request again
	 */
	requester(context: Context, label?: FieldLabel, makeKey?: (request: ApiRequest) => string): Requester {
		const progress = { hasWritten: false };
		return {
			service: this.workspace.service,
			request: async (endpoint: Endpoint, parts?: RequestParts) => {
				// Fields have been checked, but not every value comes from a field.
				if (holdsN8nFile([parts?.params, parts?.query, parts?.body]))
					throw rejected("A field can't hold binary data.");
				const request = apiRequest(endpoint, parts);
				if (endpoint.method !== 'GET') request.idempotencyKey = makeKey?.(request);
				const tries: Tries = { context, request, progress, retries: 0, mayHaveSucceeded: false };
				return await this.send(tries, label);
			},
		};
	}

	/** Sends a file where the service wants it; see `upload`. */
	async upload(context: Context, file: Upload): Promise<void> {
		const { baseUrl, transport, retry, signal } = this;
		await upload(context, file, { baseUrl, transport, retry, signal });
	}

	/**
	 * Downloads a file from an address that the service returned; see `download`.
	 *
	 * @param signal ends the download
	 */
	async download(context: Context, address: string, signal: AbortSignal): Promise<DownloadedFile> {
		const { baseUrl, transport } = this;
		return await download(context, address, { baseUrl, transport, signal });
	}

	/** What the requests of the run are doing at the moment. */
	get activity(): RequestActivity {
		const { waiting, repeating } = this;
		return { waiting, repeating, pausedForMs: this.workspace.limiter.pausedForMs };
	}

	/** Gives up all items that have written nothing; the others finish. */
	stop() {
		this.isStopped = true;
		this.workspace.limiter.cancel(this.stats, STOPPED, 'unwritten');
	}

	/** Lets go of the execution when its run of the node has ended. */
	close() {
		this.signal?.removeEventListener('abort', this.cancelAll);
	}

	private readonly cancelAll = () => this.workspace.limiter.cancel(this.stats, STOPPED, 'all');

	/** Sends a request until it gets an answer or must not be retried, and returns the body of the answer. */
	private async send(tries: Tries, label?: FieldLabel): Promise<unknown> {
		const { request } = tries;
		for (;;) {
			const { result, waitMs } = await this.attempt(tries);
			if (result.status !== undefined && isSuccess(request, result)) return result.body;
			// If a retry of a deletion finds nothing, an earlier try has deleted it.
			if (result.status === 404 && tries.mayHaveSucceeded && request.endpoint.isDelete) return undefined;
			const delayMs = this.delayBeforeRetry(tries, result, waitMs);
			if (delayMs === undefined) throw this.errorOf(tries, result, waitMs, label);
			if (delayMs === 0) continue;
			this.repeating++;
			await pause(delayMs, this.signal);
			this.repeating--;
		}
	}

	/** Makes one try: waits for its turn, sends, and reports to the limiter how it ended. */
	private async attempt(tries: Tries): Promise<{ result: HttpResponse | HttpFailure; waitMs: number }> {
		const { context, request, progress, mayHaveSucceeded } = tries;
		const { limiter } = this.workspace;
		if (this.signal?.aborted || (this.isStopped && !progress.hasWritten))
			throw stoppedError(request, mayHaveSucceeded);
		const { waitAtMostMs = Math.max(this.retry.giveUpAfterMs, retryDefaults.giveUpAfterMs) } = this.retry;
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
		const result = await sendOnce(context, request, this.baseUrl, this.transport);
		if (result.status === undefined) {
			permit.failed();
			return { result, waitMs: 0 };
		}
		this.workspace.hasAnswered = true;
		const askedMs = retryAfterMs(result.headers, serverMessageOf(result));
		if (result.status === 429) return { result, waitMs: permit.refused(askedMs) };
		permit.accepted();
		// If the service is not available, only this request waits.
		return { result, waitMs: result.status === 503 ? (askedMs ?? 0) : 0 };
	}

	/** Returns for how many milliseconds to wait before the next try; undefined for no further one. */
	private delayBeforeRetry(
		tries: Tries,
		result: HttpResponse | HttpFailure,
		waitMs: number,
	): number | undefined {
		const { request, startedAt = 0, retries } = tries;
		const hasTime = (delayMs: number, since = startedAt) =>
			performance.now() - since + delayMs < this.retry.giveUpAfterMs;
		if (result.status === 429) {
			this.stats.tooManyRequests++;
			// As long as the service accepts other requests, this one's turn comes. The limiter makes it wait.
			const { lastAcceptedAt } = this.workspace.limiter;
			return hasTime(waitMs, Math.max(startedAt, lastAcceptedAt)) ? 0 : undefined;
		}
		const isInProgress = result.status !== undefined && reasonOf(result) === 'stillBusy';
		const isLost = result.status === undefined ? result.kind === 'broken' : mayHaveWorked(result);
		tries.mayHaveSucceeded ||= isInProgress || isLost;
		// The service still works on the first try; its answer can be had when that has ended.
		if (isInProgress && hasTime(IN_PROGRESS_MS)) return IN_PROGRESS_MS;
		const defaultRetries = this.workspace.hasAnswered
			? retryDefaults.maxRetries
			: retryDefaults.maxRetriesIfNeverAnswered;
		const { maxRetries = defaultRetries } = this.retry;
		const delayMs = Math.max(retryDelayMs(retries), waitMs);
		if (!isRetryable(request, result, this.retry) || retries >= maxRetries || !hasTime(delayMs))
			return undefined;
		tries.retries++;
		this.stats.retries++;
		return delayMs;
	}

	private errorOf(
		{ request, mayHaveSucceeded }: Tries,
		result: HttpResponse | HttpFailure,
		waitMs: number,
		label?: FieldLabel,
	) {
		if (result.status === 429) return tooManyRequestsError(request, mayHaveSucceeded, waitMs);
		// A service may repeat the token in its error.
		const shown = redact(result, this.token);
		return shown.status === undefined
			? failureError(request, shown, this.baseUrl, mayHaveSucceeded)
			: statusError(request, shown, mayHaveSucceeded, label);
	}
}

/** A success is JSON, or, if the endpoint has no response, anything but a web page. */
function isSuccess({ endpoint }: ApiRequest, { status, isText, body }: HttpResponse): boolean {
	if (status < 200 || status >= 300) return false;
	return !isText || (endpoint.response === undefined && !/^\s*</.test(String(body)));
}

/** Replaces the token in every text of an answer. */
function redact<T extends HttpResponse | HttpFailure>(answer: T, token: string): T {
	const withoutToken = (_key: string, part: unknown) =>
		typeof part === 'string' ? part.replaceAll(token, '[access token]') : part;
	return token === '' ? answer : JSON.parse(JSON.stringify(answer), withoutToken);
}
