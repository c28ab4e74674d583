import { sleep, type IDataObject } from 'n8n-workflow';

/** The longest delay before the first retry. */
const FIRST_DELAY_MS = 250;
/** The longest delay before any retry. */
const LONGEST_DELAY_MS = 8000;

/** How long to wait before asking again if the service is still working on the same request. */
export const IN_PROGRESS_MS = 1000;

/**
 * Returns the delay before a retry in milliseconds. Its upper limit doubles each time, up to 8 s;
 * chance shortens it by up to half, so that requests that failed together don't come back together.
 *
 * @param tries how many retries there were before
 */
export function retryDelayMs(tries: number): number {
	const longest = Math.min(FIRST_DELAY_MS * 2 ** tries, LONGEST_DELAY_MS);
	return longest * (0.5 + Math.random() / 2);
}

/** Waits so many milliseconds, or until the signal says that the execution was cancelled. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	if (signal?.aborted) return;
	let onAbort = () => {};
	const aborted = new Promise<void>((resolve) => {
		onAbort = resolve;
		signal?.addEventListener('abort', onAbort, { once: true });
	});
	await Promise.race([sleep(ms), aborted]);
	signal?.removeEventListener('abort', onAbort);
}

/**
 * Reads how long the service asks to wait, in any of the known forms.
 *
 * @param headers of the answer, with names in lower case
 * @param message what the answer says in words, used if no header says it (difference 24)
 * @param now in milliseconds since 1970
 * @returns milliseconds from now, 0 or more; undefined if the service does not say
 */
export function readRetryAfter(
	headers: IDataObject,
	message = '',
	now = Date.now(),
): number | undefined {
	const value = String(headers['retry-after'] ?? '');
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = Date.parse(value);
	if (!Number.isNaN(date)) return Math.max(0, date - now);
	// "Too many requests. Retry after 7s."
	const words = /\b(?:retry|try again) (?:after|in) (\d{1,9}(?:\.\d{1,3})?) ?s(?:ec(?:ond)?s?)?\b/i;
	const [, seconds] = words.exec(message) ?? [];
	return seconds === undefined ? undefined : Number(seconds) * 1000;
}
