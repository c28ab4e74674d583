import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Reads something again and again until it is as wanted; a slow machine has time for several polls.
 */
export async function until<T>(
	read: () => Promise<T>,
	isWanted: (value: T) => boolean,
	timeoutMs = 400_000,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const value = await read();
		if (isWanted(value)) return value;
		if (Date.now() > deadline)
			throw new Error(`It stayed at ${JSON.stringify(value).slice(0, 2000)}`);
		await sleep(300);
	}
}
