import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { limits } from '../contract';
import type { Endpoint } from '../contract';
import { normalizeAccessToken } from './accessToken';
import { normalizeBaseUrl } from './baseUrl';
import { failureError, statusError, stoppedError, tooManyRequestsError } from './errors/errors';
import { CREDENTIAL, sendOnce } from './http';
import type { Context, HttpFailure, HttpResponse, Transport } from './http';
import type { FieldLabel } from './errors/serverMessage';
import { refuseN8nFiles } from './n8nFiles';
import { pause } from './pause';
import { PAUSED_TOO_LONG, RateLimiter } from './rateLimit/limiter';
import { mayHaveWorked, reasonOf } from './errors/reasons';
import { apiRequest } from './request';
import { Service } from './service';
import type { ApiRequest, Requester, RequestParts } from './request';
import {
	GIVE_UP_AFTER_MS,
	isRetryable,
	MAX_RETRIES,
	MAX_RETRIES_IF_NEVER_ANSWERED,
	retryAfterMs,
	retryDelayMs,
} from './retry';
import type { RetrySettings } from './retry';
import { serverMessageOf } from './errors/serverMessage';
import { upload } from './upload';
import type { Upload } from './upload';

/** What a run has been through; shown to the user when it ends. */
export interface RequestStats {
	retries: number;
	tooManyRequests: number;
	/** For how long in all nothing of the run could be sent because of the limit, in milliseconds. */
	waitedMs: number;
}

/** What the requests of a run are doing at the moment. */
export interface RequestActivity {
	/** How many wait for their turn. */
	waiting: number;
	/** How many wait to be repeated, because they failed. */
	repeating: number;
	/** For how many milliseconds the service has asked everybody to wait. */
	pausedForMs: number;
}

/** What is known of a workspace in this process, whoever uses it. */
interface Workspace {
	limiter: RateLimiter;
	service: Service;
	/** When it was used last, in milliseconds since 1970. */
	usedAt: number;
}

const workspaces = new Map<string, Workspace>();
/** After so long without use a workspace is forgotten; by then nothing counts towards its limit any more. */
const FORGET_AFTER_MS = 3_600_000;

/** The Base URLs that have ever answered in this process. */
const answered = new Set<string>();

/** How the requests of a run are sent. */
export interface ClientSettings {
	retry?: RetrySettings;
	/** n8n's own settings for requests. */
	transport?: Transport;
	/** Ends all waiting when the execution is cancelled. */
	signal?: AbortSignal;
}

/** How long to wait for a request that the service is still busy with before asking again. */
const IN_PROGRESS_MS = 1000;

const STOPPED = new Error('The run was stopped');

/** A connection to one workspace, for one run. */
export class ApiClient {
	readonly stats: RequestStats = { retries: 0, tooManyRequests: 0, waitedMs: 0 };

	private isStopped = false;

	private waiting = 0;

	private repeating = 0;

	private readonly retry: RetrySettings;

	private readonly transport: Transport;

	private constructor(
		private readonly baseUrl: string,
		private readonly token: string,
		private readonly workspace: Workspace,
		allowedDomains: string | undefined,
		private readonly settings: ClientSettings,
	) {
		this.retry = settings.retry ?? { giveUpAfterMs: GIVE_UP_AFTER_MS };
		this.transport = { ...settings.transport, allowedDomains };
		settings.signal?.addEventListener('abort', this.cancelAll, { once: true });
	}

	/** Connects to the workspace of the node's credential. Throws when it is missing or its Base URL cannot be used. */
	static async open(context: Context, settings: ClientSettings = {}): Promise<ApiClient> {
		const credential = await context.getCredentials(CREDENTIAL);
		const baseUrl = normalizeBaseUrl(credential.baseUrl);
		const token = normalizeAccessToken(credential.accessToken);
		const workspace = workspaceOf(baseUrl, token, Number(credential.requestsPerMinute));
		return new ApiClient(baseUrl, token, workspace, allowedDomainsOf(credential), settings);
	}

