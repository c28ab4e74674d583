import { setTimeout as sleep } from 'node:timers/promises';

/** The globals of n8n's modules and of our node; Jest gives tests others. */
const { runInThisContext } = nodeRequire('node:vm') as typeof import('node:vm');
export const realm = runInThisContext('globalThis') as typeof globalThis;

/** How far the clocks are ahead. In a file of tests they never go back: our node relies on that. */
let skippedMs = 0;
let aheadMs = 0;
const performanceNow = realm.performance.now;
const dateNow = realm.Date.now;
realm.performance.now = () => performanceNow.call(realm.performance) + skippedMs;
realm.Date.now = () => dateNow() + aheadMs;

// The next file of tests runs in the same process.
afterAll(() => {
	realm.performance.now = performanceNow;
	realm.Date.now = dateNow;
});

/**
 * Lets the node pass over its pauses of exactly so many milliseconds; `onPause` is called in each of
 * them. Returns a function that ends this.
 */
export function skipPauses(
	pauseMs: number,
	onPause: () => Promise<unknown> = async () => await sleep(0),
) {
	const { setTimeout } = realm;
	// Node's own fetch calls this function, too, and gives it arguments for its work.
	realm.setTimeout = ((work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
		if (ms !== pauseMs) return setTimeout(work, ms, ...args);
		skippedMs += ms;
		return setTimeout(() => void onPause().then(() => work(...args)), 0);
	}) as typeof setTimeout;
	return () => {
		realm.setTimeout = setTimeout;
	};
}

/** Lets time pass by the clock that our node measures with how long something takes. */
export function spendTime(ms: number): void {
	skippedMs += ms;
}

/** The time by the clock of n8n and of our node, in milliseconds since 1970. */
export const clock = () => realm.Date.now();

/** Sets that clock forward; a machine that is busy makes no difference. */
export function passTime(ms: number): void {
	aheadMs += ms;
}

/** Sets that clock to a time, if it is earlier; it runs on. */
export function setClock(time: number): void {
	passTime(Math.max(0, time - clock()));
}
