import { sleep } from 'n8n-workflow';

/** The documented limit counts requests of one minute (part 8). */
const WINDOW_MS = 60_000;
/** Requests on their way at the same time; n8n opens a connection for each. */
const MAX_IN_FLIGHT = 1000;
/** Ends of requests are remembered in steps of this length, so that memory does not grow with the rate. */
const STEP_MS = 20;
/** The longest sleep at a stretch, so that a changed situation is noticed. */
const MAX_SLEEP_MS = 500;

/** Pauses after "too many requests" when the service does not say how long: doubled until something gets through. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** However long the service asks to wait: whether it still refuses is tried after this time. */
const LONGEST_TOLD_MS = 600_000;
/** After a refusal one request goes ahead; the next one, when the answer to it takes longer than this. */
const PROBE_MS = 2000;
const PROBE_LOOK_MS = 50;
/** How many may be on their way when the others follow; each one that is accepted makes room for one more. */
const FIRST_IN_FLIGHT = 10;
/** Fewer accepted requests than this say nothing about a rate: others may have used it up just before. */
const LEARNABLE = 10;
/** How much of a rate is kept that turned out to be too high. */
const SLOWDOWN = 0.8;
/** How fast the rate grows again, per second, and after how long without a refusal that starts. */
const RECOVERY_PER_SECOND = 0.02;
const RECOVERY_AFTER_MS = 5000;
/** Over how long it is counted what the service accepts before it refuses. */
const MEASURE_MS = 10_000;
const SLOWEST_PER_SECOND = 0.1;

/** The reason for which a request is not sent when the service asks to wait for longer than it can. */
export const PAUSED_TOO_LONG = new Error('The service asks to wait for longer than this request can');

interface Waiter {
	/** Whether it goes on with something already begun, so that stopping now would leave it half done. */
	begun: boolean;
	/** Whether it goes before the others of its owner. */
	first: boolean;
	/** For how many milliseconds it can wait when the service asks everybody to. */
	patienceMs: number;
	/** What the limit had cost in all when it began to wait, in milliseconds. */
	stalledBefore: number;
	grant: (slot: Slot) => void;
	cancel: (reason: Error) => void;
}

/** The right to have one request on its way. */
export interface Slot {
	/** When it was given, in milliseconds of the limiter's clock. */
	readonly at: number;
	/** Its number among all requests to the workspace. */
	readonly number: number;
	/** For how long the limit kept it waiting, in milliseconds; waiting for others to end does not count. */
	readonly waitedMs: number;
	/** Must be called once when the request has ended. */
	release(accepted: boolean): void;
}

/**
 * Decides when the requests to one workspace leave. Shared by all nodes and executions of it in this process.
 *
 * - Never more than the requests per minute of the credential, in whatever minute the service counts them: a request
 *   counts from its start until a minute after its end, so its arrival at the service always lies in between.
 * - A bounded number at the same time.
 * - Fair: executions take turns.
 * - When the service says "too many requests" all of them wait, and go on at a rate that the service was seen to accept.
 */
export class Limiter {
	private limit: number;
	private readonly queues = new Map<object, Waiter[]>();
	private inFlight = 0;
	/** Requests that count towards the limit: those on their way and those that ended within the last minute. */
	private counted = 0;
	private readonly ended: Array<{ until: number; count: number }> = [];
	private pumping = false;
	/** For how long in all the limit has kept requests waiting. */
	private stalledMs = 0;

	private pausedUntil = 0;
	private pause = FIRST_PAUSE_MS;
	/** Requests per second that the service was found to accept; no bound beyond the limit at first. */
	private pace = Infinity;
	private nextAt = 0;
	/** After a refusal one request goes ahead; the others follow when it was accepted. */
	private probing = false;
	/** When the request that goes ahead left, while it is on its way. */
	private probeAt?: number;
	private mostInFlight = MAX_IN_FLIGHT;
	/** What the service accepted before it refused, and since when, to learn its rate from. */
	private burst?: { count: number; since: number };
	/** Whether a refusal came so early that nothing could be learned from it. */
	private unlearned = false;
	private refusedAt = -Infinity;
	private resumedAt = -Infinity;
	private acceptedAt = -Infinity;
	private recoveredAt = 0;
	/** How many requests had left at the start of each of the last seconds. */
	private readonly history: Array<{ at: number; number: number }> = [];
	private left = 0;

	constructor(
		requestsPerMinute: number,
		private readonly now = () => performance.now(),
	) {
		this.limit = requestsPerMinute;
	}

	/** Sets the requests per minute, a whole number of at least 1. */
	setLimit(requestsPerMinute: number) {
		this.limit = requestsPerMinute;
	}

