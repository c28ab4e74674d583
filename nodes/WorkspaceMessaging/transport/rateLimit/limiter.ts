import { sleep } from 'n8n-workflow';
import { FairQueue, SlidingWindow } from './bookkeeping';
import { LearnedRate } from './learnedRate';

/**
 * Slow start: how many requests may be in flight at first. Two accepted ones allow one more, so that
 * an unknown limit is not exceeded by much; below this number, each one does.
 */
const FIRST_CONCURRENCY = 64;
/** How many may ever be in flight; n8n opens a connection for each. */
const MAX_IN_FLIGHT = 1000;
/** If no answer has come for so long, one more request leaves anyway. */
const SLOW_ANSWER_MS = 2000;
/** The longest sleep at a stretch, so that a change is noticed. */
const MAX_SLEEP_MS = 500;

/** Pauses if the service doesn't say how long; they double until it accepts a request. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** However long the service asks to wait, the limiter tries again after this time. */
export const LONGEST_ASKED_MS = 600_000;

/** Why a request is not sent if the service asks to wait longer than it can. */
export const PAUSED_TOO_LONG = new Error('The service asks to wait longer than this request can');

/**
 * The right to have one request in flight. Call one of the three functions when it has ended; more
 * calls do nothing.
 */
interface Permit {
	/** In milliseconds of `performance.now()`. */
	readonly startedAt: number;
	/**
	 * For how many milliseconds the rate limit kept it waiting; waiting for other requests to end
	 * does not count.
	 */
	readonly waitedMs: number;
	/** The service accepted the request, whatever it answered. */
	accepted(): void;
	/** No answer came. */
	failed(): void;
	/**
	 * The service rejected the request as one too many.
	 *
	 * @param retryAfterMs how long the service asks to wait, if it says so
	 * @returns for how many milliseconds nothing leaves now
	 */
	refused(retryAfterMs?: number): number;
}

interface Waiter {
	hasWritten: boolean;
	isPriority: boolean;
	maxPauseMs: number;
	/** How long the limit had stopped requests in all when this one began to wait. */
	stalledBefore: number;
	grant: (permit: Permit) => void;
	reject: (reason: Error) => void;
}

/**
 * The time from one rejection to the next. What left before a rejection says nothing about the time
 * after it.
 */
interface Window {
	inFlight: number;
	/** How many may be in flight. */
	concurrency: number;
	/** Whether the service has accepted a request since the rejection. */
	hasRecovered: boolean;
	/** Whether others waited when the service rejected a request that could have been accepted. */
	hadMore: boolean;
}

/**
 * Decides when the requests to one workspace leave; shared by all nodes and executions of it in
 * this process.
 *
 * - Requests per minute: in a sliding window, never more leave than the credential allows.
 *   Executions take turns.
 * - In flight: at first `FIRST_CONCURRENCY`, and more as the service accepts them (slow start).
 * - Pause: when the service rejects a request as one too many, nothing leaves for as long as it says,
 *   or else for pauses that double. Then one request goes ahead. If it is accepted, the others
 *   follow, again from a slow start.
 * - Rate: a rejection while others wait lowers the rate to nine tenths of what the service has
 *   accepted, but at least a quarter of the rate stays. Each accepted request raises it a little, and
 *   so does time, until the requests per minute are the only limit again.
 *
 * The next execution goes on with all of this, until ten minutes after the last pause.
 */
export class RateLimiter {
	/** When the service last accepted a request, in milliseconds of `performance.now()`. */
	lastAcceptedAt = -Infinity;

	private readonly sent = new SlidingWindow();
	private readonly queue = new FairQueue<Waiter>();
	private inFlight = 0;
	private window: Window = {
		inFlight: 0,
		concurrency: FIRST_CONCURRENCY,
		hasRecovered: true,
		hadMore: false,
	};
	private lastStartedAt = -Infinity;

	private pausedUntil = -Infinity;
	/** Until when the service has asked to wait, even if that is longer than the pause. */
	private askedUntil = -Infinity;
	private pauseMs = FIRST_PAUSE_MS;
	private readonly rate = new LearnedRate();
	private nextAt = -Infinity;

