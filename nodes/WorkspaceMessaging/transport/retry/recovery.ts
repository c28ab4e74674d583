import type { Context } from '../http';
import { pause, retryDelayMs } from './delays';

/** How far apart two answers have to be: a service that restarts may answer once and fail again. */
const APART_MS = 1000;
/** The pause before the second answer is asked for: a timer can end a little early. */
const NEXT_ANSWER_MS = 1100;
/** The longest pause before the next question in an outage. */
const LONGEST_QUESTION_PAUSE_MS = 2000;

/** How waiting for the service has ended. */
type Recovered =
	/** The service answers, and did so all the time. */
	| 'answering'
	/** The service answers again, but for some time it did not. */
	| 'back'
	/** The time is over, or the execution was cancelled. */
	| 'late';

/** A request that waits. Times are in milliseconds of `performance.now()`. */
interface WaitingRequest {
	/** When it failed. */
	since: number;
	/** How long it can wait. */
	until: number;
	/** Whether stopping the run must not end it, because its item would be left half done. */
	mustFinish: boolean;
	firstAnswerAt?: number;
	/** Whether a question has failed, too. */
	hasOutage: boolean;
	end(recovered: Recovered): void;
}

/**
 * Lets requests that failed wait until the service answers again. Asks the service meanwhile, with
 * one question for all requests of a run.
 */
export class Recovery {
	private readonly waiters = new Set<WaitingRequest>();
	private isAsking = false;
	/** When the newest request was sent that has got an answer. */
	private lastAnsweredSentAt = -Infinity;
	private outageSince?: number;

	/** For how many milliseconds in all requests have waited for a service that did not answer. */
	outageMs = 0;

	/**
	 * @param ask asks the service something; returns whether it answered
	 * @param signal ends all waiting
	 */
	constructor(
		private readonly ask: (context: Context) => Promise<boolean>,
		private readonly signal?: AbortSignal,
	) {}

	/**
	 * Waits for two answers of the service, a second apart.
	 *
	 * @param context sends the question, unless another request's context does
	 * @param until when to give up, in milliseconds of `performance.now()`
	 * @param mustFinish whether `stop` does not end it
	 */
	async wait(context: Context, until: number, mustFinish: boolean): Promise<Recovered> {
		return await new Promise((end) => {
			const since = performance.now();
			this.waiters.add({ since, until, mustFinish, hasOutage: false, end });
			if (!this.isAsking) void this.keepAsking(context);
		});
	}

	/** Ends the waiting of all requests that need not finish. */
	stop() {
		for (const waiter of this.waiters) {
			if (!waiter.mustFinish) this.end(waiter, 'late');
		}
	}

	/**
	 * Takes note of an answer to a request that was sent at this time. It proves nothing to requests
	 * that failed later.
	 */
	answered(sentAt: number) {
		this.lastAnsweredSentAt = Math.max(this.lastAnsweredSentAt, sentAt);
		const now = performance.now();
		for (const waiter of this.waiters) {
			if (sentAt < waiter.since) continue;
			waiter.firstAnswerAt ??= now;
			if (now - waiter.firstAnswerAt >= APART_MS)
				this.end(waiter, waiter.hasOutage ? 'back' : 'answering');
		}
	}

	/**
	 * Asks the service for all that wait, in ever longer pauses while it fails, until nothing waits any
	 * more. While other requests get answers, it does not ask.
	 */
	private async keepAsking(context: Context) {
		this.isAsking = true;
		const startedAt = performance.now();
		let pauseMs = retryDelayMs(0);
		let failures = 0;
		for (;;) {
			const pausedAt = performance.now();
			await pause(Math.min(pauseMs, this.timeLeftMs()), this.signal);
			this.endLate();
			if (this.waiters.size === 0) break;
			// An answer to any other request is as good.
			if (this.lastAnsweredSentAt > pausedAt) continue;
			const sentAt = performance.now();
			if (await this.ask(context)) {
				failures = 0;
				pauseMs = NEXT_ANSWER_MS;
				this.answered(sentAt);
				continue;
			}
			failures++;
			pauseMs = Math.min(retryDelayMs(failures), LONGEST_QUESTION_PAUSE_MS);
			this.noteOutage(startedAt);
		}
		this.isAsking = false;
	}

	private noteOutage(since: number) {
		this.outageSince ??= since;
		for (const waiter of this.waiters) {
			waiter.hasOutage = true;
			waiter.firstAnswerAt = undefined;
		}
	}

	/** For how long all of the waiting requests can still wait. */
	private timeLeftMs() {
		let end = Infinity;
		for (const { until } of this.waiters) end = Math.min(end, until);
		return Math.max(0, end - performance.now());
	}

	private endLate() {
		const isOver = this.signal?.aborted === true;
		const now = performance.now();
		for (const waiter of this.waiters) {
			if (isOver || waiter.until <= now) this.end(waiter, 'late');
		}
	}

	private end(waiter: WaitingRequest, recovered: Recovered) {
		this.waiters.delete(waiter);
		if (this.waiters.size === 0 && this.outageSince !== undefined) {
			this.outageMs += performance.now() - this.outageSince;
			this.outageSince = undefined;
		}
		waiter.end(recovered);
	}
}