	/**
	 * What sends the requests of one item, or of one look-up.
	 *
	 * @param label how errors name a field that the service complains about
	 * @param keyOf makes the text by which the service recognises a request that changes something when it comes again
	 */
	requester(context: Context, label?: FieldLabel, keyOf?: (request: ApiRequest) => string): Requester {
		// Whether it has written something, so that stopping would leave it half done.
		const writing = { hasBegun: false };
		return {
			service: this.workspace.service,
			request: async (endpoint: Endpoint, parts?: RequestParts) => {
				refuseN8nFiles(JSON.stringify([parts?.params, parts?.query, parts?.body]));
				const request = apiRequest(endpoint, parts);
				if (endpoint.method !== 'GET') request.idempotencyKey = keyOf?.(request);
				return await this.send(context, request, writing, label);
			},
		};
	}

	/** Puts a file where the service wants it; see `upload`. */
	async upload(context: Context, file: Upload): Promise<void> {
		const { baseUrl, transport, retry, settings } = this;
		await upload(context, file, { baseUrl, transport, retry, signal: settings.signal });
	}

	/** What the requests of the run are doing at the moment. */
	get activity(): RequestActivity {
		const { waiting, repeating } = this;
		return { waiting, repeating, pausedForMs: this.workspace.limiter.pausedForMs };
	}

	/** Gives up what has written nothing; what has is brought to its end. */
	stop() {
		this.isStopped = true;
		this.workspace.limiter.cancel(this.stats, STOPPED, 'notBegun');
	}

	/** Lets go of the execution once its run of the node has ended. */
	close() {
		this.settings.signal?.removeEventListener('abort', this.cancelAll);
	}

	private readonly cancelAll = () => this.workspace.limiter.cancel(this.stats, STOPPED, 'all');

	/** Sends a request until it is answered or must not be repeated any more, and returns the body of the answer. */
	private async send(
		context: Context,
		request: ApiRequest,
		writing: { hasBegun: boolean },
		label?: FieldLabel,
	): Promise<unknown> {
		const { limiter } = this.workspace;
		const { giveUpAfterMs } = this.retry;
		// By the limiter's clock. What a request waits for its first try does not count.
		let startedAt: number | undefined;
		const hasTime = (delayMs: number, since: number) => performance.now() - since + delayMs < giveUpAfterMs;
		let mayHaveSucceeded = false;
		for (let repeats = 0; ; ) {
			const { result, leftAt, waitMs } = await this.attempt(context, request, writing, {
				isRepetition: startedAt !== undefined,
				mayHaveSucceeded,
			});
			startedAt ??= leftAt;
			const status = 'status' in result ? result.status : undefined;
			if ('status' in result && isSuccess(request, result)) return result.body;
			// What a repeated deletion no longer finds, an earlier try deleted.
			if (status === 404 && mayHaveSucceeded && request.endpoint.isDelete) return undefined;

			if (status === 429) {
				this.stats.tooManyRequests++;
				// As long as the service takes the requests of others, this one's turn comes.
				if (hasTime(waitMs, Math.max(startedAt, limiter.lastAcceptedAt))) continue;
				throw tooManyRequestsError(request, mayHaveSucceeded, waitMs);
			}
			// The first try is still being carried out: its answer can be had once that has ended.
			const isInProgress = 'status' in result && reasonOf(result) === 'stillBusy';
			if (isInProgress && hasTime(IN_PROGRESS_MS, startedAt)) {
				mayHaveSucceeded = true;
				await pause(IN_PROGRESS_MS, this.settings.signal);
				continue;
			}
			mayHaveSucceeded ||= isInProgress;
			mayHaveSucceeded ||= 'status' in result ? mayHaveWorked(result) : result.kind === 'broken';
			const delayMs = Math.max(retryDelayMs(repeats), waitMs);
			if (
				isRetryable(request, result, this.retry) &&
				repeats < this.maxRetries &&
				hasTime(delayMs, startedAt)
			) {
				repeats++;
				this.stats.retries++;
				this.repeating++;
				await pause(delayMs, this.settings.signal);
				this.repeating--;
				continue;
			}
			// A service may repeat the token it was given in its error.
			const shown = redact(result, this.token);
			throw 'status' in shown
				? statusError(request, shown, mayHaveSucceeded, label)
				: failureError(request, shown, this.baseUrl, mayHaveSucceeded);
		}
	}

