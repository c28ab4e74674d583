import { setTimeout as sleep } from 'node:timers/promises';

/** The globals of n8n's modules and of our node; Jest gives tests others. */
const { runInThisContext } = nodeRequire('node:vm') as typeof import('node:vm');
const realm = runInThisContext('globalThis') as typeof globalThis;

/**
 * Lets the node pass over its pauses of exactly so many milliseconds; `onPause` is called in each of
 * them. Returns a function that ends this.
 */
export function skipPauses(
	pauseMs: number,
	onPause: () => Promise<unknown> = async () => await sleep(0),
) {
	const { setTimeout } = realm;
	const now = realm.performance.now.bind(realm.performance);
	let skippedMs = 0;
	realm.performance.now = () => now() + skippedMs;
	realm.setTimeout = ((work: () => void, ms?: number) => {
		if (ms !== pauseMs) return setTimeout(work, ms);
		skippedMs += ms;
		return setTimeout(() => void onPause().then(work), 0);
	}) as typeof setTimeout;
	return () => {
		realm.setTimeout = setTimeout;
		realm.performance.now = now;
	};
}