	/** Whether nothing is waiting, on its way or counted: it can be forgotten then. */
	get idle(): boolean {
		this.expire();
		return this.counted === 0 && this.queues.size === 0;
	}

	/** For how many milliseconds nothing may leave, because the service has asked to wait. */
	get pausedForMs(): number {
		return Math.max(0, this.pausedUntil - this.now());
	}

	/** When the service last accepted something, in milliseconds of the limiter's clock. */
	get lastAcceptedAt(): number {
		return this.acceptedAt;
	}

	/**
	 * Waits for the right to send one request.
	 *
	 * @param owner what takes turns with others: one object for all requests of an execution
	 * @param options `first`: it goes before the owner's other requests; `begun`: stopping now would leave it half done;
	 * `patienceMs`: for how long it can wait when the service asks everybody to
	 * @throws `PAUSED_TOO_LONG` when the service asks to wait for longer than that, at once and without waiting
	 */
	async acquire(owner: object, { first = false, begun = false, patienceMs = Infinity } = {}): Promise<Slot> {
		if (this.pausedForMs > patienceMs) throw PAUSED_TOO_LONG;
		return await new Promise<Slot>((grant, cancel) => {
			const queue = this.queues.get(owner) ?? [];
			this.queues.set(owner, queue);
			const waiter = { begun, first, patienceMs, grant, cancel, stalledBefore: this.stalledMs };
			const behindFirst = first ? queue.findIndex((other) => !other.first) : -1;
			if (behindFirst === -1) queue.push(waiter);
			else queue.splice(behindFirst, 0, waiter);
			void this.pump();
		});
	}

	/**
	 * Ends the waiting of an owner's requests; their `acquire` rejects with the reason.
	 *
	 * @param what all of them, or only those that have not begun anything
	 */
	cancel(owner: object, reason: Error, what: 'all' | 'notBegun') {
		this.cancelWhere(owner, ({ begun }) => what === 'all' || !begun, reason);
	}

	private cancelWhere(owner: object, goes: (waiter: Waiter) => boolean, reason: Error) {
		const queue = this.queues.get(owner) ?? [];
		const staying = queue.filter((waiter) => !goes(waiter));
		if (staying.length > 0) this.queues.set(owner, staying);
		else this.queues.delete(owner);
		for (const waiter of queue) if (goes(waiter)) waiter.cancel(reason);
	}

	/**
	 * Tells that a request was refused for being one too many; to be told before the request is released.
	 *
	 * All requests of the workspace then wait: as long as the service says, else for pauses that double until something
	 * gets through. From how many were accepted before and how long it took until the next one was, the rate is learned.
	 *
	 * @param slot the slot of that request
	 * @param waitMs how long the service asks to wait, when it says so
	 * @returns for how many milliseconds nothing leaves now
	 */
	refused(slot: Slot, waitMs?: number): number {
		const now = this.now();
		// Requests that left before the last refusal say nothing about the rate since.
		if (slot.at >= this.refusedAt) this.slowDown(slot, now);
		const told = waitMs !== undefined && waitMs >= FIRST_PAUSE_MS;
		const wait = told ? Math.min(waitMs, LONGEST_TOLD_MS) : this.pause;
		// Of many that are refused together, the first says it all.
		if (this.refusedAt + wait <= this.pausedUntil) return this.pausedForMs;
		this.pausedUntil = this.refusedAt + wait;
		const paused = this.pausedForMs;
		for (const owner of [...this.queues.keys()])
			this.cancelWhere(owner, ({ patienceMs }) => patienceMs < paused, PAUSED_TOO_LONG);
		return paused;
	}

	private slowDown(slot: Slot, now: number) {
		if (this.probing) {
			this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
		} else {
			this.pause = FIRST_PAUSE_MS;
			if (this.pace === Infinity) this.burst = this.burstBefore(slot);
			else this.pace = Math.max(this.pace * SLOWDOWN, SLOWEST_PER_SECOND);
		}
		this.probing = true;
		this.probeAt = undefined;
		this.refusedAt = now;
		this.recoveredAt = now;
	}

	/**
	 * Services answer in about the order of arrival: what left before the first refused request was accepted. When that
	 * is next to nothing, others had used up the rate, and nothing is learned unless it is so again the next time.
	 */
	private burstBefore({ at, number }: Slot): { count: number; since: number } | undefined {
		const start = Math.max(at - MEASURE_MS, this.resumedAt);
		const from = this.history.find((entry) => entry.at >= start) ?? { at, number };
		const count = number - from.number;
		this.unlearned = count < LEARNABLE && !this.unlearned;
		return this.unlearned ? undefined : { count: Math.max(1, count), since: from.at };
	}

