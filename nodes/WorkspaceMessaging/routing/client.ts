import { createHash } from 'node:crypto';
import type {
	IDataObject,
	IExecuteSingleFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { limits } from '../contract';
import type { Endpoint } from '../contract';
import { normalizeBaseUrl } from './baseUrl';
import { PAUSED_TOO_LONG, RateLimiter } from '../api/rateLimiter';
import { retryAfterMs, retryDelayMs } from '../api/retry';
import { CallError, failureError, serverWords, statusError, tooManyRequests, unknownOutcome } from './errors';
import type { Labels } from './labels';
import { pause } from './pause';
import { CREDENTIAL, request } from './request';
import type { Answer, Failure, Transport } from './request';

/** The parts of n8n from which requests can be sent. */
export type Context = IExecuteSingleFunctions | ILoadOptionsFunctions | IPollFunctions;

/** One call of the API, ready to be sent. */
export interface Call {
	endpoint: Endpoint;
	/** The endpoint's path with its parameters filled in. */
	path: string;
	query?: IDataObject;
	body?: unknown;
	/** What the call is about, for error messages: "contact email:a@b.c". */
	subject?: string;
	labels?: Labels;
}

/** How often and how long a call is repeated. */
export interface RetrySettings {
	/**
	 * How often at most, 0 for never; when not set, 8 times, and 5 times at an address that has never answered, which is
	 * more likely wrong than down. "Too many requests" does not count: nothing was done then.
	 */
	maxRetries?: number;
	/**
	 * For how many milliseconds after its first try a call may be repeated. "Too many requests" costs nothing of it while
	 * the service takes other calls.
	 */
	giveUpAfterMs: number;
	/** For how many milliseconds it can wait when the service asks everybody to; when not set, 5 minutes at least. */
	waitAtMostMs?: number;
}

export const MAX_RETRIES = 8;
const MAX_RETRIES_IF_NEVER_ANSWERED = 5;
export const GIVE_UP_AFTER_MS = 300_000;

/** What a run has been through; shown to the user when it ends. */
export interface Tally {
	retries: number;
	tooManyRequests: number;
	/** For how long nothing could be sent because of the limit, in milliseconds. */
	waitedMs: number;
}

/** A connection to one workspace, for one run. */
export interface Client {
	readonly tally: Tally;
	/** A caller for one item (or one look-up). */
	caller(context: Context): Caller;
	/** Gives up what has written nothing; what has is brought to its end. */
	stop(): void;
	/** Lets go of the execution once its run of the node has ended. */
	close(): void;
}

export interface Caller {
	/**
	 * Sends one call within the rate of the workspace, repeats it where that is safe, and returns the answer's body.
	 * Throws a `CallError` that says what happened, whether anything was changed and what to do.
	 */
	send(call: Call): Promise<unknown>;
}

/** What is known of a workspace in this process, whoever uses it. */
interface Workspace {
	limiter: RateLimiter;
	/** When it was used last, in milliseconds since 1970. */
	usedAt: number;
}

const workspaces = new Map<string, Workspace>();
/** After so long without use a workspace is forgotten; by then nothing counts towards its limit any more. */
const FORGET_AFTER_MS = 3_600_000;

/** The Base URLs that have ever answered in this process. */
const answered = new Set<string>();

/**
 * Opens a connection to the workspace of the node's credential.
 *
 * @param settings how calls are repeated, and n8n's own settings for requests
 * @param signal ends all waiting when the execution is cancelled
 * @throws when the credential is missing or its Base URL cannot be used
 */
export async function openClient(
	context: Context,
	settings: { retry?: RetrySettings; transport?: Transport } = {},
	signal?: AbortSignal,
): Promise<Client> {
	const credential = await context.getCredentials(CREDENTIAL);
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const token = String(credential.accessToken ?? '').trim();
	const limiter = limiterOf(baseUrl, token, Number(credential.requestsPerMinute));
	const retry = settings.retry ?? { giveUpAfterMs: GIVE_UP_AFTER_MS };
	const patienceMs = retry.waitAtMostMs ?? Math.max(retry.giveUpAfterMs, GIVE_UP_AFTER_MS);
	const transport = {
		...settings.transport,
		allowedDomains: settings.transport?.allowedDomains ?? allowedDomains(credential),
	};
	const tally: Tally = { retries: 0, tooManyRequests: 0, waitedMs: 0 };

	const cancelAll = () => limiter.cancel(tally, STOPPED, 'all');
	signal?.addEventListener('abort', cancelAll, { once: true });
	let stopped = false;

	const caller = (at: Context): Caller => {
		// Whether it has written something, so that stopping would leave it half done.
		let begun = false;

		const attempt = async (call: Call, maybeDone: boolean, again: boolean) => {
			if (signal?.aborted || (stopped && !begun)) throw cancelled(call, maybeDone);
			const permit = await limiter
				.acquire(tally, { hasBegun: begun, isRepetition: again, maxPauseMs: patienceMs })
				.catch(async (reason: Error) => {
					if (reason !== PAUSED_TOO_LONG) return await Promise.reject(cancelled(call, maybeDone));
					return await Promise.reject(tooManyRequests(call, maybeDone, limiter.pausedForMs));
				});
			tally.waitedMs = Math.max(tally.waitedMs, permit.waitedMs);
			begun ||= call.endpoint.method !== 'GET';
			const result = await request(at, call.endpoint, baseUrl + call.path, transport, call.query, call.body);
			const status = 'status' in result ? result.status : undefined;
			if (status !== undefined) answered.add(baseUrl);
			let wait = 0;
			if (!('status' in result)) permit.failed();
			else if (status === 429) wait = permit.refused(retryAfterMs(result.headers, serverWords(result, call)));
			else permit.accepted();
			return { at: permit.startedAt, result, status, wait };
		};

		const send = async (call: Call): Promise<unknown> => {
			// By the limiter's clock. What it waits for its first try does not count.
			let started: number | undefined;
			const hasTime = (delay: number, since: number) =>
				performance.now() - since + delay < retry.giveUpAfterMs;
			let maybeDone = false;
			for (let repeats = 0; ; ) {
				const { at: left, result, status, wait } = await attempt(call, maybeDone, started !== undefined);
				started ??= left;
				if ('status' in result && isSuccess(call, result)) return result.body;
				// What a repeated deletion no longer finds, an earlier try deleted.
				if (status === 404 && maybeDone && call.endpoint.deletes) return undefined;

				if (status === 429) {
					tally.tooManyRequests++;
					// As long as the service takes the calls of others, this one's turn comes.
					if (hasTime(wait, Math.max(started, limiter.lastAcceptedAt))) continue;
					throw tooManyRequests(call, maybeDone, wait);
				}
				maybeDone ||= status === undefined ? (result as Failure).kind === 'broken' : status >= 500;
				const most =
					retry.maxRetries ?? (answered.has(baseUrl) ? MAX_RETRIES : MAX_RETRIES_IF_NEVER_ANSWERED);
				const told =
					'status' in result && status === 503
						? (retryAfterMs(result.headers, serverWords(result, call)) ?? 0)
						: 0;
				const delay = Math.max(retryDelayMs(repeats), told);
				if (mayRepeat(call, result) && repeats < most && hasTime(delay, started)) {
					repeats++;
					tally.retries++;
					await pause(delay, signal);
					continue;
				}
				// A service may repeat the token it was given in its error.
				const shown = hide(result, token);
				throw 'status' in shown
					? statusError(call, shown, maybeDone)
					: failureError(call, shown, baseUrl, maybeDone);
			}
		};
		return { send };
	};
	const stop = () => {
		stopped = true;
		limiter.cancel(tally, STOPPED, 'notBegun');
	};
	return { tally, caller, stop, close: () => signal?.removeEventListener('abort', cancelAll) };
}

/** A success is JSON, or anything that is no web page where no body is expected. */
function isSuccess({ endpoint }: Call, { status, notJson, body }: Answer): boolean {
	if (status < 200 || status >= 300) return false;
	return !notJson || (endpoint.response === undefined && !/^\s*</.test(String(body)));
}

const STOPPED = new Error('The run was stopped');

/** The error for a call that was not sent, or not sent again, because its run was stopped. */
function cancelled(call: Call, maybeDone: boolean): CallError {
	if (maybeDone) {
		return new CallError(`The run was stopped before this could be repeated. ${unknownOutcome(call)}`, {
			outcome: 'unknown',
		});
	}
	return new CallError('This was not sent, because the run was stopped before.', { outcome: 'notSent' });
}

/** The same value with the token replaced in every text of it. */
function hide<T>(value: T, token: string): T {
	if (token === '') return value;
	if (typeof value === 'string') return value.replaceAll(token, '[access token]') as T;
	if (Array.isArray(value)) return value.map((entry) => hide(entry, token)) as T;
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, hide(entry, token)])) as T;
}

