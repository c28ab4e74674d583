import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';

export interface Measure {
	seconds: number;
	/** Processor time of this process, user and system. */
	cpuSeconds: number;
	/**
	 * How much more memory was in use afterwards than before, in MB; with `--expose-gc` garbage does
	 * not count.
	 */
	memoryMb: number;
	/**
	 * How much more memory objects and buffers had meanwhile at most than before, in MB, garbage
	 * included.
	 */
	peakMb: number;
}

/** How often the memory is looked at. */
const LOOK_EVERY_MS = 10;

/**
 * Bytes of all objects and buffers of this process. Does not open a file, which fails among
 * thousands of connections.
 */
function memory(): number {
	const { used_heap_size, external_memory } = getHeapStatistics();
	return used_heap_size + external_memory;
}

/** Runs something and measures what it costs in this process; the service runs in another one. */
export async function measure<T>(work: () => Promise<T>): Promise<{ result: T; cost: Measure }> {
	const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
	collect();
	// Buffers are given back some time after what held them.
	await sleep(100);
	collect();
	const memoryBefore = getHeapStatistics().used_heap_size;
	const allBefore = memory();
	let most = allBefore;
	const looking = setInterval(() => {
		most = Math.max(most, memory());
	}, LOOK_EVERY_MS);
	const cpuBefore = process.cpuUsage();
	const start = performance.now();
	const result = await work();
	const seconds = (performance.now() - start) / 1000;
	const { user, system } = process.cpuUsage(cpuBefore);
	clearInterval(looking);
	collect();
	const memoryMb = (getHeapStatistics().used_heap_size - memoryBefore) / 1024 / 1024;
	const peakMb = (most - allBefore) / 1024 / 1024;
	return { result, cost: { seconds, cpuSeconds: (user + system) / 1e6, memoryMb, peakMb } };
}

/** The middle one of several values. */
export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)];
}
