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
import { CallError, failureError, statusError } from './errors';
import type { Labels } from './labels';
import { Limiter } from './limiter';
import type { Slot } from './limiter';
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
	/** How often at most, 0 for never. "Too many requests" does not count: nothing was done then. */
	maxRetries: number;
	/** For how many milliseconds after its first try a call may be repeated. */
	giveUpAfterMs: number;
	/** For how many milliseconds it may wait when the service has asked everybody to; without end when not set. */
	waitAtMostMs?: number;
}

export const defaultRetry: RetrySettings = { maxRetries: 8, giveUpAfterMs: 300_000 };

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
	limiter: Limiter;
	/** Whether it has ever answered: an address that never did is probably wrong. */
	answered: boolean;
}

const workspaces = new Map<string, Workspace>();

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
	const workspace = workspaceOf(baseUrl, token, Number(credential.requestsPerMinute));
	const retry = settings.retry ?? defaultRetry;
	const transport = {
		...settings.transport,
		allowedDomains: settings.transport?.allowedDomains ?? allowedDomains(credential),
	};
	const tally: Tally = { retries: 0, tooManyRequests: 0, waitedMs: 0 };

	const { limiter } = workspace;
	const cancelAll = () => limiter.cancel(tally, cancelled(), 'all');
	signal?.addEventListener('abort', cancelAll, { once: true });
	let stopped = false;

	const caller = (at: Context): Caller => {
		// Whether it has written something, so that stopping would leave it half done.
		let begun = false;

		const attempt = async (call: Call, again: boolean): Promise<{ slot: Slot; result: Answer | Failure }> => {
			if (signal?.aborted || (stopped && !begun)) throw cancelled();
			if (limiter.pausedForMs > (retry.waitAtMostMs ?? Infinity)) throw tooManyRequests(call);
			const slot = await limiter.acquire(tally, { begun, first: begun || again });
			tally.waitedMs = Math.max(tally.waitedMs, slot.waitedMs);
			begun ||= call.endpoint.method !== 'GET';
			const result = await request(at, call.endpoint, baseUrl + call.path, transport, call.query, call.body);
			slot.release('status' in result && result.status !== 429);
			if ('status' in result) workspace.answered = true;
			return { slot, result };
		};

		const send = async (call: Call): Promise<unknown> => {
			// By the limiter's clock. What it waits for its first try does not count.
			let started: number | undefined;
			const hasTime = (delay: number) =>
				performance.now() - (started ?? performance.now()) + delay < retry.giveUpAfterMs;
			let maybeDone = false;
			for (let repeats = 0; ; ) {
				const { slot, result } = await attempt(call, started !== undefined);
				started ??= slot.at;
				const status = 'status' in result ? result.status : undefined;
				if ('status' in result && isSuccess(call, result)) return result.body;
				// What a repeated deletion no longer finds, an earlier try deleted.
				if (status === 404 && maybeDone && call.endpoint.method === 'DELETE') return undefined;

				if ('status' in result && status === 429) {
					tally.tooManyRequests++;
					const wait = limiter.refused(slot, waitOf(result.headers));
					if (hasTime(wait)) continue;
				}
				maybeDone ||= 'status' in result ? result.status >= 500 : result.kind === 'broken';
				// An address that has never answered is more likely wrong than down.
				const most = workspace.answered ? retry.maxRetries : Math.min(retry.maxRetries, 2);
				const delay = backoffMs(repeats);
				if (mayRepeat(call, result) && repeats < most && hasTime(delay)) {
					repeats++;
					tally.retries++;
					await pause(delay, signal);
					continue;
				}
				// A service may repeat the token it was given in its error.
				const told = hide(result, token);
				throw 'status' in told
					? statusError(call, told, maybeDone)
					: failureError(call, told, baseUrl, maybeDone);
			}
		};
		return { send };
	};
	const stop = () => {
		stopped = true;
		limiter.cancel(tally, cancelled(), 'notBegun');
	};
	return { tally, caller, stop, close: () => signal?.removeEventListener('abort', cancelAll) };
}

/** A success is JSON, or anything that is no web page where no body is expected. */
function isSuccess({ endpoint }: Call, { status, notJson, body }: Answer): boolean {
	if (status < 200 || status >= 300) return false;
	return !notJson || (endpoint.response === undefined && !/^\s*</.test(String(body)));
}

/** The error for a call that was not even sent, because the service asks to wait for longer than the call may take. */
function tooManyRequests(call: Call): CallError {
	return statusError(call, { status: 429, headers: {}, body: undefined, notJson: false }, false);
}

function cancelled(): CallError {
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

function workspaceOf(baseUrl: string, token: string, requestsPerMinute: number): Workspace {
	for (const [key, { limiter }] of workspaces) if (limiter.idle) workspaces.delete(key);
	// The token itself is not kept.
	const key = createHash('sha256').update(`${baseUrl}\n${token}`).digest('hex');
	const limit = requestsPerMinute >= 1 ? Math.floor(requestsPerMinute) : limits.requestsPerMinute;
	const known = workspaces.get(key);
	if (known) {
		known.limiter.setLimit(limit);
		return known;
	}
	const workspace = { limiter: new Limiter(limit), answered: false };
	workspaces.set(key, workspace);
	return workspace;
}

/** Whether a call that failed in this way can be repeated without doing anything twice (wire notes, retrying). */
function mayRepeat(call: Call, result: Answer | Failure): boolean {
	if (!('status' in result) && result.kind === 'notSent') return result.passing;
	const failed = 'status' in result ? result.status >= 500 : result.kind === 'broken' && result.passing;
	const { repeatable } = call.endpoint;
	return failed && (typeof repeatable === 'function' ? repeatable(call.body) : repeatable);
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8000;

/** The delay before a repetition: doubled each time, with some chance in it so that callers do not come back together. */
function backoffMs(tries: number): number {
	const most = Math.min(FIRST_DELAY_MS * 2 ** tries, LONGEST_DELAY_MS);
	return most * (0.5 + Math.random() / 2);
}

/** How long the service asks to wait, in milliseconds, in any of the forms in use; undefined when it does not say. */
export function waitOf(headers: IDataObject, now = Date.now()): number | undefined {
	const retryAfter = headers['retry-after'];
	if (typeof retryAfter === 'string' && retryAfter !== '') {
		if (/^\d+(\.\d+)?$/.test(retryAfter)) return Number(retryAfter) * 1000;
		const date = Date.parse(retryAfter);
		if (!Number.isNaN(date)) return Math.max(0, date - now);
	}
	const combined = /(?:^|[;,\s])t=(\d+)/.exec(String(headers.ratelimit ?? ''));
	const reset = combined?.[1] ?? headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'];
	if (reset === undefined || !/^\d+(\.\d+)?$/.test(String(reset))) return undefined;
	const value = Number(reset);
	// Seconds from now, or a point in time in seconds or milliseconds.
	if (value > 1e11) return Math.max(0, value - now);
	if (value > 1e9) return Math.max(0, value * 1000 - now);
	return value * 1000;
}