	private wakesAt = Infinity;
	/** For how long in all the limit has stopped requests, and since when it does now. */
	private stalledMs = 0;
	private stalledSince?: number;

	constructor(private requestsPerMinute: number) {}

	/** Sets the requests per minute, a whole number of at least 1. */
	setLimit(requestsPerMinute: number) {
		this.requestsPerMinute = requestsPerMinute;
		this.drain();
	}

	/**
	 * Whether nothing waits, and nothing left in the last minute. Then the limiter can be forgotten.
	 */
	get isIdle(): boolean {
		return this.sent.count(performance.now()) === 0 && this.queue.isEmpty;
	}

	/** For how many milliseconds nothing may leave, because the service has rejected a request. */
	get pausedForMs(): number {
		return Math.max(0, this.pausedUntil - performance.now());
	}

	/**
	 * For how many milliseconds the service has asked to wait, even if the pause is shorter; 0 if it
	 * has not said.
	 */
	get askedForMs(): number {
		return Math.max(0, this.askedUntil - performance.now());
	}

	/**
	 * Waits for the right to send one request.
	 *
	 * @param execution what takes turns with others: one object for all requests of an execution
	 * @param options `hasWritten`: its item must not be left half done; `isRetry`: it was sent
	 * before; both go ahead of the execution's other requests. `maxPauseMs`: how long it can wait if
	 * the service asks everybody to
	 * @throws `PAUSED_TOO_LONG`, without waiting, if the service asks to wait longer; the reason of
	 * `cancel`
	 */
	async acquire(
		execution: object,
		{ hasWritten = false, isRetry = false, maxPauseMs = Infinity } = {},
	): Promise<Permit> {
		if (this.pausedForMs > maxPauseMs) throw PAUSED_TOO_LONG;
		return await new Promise<Permit>((grant, reject) => {
			const isPriority = hasWritten || isRetry;
			const stalledBefore = this.totalStalledMs(performance.now());
			this.queue.add(execution, {
				hasWritten,
				isPriority,
				maxPauseMs,
				stalledBefore,
				grant,
				reject,
			});
			this.drain();
		});
	}

	/**
	 * Ends the waiting of an execution's requests; their `acquire` rejects with the reason.
	 *
	 * @param which all of them, or only those of items that have written nothing
	 */
	cancel(execution: object, reason: Error, which: 'all' | 'unwritten') {
		const gone = this.queue.remove(
			({ hasWritten }, other) => other === execution && (which === 'all' || !hasWritten),
		);
		for (const { reject } of gone) reject(reason);
	}

	/** Sends requests off as long as the limit allows, and comes back when it allows the next one. */
	private drain() {
		while (!this.queue.isEmpty) {
			const now = performance.now();
			const limitMs = this.limitedForMs(now);
			const fullMs = this.fullForMs(now);
			this.stalledMs = this.totalStalledMs(now);
			this.stalledSince = limitMs > 0 ? now : undefined;
			const waitMs = Math.max(limitMs, fullMs);
			if (waitMs > 0) {
				this.wakeIn(waitMs, now);
				return;
			}
			this.start(now);
		}
		this.stalledSince = undefined;
	}

	private totalStalledMs(now: number): number {
		return this.stalledMs + (this.stalledSince === undefined ? 0 : now - this.stalledSince);
	}

	private wakeIn(waitMs: number, now: number) {
		const ms = Math.ceil(Math.min(waitMs, MAX_SLEEP_MS));
		const at = now + ms;
		// An answer wakes it, too.
		if (waitMs === Infinity || at >= this.wakesAt) return;
		this.wakesAt = at;
		void sleep(ms).then(() => {
			if (this.wakesAt === at) this.wakesAt = Infinity;
			this.drain();
		});
	}

	/** For how long the pause, the rate or the requests per minute hold all requests back. */
	private limitedForMs(now: number): number {
		const windowMs =
			this.sent.count(now) < this.requestsPerMinute ? 0 : Math.max(this.sent.freesInMs(now), 1);
		return Math.max(this.pausedUntil - now, this.nextAt - now, windowMs, 0);
	}