	/** A request was accepted after refusals: the others may follow, at the rate that can be seen from it. */
	private goOn(probe: Slot, now: number) {
		this.probing = false;
		this.probeAt = undefined;
		this.resumedAt = probe.at;
		this.mostInFlight = this.inFlight + FIRST_IN_FLIGHT;
		if (this.burst) {
			const seconds = Math.max(now - this.burst.since, 1) / 1000;
			this.pace = Math.max(Math.min(this.burst.count / seconds, this.limit / 60), SLOWEST_PER_SECOND);
			this.burst = undefined;
		}
		this.nextAt = now;
	}

	/** Lets requests go as long as they may, and sleeps until the next may. */
	private async pump() {
		if (this.pumping) return;
		this.pumping = true;
		try {
			while (this.queues.size > 0) {
				const wait = this.waitMs();
				if (wait === Infinity) return;
				if (wait > 0) await this.stall(wait);
				else this.grantNext();
			}
		} finally {
			this.pumping = false;
		}
	}

	private async stall(ms: number) {
		const before = this.now();
		await sleep(Math.min(ms, MAX_SLEEP_MS));
		this.stalledMs += this.now() - before;
	}

	/** Milliseconds until the next request may leave; infinite when only the end of another one can tell. */
	private waitMs(): number {
		const now = this.now();
		this.expire();
		this.recover(now);
		if (this.inFlight >= (this.probing ? MAX_IN_FLIGHT : this.mostInFlight)) return Infinity;
		let wait = Math.max(this.pausedUntil - now, this.pace === Infinity ? 0 : this.nextAt - now, 0);
		if (this.probeAt !== undefined && now < this.probeAt + PROBE_MS) wait = Math.max(wait, PROBE_LOOK_MS);
		if (this.counted >= this.limit) {
			if (this.ended.length === 0) return Infinity;
			wait = Math.max(wait, this.ended[0].until - now, 1);
		}
		return wait;
	}

	private grantNext() {
		const [owner, queue] = this.queues.entries().next().value as [object, Waiter[]];
		const waiter = queue.shift();
		// To the end of the line, so that the next owner has its turn.
		this.queues.delete(owner);
		if (queue.length > 0) this.queues.set(owner, queue);
		if (!waiter) return;

		const at = this.now();
		const interval = 1000 / this.pace;
		this.nextAt = Math.max(this.nextAt, at - interval) + interval;
		this.inFlight++;
		this.counted++;
		if (this.probing) this.probeAt = at;
		this.note(at);
		let released = false;
		const slot: Slot = {
			at,
			number: this.left - 1,
			waitedMs: this.stalledMs - waiter.stalledBefore,
			release: (accepted) => {
				if (released) return;
				released = true;
				this.release(slot, accepted);
			},
		};
		waiter.grant(slot);
	}

	private release(slot: Slot, accepted: boolean) {
		const now = this.now();
		this.inFlight--;
		const until = Math.ceil((now + WINDOW_MS) / STEP_MS) * STEP_MS;
		const last = this.ended[this.ended.length - 1];
		if (last?.until === until) last.count++;
		else this.ended.push({ until, count: 1 });
		if (accepted) {
			this.acceptedAt = now;
			this.mostInFlight = Math.min(this.mostInFlight + 1, MAX_IN_FLIGHT);
			if (this.probing && slot.at >= this.refusedAt) this.goOn(slot, now);
		}
		if (this.probeAt === slot.at) this.probeAt = undefined;
		void this.pump();
	}

	private expire() {
		const now = this.now();
		while (this.ended.length > 0 && this.ended[0].until <= now) this.counted -= this.ended.shift()!.count;
	}

	private note(at: number) {
		const last = this.history[this.history.length - 1];
		if (last === undefined || at - last.at >= 1000) this.history.push({ at, number: this.left });
		if (this.history[0].at < at - MEASURE_MS - 1000) this.history.shift();
		this.left++;
	}

	/** The rate grows again as long as nothing is refused, until it is no bound any more. */
	private recover(now: number) {
		if (this.pace === Infinity || this.probing || now - this.refusedAt < RECOVERY_AFTER_MS) return;
		const seconds = (now - Math.max(this.recoveredAt, this.refusedAt + RECOVERY_AFTER_MS)) / 1000;
		this.pace *= 1 + RECOVERY_PER_SECOND * seconds;
		this.recoveredAt = now;
		if (this.pace > (2 * this.limit) / 60) this.pace = Infinity;
	}
}
