import { sleep } from 'n8n-workflow';

/** Waits so many milliseconds, but no longer than until the signal says that the execution was cancelled. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	if (signal?.aborted) return;
	let onAbort = () => {};
	const aborted = new Promise<void>((resolve) => {
		onAbort = resolve;
		signal?.addEventListener('abort', onAbort, { once: true });
	});
	try {
		await Promise.race([sleep(ms), aborted]);
	} finally {
		signal?.removeEventListener('abort', onAbort);
	}
}