	/** One try: waits for its turn, sends, and tells the limiter how it ended. */
	private async attempt(
		context: Context,
		request: ApiRequest,
		writing: { hasBegun: boolean },
		{ isRepetition, mayHaveSucceeded }: { isRepetition: boolean; mayHaveSucceeded: boolean },
	) {
		const { limiter } = this.workspace;
		const { signal } = this.settings;
		if (signal?.aborted || (this.isStopped && !writing.hasBegun))
			throw stoppedError(request, mayHaveSucceeded);
		const { waitAtMostMs = Math.max(this.retry.giveUpAfterMs, GIVE_UP_AFTER_MS) } = this.retry;
		const waitedBefore = this.stats.waitedMs;
		this.waiting++;
		const permit = await limiter
			.acquire(this.stats, {
				hasBegun: writing.hasBegun,
				isRepetition,
				maxPauseMs: waitAtMostMs,
			})
			.catch((reason: Error) => {
				if (reason !== PAUSED_TOO_LONG) throw stoppedError(request, mayHaveSucceeded);
				throw tooManyRequestsError(request, mayHaveSucceeded, limiter.pausedForMs);
			})
			.finally(() => this.waiting--);
		// Requests that wait side by side wait through the same time, which counts once.
		this.stats.waitedMs = Math.max(this.stats.waitedMs, waitedBefore + permit.waitedMs);
		writing.hasBegun ||= request.endpoint.method !== 'GET';
		const result = await sendOnce(context, request, this.baseUrl, this.transport);
		if (!('status' in result)) {
			permit.failed();
			return { result, leftAt: permit.startedAt, waitMs: 0 };
		}
		answered.add(this.baseUrl);
		const toldMs = retryAfterMs(result.headers, serverMessageOf(result));
		if (result.status === 429) return { result, leftAt: permit.startedAt, waitMs: permit.refused(toldMs) };
		permit.accepted();
		// What a service that is not available asks for is kept to, too, but by this request alone.
		const waitMs = result.status === 503 ? (toldMs ?? 0) : 0;
		return { result, leftAt: permit.startedAt, waitMs };
	}

	private get maxRetries(): number {
		return (
			this.retry.maxRetries ?? (answered.has(this.baseUrl) ? MAX_RETRIES : MAX_RETRIES_IF_NEVER_ANSWERED)
		);
	}
}

/** A success is JSON, or anything that is no web page where no body is expected. */
function isSuccess({ endpoint }: ApiRequest, { status, isText, body }: HttpResponse): boolean {
	if (status < 200 || status >= 300) return false;
	return !isText || (endpoint.response === undefined && !/^\s*</.test(String(body)));
}

/** The same value with the token replaced in every text of it. */
function redact<T extends HttpResponse | HttpFailure>(value: T, token: string): T {
	const withoutToken = (part: unknown): unknown => {
		if (typeof part === 'string') return part.replaceAll(token, '[access token]');
		if (Array.isArray(part)) return part.map(withoutToken);
		if (typeof part !== 'object' || part === null) return part;
		return Object.fromEntries(Object.entries(part).map(([key, entry]) => [key, withoutToken(entry)]));
	};
	return token === '' ? value : (withoutToken(value) as T);
}

/** The domains to which n8n's own setting restricts the credential; undefined for all. */
function allowedDomainsOf({ allowedHttpRequestDomains, allowedDomains }: IDataObject): string | undefined {
	if (allowedHttpRequestDomains !== 'domains') return undefined;
	const list = String(allowedDomains ?? '').trim();
	// To n8n's requests an empty list would mean all domains.
	if (list === '')
		throw new Error(
			'The credential allows requests to specific domains only, but names none. Enter the host of the Base URL in its Allowed Domains.',
		);
	return list;
}

/** What everything in this process shares that uses the same workspace. */
function workspaceOf(baseUrl: string, token: string, requestsPerMinute: number): Workspace {
	const now = Date.now();
	for (const [key, { limiter, usedAt }] of workspaces) {
		if (usedAt < now - FORGET_AFTER_MS && limiter.isIdle) workspaces.delete(key);
	}
	// The token itself is not kept.
	const key = createHash('sha256').update(`${baseUrl}\n${token}`).digest('hex');
	const limit = requestsPerMinute >= 1 ? Math.floor(requestsPerMinute) : limits.requestsPerMinute;
	const workspace = workspaces.get(key) ?? {
		limiter: new RateLimiter(limit),
		service: new Service(),
		usedAt: now,
	};
	// A service may be replaced by another release of it.
	if (workspace.service.since < now - FORGET_AFTER_MS) workspace.service = new Service();
	workspace.limiter.setLimit(limit);
	workspace.usedAt = now;
	workspaces.set(key, workspace);
	return workspace;
}