/** The domains to which n8n's own setting restricts the credential; undefined for all. */
function allowedDomains({
	allowedHttpRequestDomains,
	allowedDomains: domains,
}: IDataObject): string | undefined {
	if (allowedHttpRequestDomains !== 'domains') return undefined;
	const list = String(domains ?? '').trim();
	// To n8n's requests an empty list would mean all domains.
	if (list === '')
		throw new Error(
			'The credential allows requests to specific domains only, but names none. Enter the host of the Base URL in its Allowed Domains.',
		);
	return list;
}

/** The limiter that everything in this process shares which uses the same workspace. */
function limiterOf(baseUrl: string, token: string, requestsPerMinute: number): RateLimiter {
	const now = Date.now();
	for (const [key, { limiter, usedAt }] of workspaces) {
		if (usedAt < now - FORGET_AFTER_MS && limiter.isIdle) workspaces.delete(key);
	}
	// The token itself is not kept.
	const key = createHash('sha256').update(`${baseUrl}\n${token}`).digest('hex');
	const limit = requestsPerMinute >= 1 ? Math.floor(requestsPerMinute) : limits.requestsPerMinute;
	const { limiter } = workspaces.get(key) ?? { limiter: new RateLimiter(limit) };
	limiter.setLimit(limit);
	workspaces.set(key, { limiter, usedAt: now });
	return limiter;
}

/** Whether a call that failed in this way can be repeated without doing anything twice. */
function mayRepeat(call: Call, result: Answer | Failure): boolean {
	if (!('status' in result) && result.kind === 'notSent') return result.passing;
	const failed = 'status' in result ? result.status >= 500 : result.kind === 'broken' && result.passing;
	const { repeatable } = call.endpoint;
	return failed && (typeof repeatable === 'function' ? repeatable(call.body) : repeatable);
}
