import { pause } from '../../../transport/pause';
import type { WaitSettings } from './settings';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** How long one import is waited for, at its start and until its end together. */
export class Backoff {
	private pauseMs = FIRST_PAUSE_MS;

	private readonly deadline: number;

	constructor(
		readonly settings: WaitSettings,
		/** Ends all waiting when the execution is cancelled. */
		readonly signal?: AbortSignal,
	) {
		this.deadline = performance.now() + settings.maxMinutes * 60_000;
	}

	/** Waits before asking again, each time longer, up to 10 s; false, and at once, when there is no time left. */
	async wait(): Promise<boolean> {
		const left = this.deadline - performance.now();
		if (left <= 0) return false;
		await pause(Math.min(this.pauseMs, left), this.signal);
		this.pauseMs = Math.min(this.pauseMs * 1.5, LONGEST_PAUSE_MS);
		return true;
	}
}
