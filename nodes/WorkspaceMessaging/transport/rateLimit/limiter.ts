import { sleep } from 'n8n-workflow';
import { FairQueue } from './queue';
import { SlidingWindow } from './window';

/** Slow start: so many requests may be on their way at first; each accepted one makes room for one more. */
const FIRST_ROOM = 32;
/** From here on every second one does: a limit that nobody knows is then overshot by less. */
const LARGE_ROOM = 64;
/** So many may ever be; n8n opens a connection for each. */
const MAX_IN_FLIGHT = 1000;
/** When no answer has made room for so long, one more request leaves all the same. */
const SLOW_ANSWER_MS = 2000;
/** The longest sleep at a stretch, so that a changed situation is noticed. */
const MAX_SLEEP_MS = 500;

/** Pauses when the service does not say how long: doubled until something is accepted. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** However long the service asks to wait: whether it still refuses is tried after this time. */
const LONGEST_TOLD_MS = 600_000;

/** How much is kept of a pace that was refused, and the least when it was far too high. */
const DECREASE = 0.9;
const STRONGEST_DECREASE = 0.5;
/** What each accepted request adds to the pace, in requests per second. */
const INCREASE = 0.01;
const SLOWEST_PER_SECOND = 0.1;
/** Fewer accepted requests say nothing about a pace: others may have used up the limit just before. */
const LEARNABLE = 10;

/** The reason for which a request is not sent when the service asks to wait for longer than it can. */
export const PAUSED_TOO_LONG = new Error('The service asks to wait for longer than this request can');

/** The right to have one request on its way. One of the three must be called when it has ended; more do nothing. */
export interface Permit {
	/** When it was given, in milliseconds of `performance.now()`. */
	readonly startedAt: number;
	/** For how many milliseconds the limit kept it waiting; waiting for others to end does not count. */
	readonly waitedMs: number;
	/** The service took the request, whatever it answered. */
	accepted(): void;
	/** No answer came. */
	failed(): void;
	/**
	 * The request was one too many.
	 *
	 * @param retryAfterMs how long the service asks to wait, when it says so
	 * @returns for how many milliseconds nothing leaves now
	 */
	refused(retryAfterMs?: number): number;
}

interface Waiter {
	hasWritten: boolean;
	isPriority: boolean;
	maxPauseMs: number;
	/** How long the limit had kept requests waiting in all when this one began to wait. */
	stalledBefore: number;
	grant: (permit: Permit) => void;
	reject: (reason: Error) => void;
}

/** The time from one refusal to the next. What left before a refusal says nothing about the time after it. */
interface Window {
	inFlight: number;
	/** How many may be on their way. */
	concurrency: number;
	/** Whether the service has accepted a request since the refusal. */
	hasRecovered: boolean;
}

/**
 * Decides when the requests to one workspace leave; shared by all nodes and executions of it in this process.
 *
 * Never more leave than the requests per minute of the credential, in a sliding window. Executions take turns. At first
 * few are on their way, and each one that the service accepts makes room for one more (slow start). When it refuses one
 * as too many, nothing leaves for as long as it says, or else for pauses that double; then one request goes ahead, and
 * when that is accepted, the others follow, again from a slow start. From then on they are spread at a pace: a tenth
 * below what the service was seen to accept from one refusal to the end of the pause, then faster with each one that it
 * accepts, and slower after each refusal (additive increase, multiplicative decrease). All of this is kept for the next
 * execution.
 */
export class RateLimiter {
	private readonly sent = new SlidingWindow();
	private readonly queue = new FairQueue<Waiter>();
	private inFlight = 0;
	private window: Window = { inFlight: 0, concurrency: FIRST_ROOM, hasRecovered: true };
	private lastStartedAt = -Infinity;
	private acceptedAt = -Infinity;

	private pausedUntil = -Infinity;
	private pauseMs = FIRST_PAUSE_MS;
	/** Requests per second; no bound beyond the limit until the service refuses. */
	private ratePerSecond = Infinity;
	private nextAt = -Infinity;
	/** When the round began in which requests were last accepted. */
	private openedAt = -Infinity;
	/** Whether the last refusal came after too few accepted requests to learn a pace from. */
	private isUnsure = false;

	private wakesAt = Infinity;
	/** For how long in all the limit has kept requests waiting, and since when it does now. */
	private stalledMs = 0;
	private stalledSince?: number;

	constructor(private requestsPerMinute: number) {}

	/** Sets the requests per minute, a whole number of at least 1. */
	setLimit(requestsPerMinute: number) {
		this.requestsPerMinute = requestsPerMinute;
		this.drain();
	}

	/** Whether nothing is waiting, on its way or counted: the limiter can be forgotten then. */
	get isIdle(): boolean {
		return this.sent.count(performance.now()) === 0 && this.queue.isEmpty;
	}

	/** For how many milliseconds nothing may leave, because the service has refused. */
	get pausedForMs(): number {
		return Math.max(0, this.pausedUntil - performance.now());
	}

	/** When the service last accepted a request, in milliseconds of `performance.now()`. */
	get lastAcceptedAt(): number {
		return this.acceptedAt;
	}

