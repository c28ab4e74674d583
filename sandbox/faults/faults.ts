import { z } from 'zod/v4';
import { faults, type Faults } from '../options';
import { chanceOf, sequenceOf } from './random';
import type { OperationName } from '../routes';

/** A request, as far as faults care. */
interface FaultTarget {
	method: string;
	path: string;
	body: string | undefined;
	operation: OperationName | undefined;
}

type Settings = z.output<typeof faults>;
type Rule<Key extends 'fail' | 'hostile'> = NonNullable<Settings[Key]>[number];
type Occasion = NonNullable<Settings['dropBefore']>;

/** What a rule has seen so far. */
interface Tally {
	struck: Map<string, number>;
	seen: Map<string, number>;
}

/** The decision of the limit about a request. */
interface RateVerdict {
	refused: boolean;
	headers: Record<string, string>;
	/** The wait in whole seconds, if only the text of the answer states it. */
	toldInWords?: string;
}

/** The documented limit (part 8). */
const documentedRate = {
	requests: 10_000,
	windowMs: 60_000,
	kind: 'sliding',
	tell: 'none',
	body: 'json',
} as const;

const countUp = (counts: Map<string, number>, key: string) => {
	const count = counts.get(key) ?? 0;
	counts.set(key, count + 1);
	return count;
};

/** The faults of a workspace, and which of them strike a request. */
export class FaultPlan {
	settings: Settings = {};
	/** The key is the rule itself: setting a rule again resets it. */
	#tallies = new WeakMap<object, Tally>();
	#chances = sequenceOf(1);
	#changedLists = 0;
	/** Times of the requests that the limit let pass, oldest first. */
	#passed: number[] = [];

	/** @param usualRate the limit that is there unless a test sets another one or none */
	constructor(
		settings: Faults,
		private readonly usualRate: NonNullable<Settings['rateLimit']> | null = documentedRate,
	) {
		this.change(settings);
	}

	/** Sets some faults and leaves the others. */
	change(settings: Faults): void {
		const parsed = faults.parse(settings);
		if (parsed.rateLimit !== undefined) this.#passed = [];
		if (parsed.changeWhilePaging) {
			this.#chances = sequenceOf(parsed.changeWhilePaging.seed);
			this.#changedLists = 0;
		}
		this.settings = { ...this.settings, ...parsed };
	}

	/** Counts a request against the rate limit. */
	meter(now: number): RateVerdict {
		const limit = this.settings.rateLimit === undefined ? this.usualRate : this.settings.rateLimit;
		if (limit === null) return { refused: false, headers: {} };
		const passed = this.#passed;
		if (now - passed[0] >= limit.windowMs) {
			const fresh =
				limit.kind === 'fixed' ? -1 : passed.findIndex((time) => now - time < limit.windowMs);
			passed.splice(0, fresh === -1 ? passed.length : fresh);
		}
		const refused = passed.length >= limit.requests;
		if (!refused) passed.push(now);
		const opensAt = passed[0] + limit.windowMs;
		const seconds = String(Math.max(1, Math.ceil((opensAt - now) / 1000)));
		if (!refused || limit.tell === 'none') return { refused, headers: {} };
		if (limit.tell === 'words') return { refused, headers: {}, toldInWords: seconds };
		const date = new Date(Math.ceil(opensAt / 1000) * 1000).toUTCString();
		return { refused, headers: { 'Retry-After': limit.tell === 'seconds' ? seconds : date } };
	}

	/**
	 * Returns what others do before a request for contacts. They delete the contact at this place,
	 * from 0 to 1, in the list.
	 */
	changeBeforeList(page: number): { creates: boolean; deletesAt?: number } {
		const { growWhilePaging, changeWhilePaging } = this.settings;
		if (!changeWhilePaging) return { creates: Boolean(growWhilePaging) && page > 1 };
		const { creates, deletes, deletesNewest, times = Infinity } = changeWhilePaging;
		if (++this.#changedLists > times) return { creates: false };
		const isCreation = this.#chances() < creates;
		const isDeletion = this.#chances() < deletes;
		const place = deletesNewest ? 0 : this.#chances();
		return { creates: isCreation, ...(isDeletion && { deletesAt: place }) };
	}

	/** How long a request waits. */
	latency(target: FaultTarget, nth: number): number {
		const latency = this.settings.latencyMs ?? 0;
		if (typeof latency === 'number') return latency;
		const [least, most] = latency;
		return (
			least + (most - least) * chanceOf(`${this.settings.seed ?? 1} latency ${nth} ${target.path}`)
		);
	}

	/** Whether a fault with one rule applies. */
	strikes(
		fault: 'dropBefore' | 'dropAfter' | 'dropDuring' | 'redirect',
		target: FaultTarget,
	): boolean {
		const rule = this.settings[fault];
		return Boolean(rule) && this.#strikes(fault, rule as Occasion, target);
	}

	/** Returns the first rule that applies, before or after the request is handled. */
	failing(target: FaultTarget, after: boolean): Rule<'fail'> | undefined {
		return this.settings.fail?.find(
			(rule, index) =>
				(rule.after ?? false) === after && this.#strikes(`fail ${index}`, rule, target),
		);
	}

	/** The first hostile answer that is due. */
	hostile(target: FaultTarget): Rule<'hostile'> | undefined {
		return this.settings.hostile?.find((rule, index) =>
			this.#strikes(`hostile ${index}`, rule, target),
		);
	}

	#strikes(name: string, rule: Occasion, { method, path, body, operation }: FaultTarget): boolean {
		const { match = {}, rate, times, per = 'rule' } = rule;
		if (match.method !== undefined && match.method !== method) return false;
		if (match.operation !== undefined && match.operation !== operation) return false;
		if (match.pathPattern !== undefined && !new RegExp(match.pathPattern).test(path)) return false;
		if (rate === undefined && times === undefined) return true;

		let tally = this.#tallies.get(rule);
		if (!tally) this.#tallies.set(rule, (tally = { struck: new Map(), seen: new Map() }));
		const call = `${method} ${path}`;
		// By request and attempt, not by order of arrival: that differs between runs when requests are
		// sent side by side.
		if (rate !== undefined) {
			const attempt = countUp(tally.seen, call);
			if (chanceOf(`${this.settings.seed ?? 1} ${name} ${attempt} ${call}`) >= rate) return false;
		}
		if (times === undefined) return true;
		return countUp(tally.struck, per === 'request' ? `${call} ${body}` : '') < times;
	}
}
