import { setImmediate } from 'node:timers/promises';

export interface Measure {
	seconds: number;
	/** Processor time of this process, user and system. */
	cpuSeconds: number;
	/** How much more memory was in use afterwards than before, in MB; with `--expose-gc` garbage does not count. */
	memoryMb: number;
}

/** Runs something and measures what it costs in this process; the service runs in another one. */
export async function measure<T>(work: () => Promise<T>): Promise<{ result: T; cost: Measure }> {
	const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
	collect();
	await setImmediate();
	const memoryBefore = process.memoryUsage().heapUsed;
	const cpuBefore = process.cpuUsage();
	const start = performance.now();
	const result = await work();
	const seconds = (performance.now() - start) / 1000;
	const { user, system } = process.cpuUsage(cpuBefore);
	collect();
	const memoryMb = (process.memoryUsage().heapUsed - memoryBefore) / 1024 / 1024;
	return { result, cost: { seconds, cpuSeconds: (user + system) / 1e6, memoryMb } };
}

/** The middle one of several values. */
export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)];
}
