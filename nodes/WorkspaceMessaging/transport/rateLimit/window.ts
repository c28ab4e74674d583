/** The documented limit counts the requests of one minute (part 8). */
const WINDOW_MS = 60_000;
/** The window remembers ends of requests in steps of this length, so that its memory does not grow with the rate. */
const STEP_MS = 20;

/**
 * The requests of the last minute. The service counts a request at some time between its start and its end, so here it
 * counts from its start until a minute after its end. All times are milliseconds of one clock, and never go back.
 */
export class SlidingWindow {
	/** Those in flight and those that ended within the last minute. */
	private counted = 0;
	/** The latter by when they ended, oldest first. */
	private readonly ended: Array<{ at: number; count: number; accepted: number }> = [];

	/** Counts a request from now on. */
	start() {
		this.counted++;
	}

	/** Notes the end of a request; whether the service accepted it matters to `acceptedSince` only. */
	end(now: number, isAccepted: boolean) {
		const at = Math.ceil(now / STEP_MS) * STEP_MS;
		if (this.ended[this.ended.length - 1]?.at !== at) this.ended.push({ at, count: 0, accepted: 0 });
		const step = this.ended[this.ended.length - 1];
		step.count++;
		if (isAccepted) step.accepted++;
	}

	/** Returns how many requests count now. */
	count(now: number): number {
		while (this.ended.length > 0 && this.ended[0].at + WINDOW_MS <= now)
			this.counted -= this.ended.shift()!.count;
		return this.counted;
	}

	/** Returns in how many milliseconds fewer requests count; infinite while all of them are in flight. */
	freesInMs(now: number): number {
		return this.ended.length > 0 ? this.ended[0].at + WINDOW_MS - now : Infinity;
	}

	/**
	 * Returns how many requests were accepted since `start`, and how many a second: the highest rate from any moment until
	 * now, so that a time without requests does not look like a low rate.
	 */
	acceptedSince(start: number, now: number): { accepted: number; perSecond: number } {
		let accepted = 0;
		let perSecond = 0;
		for (const step of this.ended.filter(({ at }) => at >= start && at < now).reverse()) {
			accepted += step.accepted;
			perSecond = Math.max(perSecond, (accepted * 1000) / (now - step.at));
		}
		return { accepted, perSecond };
	}
}
