import type { IDataObject } from 'n8n-workflow';
import { isIdempotent } from '../contract/endpoint';
import type { HttpFailure, HttpResponse } from './http';
import { mayHaveWorked } from './errors/reasons';
import type { ApiRequest } from './request';

/** How often and for how long a request is repeated. */
export interface RetrySettings {
	/**
	 * How often at most, 0 for never; when not set, 8 times, and 5 times at an address that has never answered, which is
	 * more likely wrong than down. "Too many requests" does not count: nothing was done then.
	 */
	maxRetries?: number;
	/**
	 * For how many milliseconds after its first try a request may be repeated. "Too many requests" costs nothing of it
	 * while the service takes other requests.
	 */
	giveUpAfterMs: number;
	/**
	 * Which requests are repeated although a service that does not recognise repetitions could carry them out twice; messages
	 * only when left out, because the reference calls their `clientId` an idempotency identifier (part 4.1).
	 */
	repeatWhenUnsure?: 'always' | 'messages' | 'never';
	/** For how many milliseconds it can wait when the service asks everybody to; when not set, 5 minutes at least. */
	waitAtMostMs?: number;
}

export const MAX_RETRIES = 8;
export const MAX_RETRIES_IF_NEVER_ANSWERED = 5;
export const GIVE_UP_AFTER_MS = 300_000;

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8000;

/** Whether a request that ended like this can be repeated without doing anything twice. */
export function isRetryable(
	{ endpoint, body }: ApiRequest,
	result: HttpResponse | HttpFailure,
	{ repeatWhenUnsure = 'messages' }: Pick<RetrySettings, 'repeatWhenUnsure'> = {},
): boolean {
	if (!('status' in result) && result.kind === 'notSent') return result.isTransient;
	const failed = 'status' in result ? mayHaveWorked(result) : result.kind === 'broken' && result.isTransient;
	if (!failed || isIdempotent(endpoint, body)) return failed;
	const isDeduped = endpoint.hasDedupeId?.(body) === true;
	return repeatWhenUnsure === 'always' || (repeatWhenUnsure === 'messages' && isDeduped);
}

/**
 * The delay before a repetition in milliseconds: doubled each time, up to 8 s, with some chance in it so that those who
 * failed together do not come back together.
 *
 * @param tries how often the request was repeated before
 */
export function retryDelayMs(tries: number): number {
	const longest = Math.min(FIRST_DELAY_MS * 2 ** tries, LONGEST_DELAY_MS);
	return longest * (0.5 + Math.random() / 2);
}

/**
 * How long the service asks to wait, in any of the forms in use.
 *
 * @param headers of the answer, their names in lower case
 * @param message what the answer says in words; asked only when no header tells
 * @param now in milliseconds since 1970
 * @returns milliseconds from now, 0 or more; undefined when the service does not say
 */
export function retryAfterMs(headers: IDataObject, message = '', now = Date.now()): number | undefined {
	return fromRetryAfter(headers, now) ?? fromReset(headers, now) ?? fromWords(message);
}

const NUMBER = /^\d+(\.\d+)?$/;

/** Seconds, or a date. */
function fromRetryAfter(headers: IDataObject, now: number): number | undefined {
	const value = String(headers['retry-after'] ?? '');
	if (NUMBER.test(value)) return Number(value) * 1000;
	const date = Date.parse(value);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Seconds from now, or a point in time in seconds or milliseconds. */
function fromReset(headers: IDataObject, now: number): number | undefined {
	const combined = /(?:^|[;,\s])(?:t|reset)=(\d+)/.exec(String(headers.ratelimit ?? ''));
	const reset = String(combined?.[1] ?? headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? '');
	if (!NUMBER.test(reset)) return undefined;
	const value = Number(reset);
	if (value > 1e11) return Math.max(0, value - now);
	if (value > 1e9) return Math.max(0, value * 1000 - now);
	return value * 1000;
}

/** "Too many requests. Retry after 7s." */
function fromWords(message: string): number | undefined {
	const seconds = /\b(?:retry|try again) (?:after|in) (\d{1,9}(?:\.\d{1,3})?) ?s(?:ec(?:ond)?s?)?\b/i.exec(
		message,
	)?.[1];
	return seconds === undefined ? undefined : Number(seconds) * 1000;
}