	/** For how long too many requests are in flight to send another one. */
	private fullForMs(now: number): number {
		if (this.inFlight >= MAX_IN_FLIGHT) return Infinity;
		const { inFlight, concurrency } = this.window;
		const least = this.rate.isForgotten(now) ? FIRST_CONCURRENCY : 1;
		if (inFlight + 1 <= Math.max(concurrency, least)) return 0;
		return Math.max(this.lastStartedAt + SLOW_ANSWER_MS - now, 0);
	}

	/** Gives the next request its permit. */
	private start(now: number) {
		const waiter = this.queue.next();
		if (!waiter) return;
		const { window } = this;
		this.inFlight++;
		window.inFlight++;
		this.sent.start();
		this.lastStartedAt = now;
		const intervalMs = 1000 / this.rate.perSecond(now);
		// Makes up for a late timer, but not for a time without requests.
		this.nextAt = Math.max(this.nextAt, now - intervalMs) + intervalMs;
		let hasEnded = false;
		const end = (learn: () => void) => {
			if (hasEnded) return;
			hasEnded = true;
			learn();
			this.inFlight--;
			window.inFlight--;
			const endedAt = performance.now();
			this.sent.end(endedAt);
			// Not at once: answers come in bursts, and if the next requests leave in a burst as well, all
			// of it takes a fifth less processor time.
			this.wakeIn(0, endedAt);
		};
		waiter.grant({
			startedAt: now,
			waitedMs: this.stalledMs - waiter.stalledBefore,
			accepted: () => end(() => this.onAccepted(window, now)),
			failed: () => end(() => {}),
			refused: (retryAfterMs) => {
				end(() => this.onRefused(window, retryAfterMs));
				return this.pausedForMs;
			},
		});
	}

	private onAccepted(window: Window, startedAt: number) {
		const now = performance.now();
		this.lastAcceptedAt = now;
		if (window === this.window) {
			if (!window.hasRecovered) {
				this.rate.onRecovered(now, this.requestsPerMinute / 60, window.hadMore);
				this.nextAt = startedAt + 1000 / this.rate.perSecond(now);
			}
			window.hasRecovered = true;
			// A service that got fewer than it might has not shown that it accepts more.
			const isFull = !this.queue.isEmpty && this.limitedForMs(now) === 0;
			if (isFull) window.concurrency += window.concurrency < FIRST_CONCURRENCY ? 1 : 0.5;
		}
		this.rate.onAccepted(now, this.requestsPerMinute / 60);
	}

	private onRefused(window: Window, retryAfterMs = 0) {
		const now = performance.now();
		// If many are rejected together, the first one ends the window.
		const isFirst = window === this.window;
		if (isFirst) this.endWindow(now);
		const isAsked = retryAfterMs >= FIRST_PAUSE_MS;
		if (isAsked) this.askedUntil = Math.max(this.askedUntil, now + retryAfterMs);
		if (!isAsked && !isFirst) return;
		const pauseMs = isAsked ? Math.min(retryAfterMs, LONGEST_ASKED_MS) : this.pauseMs;
		const until = now + pauseMs;
		this.pausedUntil = Math.max(this.pausedUntil, until);
		this.rejectImpatient();
	}

	private rejectImpatient() {
		const gone = this.queue.remove(({ maxPauseMs }) => maxPauseMs < this.pausedForMs);
		for (const { reject } of gone) reject(PAUSED_TOO_LONG);
	}

	private endWindow(now: number) {
		const { hasRecovered, hadMore } = this.window;
		this.pauseMs = hasRecovered ? FIRST_PAUSE_MS : Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
		this.window = {
			inFlight: 0,
			concurrency: 1,
			hasRecovered: false,
			hadMore: hasRecovered ? !this.queue.isEmpty : hadMore,
		};
		this.rate.onRefused(now);
		this.askedUntil = -Infinity;
	}
}
