import { limits } from '../../contract/limits';
import { Steps } from './bookkeeping';

/** A rejection lowers the rate to this share of what the service accepted. */
const SHARE_OF_ACCEPTED = 0.9;
/**
 * But at least this share of the rate stays: others may have used up the limit just before, so that
 * the service accepted hardly anything.
 */
const LEAST_SHARE = 0.25;
/** Fewer accepted requests say nothing about a rate, and slow start alone keeps rejections few. */
const FEWEST_ACCEPTED = 10;
/** What each accepted request adds to the rate, in requests per second. */
const INCREASE = 0.01;
const SLOWEST_PER_SECOND = 0.1;
/** How far back the rate of accepted requests is measured. */
const MEASURED_MS = 60_000;
/** So long after the last pause, nothing is left of what it taught. */
const FORGET_MS = 600_000;

/**
 * The rate at which the service accepts requests, as far as its rejections have shown it. All times
 * are milliseconds of one clock, and never go back.
 */
export class LearnedRate {
	/** In requests per second; no bound until the service rejects one. */
	private learned = Infinity;
	/** Infinite from a rejection to the end of its pause. */
	private forgottenAt = -Infinity;
	/** When the service accepted requests since the last pause, in the last minute of them. */
	private accepted = new Steps();

	/** Whether it is as if the service had never rejected a request. */
	isForgotten(now: number): boolean {
		return now >= this.forgottenAt;
	}

	/** Returns the requests per second: the longer ago the last pause, the more. */
	perSecond(now: number): number {
		if (this.isForgotten(now)) return Infinity;
		const left = (this.forgottenAt - now) / FORGET_MS;
		const age = Math.max(1 - left, 0);
		return this.learned / (1 - age ** 2) ** 5;
	}

	/** Notes an accepted request, which raises the rate up to the most that may leave anyway. */
	onAccepted(now: number, mostPerSecond: number) {
		this.accepted.add(now);
		this.accepted.removeUpTo(now - MEASURED_MS);
		if (this.perSecond(now) < mostPerSecond) this.learned += INCREASE;
		else this.learned = Infinity;
	}

	/** Notes that the service rejects requests from now on. */
	onRefused(now: number) {
		this.learned = this.perSecond(now);
		this.forgottenAt = Infinity;
	}

	/**
	 * Notes the end of a pause. The pause counts: where 120 requests are allowed in 10 seconds, they
	 * may leave in the first second, and the other nine are pause.
	 *
	 * @param hadMore whether the service rejected a request while others waited; if not, it accepted
	 * all that it got, and how much that was says nothing about what it allows
	 */
	onRecovered(now: number, mostPerSecond: number, hadMore: boolean) {
		const before = Math.min(this.learned, mostPerSecond);
		// A credential may allow far more than any service does. Then part 8 says what to begin with.
		const plausible = Math.min(before, limits.requestsPerMinute / 60);
		if (hadMore && this.accepted.total >= FEWEST_ACCEPTED)
			this.learned = Math.max(
				Math.min(this.accepted.highestRate(now) * SHARE_OF_ACCEPTED, before),
				plausible * LEAST_SHARE,
				SLOWEST_PER_SECOND,
			);
		this.forgottenAt = now + FORGET_MS;
		this.accepted = new Steps();
	}
}
