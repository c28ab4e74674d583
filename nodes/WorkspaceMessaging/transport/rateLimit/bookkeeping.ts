/* What the rate limiter keeps: who waits, and what left in the last minute. */

/**
 * A queue in which executions take turns, so that one with ten thousand items does not hold up one
 * with a single item. Within an execution, `isPriority` goes ahead of the rest; otherwise first
 * come, first served.
 */
export class FairQueue<Waiter extends { isPriority: boolean }> {
	/** The waiters of each execution; the execution whose turn is next comes first. */
	private readonly lines = new Map<object, Waiter[]>();

	/** Whether nobody waits. */
	get isEmpty(): boolean {
		return this.lines.size === 0;
	}

	/** Adds a waiter. */
	add(execution: object, waiter: Waiter) {
		const line = this.lines.get(execution) ?? [];
		let place = line.length;
		if (waiter.isPriority) {
			const behind = line.findIndex(({ isPriority }) => !isPriority);
			if (behind !== -1) place = behind;
		}
		line.splice(place, 0, waiter);
		this.lines.set(execution, line);
	}

	/** Removes and returns the waiter whose turn it is; undefined if nobody waits. */
	next(): Waiter | undefined {
		const [turn] = this.lines;
		if (turn === undefined) return undefined;
		const [execution, line] = turn;
		const waiter = line.shift();
		// To the end, so that the next execution has its turn.
		this.lines.delete(execution);
		if (line.length > 0) this.lines.set(execution, line);
		return waiter;
	}

	/** Removes and returns the waiters of all executions that a predicate accepts. */
	remove(isGone: (waiter: Waiter, execution: object) => boolean): Waiter[] {
		const gone: Waiter[] = [];
		for (const [execution, line] of this.lines) {
			const staying = line.filter((waiter) => !isGone(waiter, execution));
			if (staying.length === line.length) continue;
			const leaving = line.filter((waiter) => isGone(waiter, execution));
			gone.push(...leaving);
			if (staying.length > 0) this.lines.set(execution, staying);
			else this.lines.delete(execution);
		}
		return gone;
	}
}

/** The documented limit counts the requests of one minute (part 8). */
const WINDOW_MS = 60_000;
/** Times are kept in steps of this length, so that the memory for them does not grow with the rate. */
const STEP_MS = 20;

/** How many times there are in each step of the clock, oldest first. */
export class Steps {
	/** How many there are in all. */
	total = 0;

	private readonly steps: Array<{ at: number; count: number }> = [];

	/** The oldest time; undefined if there is none. */
	get oldest(): number | undefined {
		return this.steps.at(0)?.at;
	}

	/** Adds a time, which is not before the others. */
	add(time: number) {
		const at = Math.ceil(time / STEP_MS) * STEP_MS;
		const step = this.steps.at(-1);
		if (step?.at === at) step.count++;
		else this.steps.push({ at, count: 1 });
		this.total++;
	}

	/** Removes the times up to one. */
	removeUpTo(time: number) {
		while (this.steps.length > 0 && this.steps[0].at <= time)
			this.total -= this.steps.shift()!.count;
	}

	/** Returns the highest rate per second that there has been from any of the times until now. */
	highestRate(now: number): number {
		let count = 0;
		let highest = 0;
		for (const step of this.steps.toReversed()) {
			count += step.count;
			highest = Math.max(highest, (count * 1000) / Math.max(now - step.at, STEP_MS));
		}
		return highest;
	}
}

/**
 * The requests of the last minute. The service counts a request at some time between its start and
 * its end, so here it counts from its start until a minute after its end. All times are
 * milliseconds of one clock, and never go back.
 */
export class SlidingWindow {
	private inFlight = 0;
	private readonly ended = new Steps();

	/** Counts a request from now on. */
	start() {
		this.inFlight++;
	}

	/** Notes the end of a request. */
	end(now: number) {
		this.inFlight--;
		this.ended.add(now);
	}

	/** Returns how many requests count now. */
	count(now: number): number {
		this.ended.removeUpTo(now - WINDOW_MS);
		return this.inFlight + this.ended.total;
	}

	/**
	 * Returns in how many milliseconds fewer requests count; infinite while all of them are in
	 * flight.
	 */
	freesInMs(now: number): number {
		return (this.ended.oldest ?? Infinity) + WINDOW_MS - now;
	}
}