	/**
	 * Waits for the right to send one request.
	 *
	 * @param execution what takes turns with others: one object for all requests of an execution
	 * @param options `hasBegun`: it goes on with something that must not be left half done; `isRepetition`: it was sent
	 * before; either goes ahead of the execution's other requests. `maxPauseMs`: for how long it can wait when the service
	 * asks everybody to
	 * @throws `PAUSED_TOO_LONG`, without waiting, when the service asks to wait for longer than that; the reason of `cancel`
	 */
	async acquire(
		execution: object,
		{ hasBegun = false, isRepetition = false, maxPauseMs = Infinity } = {},
	): Promise<Permit> {
		if (this.pausedForMs > maxPauseMs) throw PAUSED_TOO_LONG;
		return await new Promise<Permit>((grant, reject) => {
			const goesFirst = hasBegun || isRepetition;
			const stalledBefore = this.stalledUntil(performance.now());
			this.queue.add(execution, {
				hasWritten: hasBegun,
				isPriority: goesFirst,
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
	 * @param which all of them, or only those that do not go on with something begun
	 */
	cancel(execution: object, reason: Error, which: 'all' | 'notBegun') {
		const gone = this.queue.remove(
			({ hasWritten: hasBegun }, other) => other === execution && (which === 'all' || !hasBegun),
		);
		for (const { reject } of gone) reject(reason);
	}

	/** Lets requests go as long as they may, and comes back when the next may. */
	private drain() {
		while (!this.queue.isEmpty) {
			const now = performance.now();
			const limitMs = this.limitedForMs(now);
			this.stalledMs = this.stalledUntil(now);
			this.stalledSince = limitMs > 0 ? now : undefined;
			const waitMs = Math.max(limitMs, this.fullForMs(now));
			if (waitMs > 0) {
				this.wakeIn(waitMs, now);
				return;
			}
			this.start(now);
		}
		this.stalledSince = undefined;
	}

	private stalledUntil(now: number): number {
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

	/** For how long the pause, the pace or the requests per minute let nothing leave. */
	private limitedForMs(now: number): number {
		const windowMs =
			this.sent.count(now) < this.requestsPerMinute ? 0 : Math.max(this.sent.freesInMs(now), 1);
		return Math.max(this.pausedUntil - now, this.nextAt - now, windowMs, 0);
	}

	/** For how long too many are on their way for another one. */
	private fullForMs(now: number): number {
		if (this.inFlight >= MAX_IN_FLIGHT) return Infinity;
		if (this.window.inFlight + 1 <= this.window.concurrency) return 0;
		return Math.max(this.lastStartedAt + SLOW_ANSWER_MS - now, 0);
	}

	/** Gives the next request its permit. */
	private start(now: number) {
		const waiter = this.queue.next();
		if (!waiter) return;
		const { window: round } = this;
		this.inFlight++;
		round.inFlight++;
		this.sent.start();
		this.lastStartedAt = now;
		const intervalMs = 1000 / this.ratePerSecond;
		// A timer that was late is made up for, but not a time in which nothing was to be sent.
		this.nextAt = Math.max(this.nextAt, now - intervalMs) + intervalMs;
		let hasEnded = false;
		const end = (isAccepted: boolean, tell: () => void) => {
			if (hasEnded) return;
			hasEnded = true;
			tell();
			this.inFlight--;
			round.inFlight--;
			this.sent.end(performance.now(), isAccepted);
			this.drain();
		};
		waiter.grant({
			startedAt: now,
			waitedMs: this.stalledMs - waiter.stalledBefore,
			accepted: () => end(true, () => this.onAccepted(round, now)),
			failed: () => end(false, () => {}),
			refused: (retryAfterMs) => {
				end(false, () => this.onRefused(round, retryAfterMs));
				return this.pausedForMs;
			},
		});
	}

	private onAccepted(round: Window, startedAt: number) {
		this.acceptedAt = performance.now();
		if (round !== this.window) return;
		if (!round.hasRecovered) this.setPace(startedAt);
		else if (this.ratePerSecond < this.requestsPerMinute / 60) this.ratePerSecond += INCREASE;
		else this.ratePerSecond = Infinity;
		round.hasRecovered = true;
		// Only a room that is used to the full shows that the service takes as much.
		if (round.inFlight + 1 > round.concurrency) round.concurrency += round.concurrency < LARGE_ROOM ? 1 : 0.5;
	}

	private onRefused(round: Window, retryAfterMs = 0) {
		const now = performance.now();
		// Of many that are refused together, the first ends the round.
		const isFirst = round === this.window;
		if (isFirst) {
			this.pauseMs = round.hasRecovered ? FIRST_PAUSE_MS : Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
			this.window = { inFlight: 0, concurrency: 1, hasRecovered: false };
		}
		const isTold = retryAfterMs >= FIRST_PAUSE_MS;
		if (!isTold && !isFirst) return;
		const pauseMs = isTold ? Math.min(retryAfterMs, LONGEST_TOLD_MS) : this.pauseMs;
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		const gone = this.queue.remove(({ maxPauseMs }) => maxPauseMs < this.pausedForMs);
		for (const { reject } of gone) reject(PAUSED_TOO_LONG);
	}

	/** Learns from what was accepted between two pauses; the time of the second one, which has ended, is part of it. */
	private setPace(now: number) {
		const { accepted, perSecond } = this.sent.acceptedSince(this.openedAt, now);
		this.openedAt = now;
		// Too few twice in a row are no accident: then the service takes as little.
		this.isUnsure = this.ratePerSecond === Infinity && accepted < LEARNABLE && !this.isUnsure;
		if (this.isUnsure) return;
		const refused = Math.min(this.ratePerSecond, this.requestsPerMinute / 60);
		const least =
			this.ratePerSecond === Infinity ? SLOWEST_PER_SECOND : this.ratePerSecond * STRONGEST_DECREASE;
		this.ratePerSecond = Math.max(Math.min(perSecond, refused) * DECREASE, least, SLOWEST_PER_SECOND);
		this.nextAt = now + 1000 / this.ratePerSecond;
	}
}
