import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { onApiError, type ApiError } from '../transport/errors/ApiError';
import { apiRequest, type ApiRequest, type Requester } from '../transport/request';

/*
 * n8n's "Retry On Fail" runs the node again for all items if it throws, or if its first output item
 * has an error. What a try before has done must not happen twice, so this process remembers it.
 */

/** n8n waits at most 5 seconds before the next try. */
const KEPT_MS = 60_000;

/**
 * The text of a hint, or what returns it when the run has ended (an empty one is not shown), and
 * what alike hints have in common: n8n shows several of them as one line. Older versions of n8n
 * show each.
 */
export type Hint = [text: string | (() => string), group?: NonNullable<NodeExecutionHint['group']>];

/** Returns the text of a hint when its run has ended. */
export const readHint = (text: Hint[0]): string => (typeof text === 'string' ? text : text());

/**
 * Errors of requests that must not be sent twice, such as the import of several items: all of these
 * fail with the same one.
 */
const doubtful = new WeakSet<ApiError>();

/** What the tries of a run have done with one of its items. */
export class ItemTries {
	/** The values of its fields: an expression such as `{{ $now }}` returns the same in each try. */
	readonly fields = new Map<string, unknown>();

	/** The results of its steps that change something, by their keys. */
	private readonly results = new Map<string, unknown>();

	/** What it found before it changed something; see `findBefore`. */
	private found: unknown;

	/** Its output, if it is done. */
	output?: INodeExecutionData[];

	/** Its error, if nobody knows whether it is done; then it is not tried again. */
	doubt?: ApiError;

	/** Whether nobody knows what became of a request that must not be sent twice. */
	private isInDoubt = false;

	/** Whether it is not tried again. */
	get isSettled(): boolean {
		return this.output !== undefined || this.doubt !== undefined;
	}

	/** Begins a try of it. */
	begin() {
		this.isInDoubt = false;
	}

	/** Does a step and returns its result; returns that of an earlier try, if it succeeded there. */
	async once(key: string, step: () => Promise<unknown>): Promise<unknown> {
		if (!this.results.has(key)) this.results.set(key, await step());
		return this.results.get(key);
	}

	/**
	 * Finds what it is going to change. Once it has changed something, returns what it found before
	 * that, so that it goes on with the same plan and has the same output.
	 */
	async findBefore<Found>(find: () => Promise<Found>): Promise<Found> {
		if (this.results.size === 0) this.found = await find();
		return this.found as Found;
	}

	/**
	 * Returns a requester that sends what changes something once: a request that succeeded in an
	 * earlier try returns its answer of then.
	 *
	 * @param keyOf returns the idempotency key of a request
	 * @param mayRepeat whether a request may be sent again although its outcome is unknown
	 */
	remember(
		requester: Requester,
		keyOf: (request: ApiRequest) => string,
		mayRepeat: (request: ApiRequest) => boolean,
	): Requester {
		return {
			service: requester.service,
			request: async (endpoint, parts) => {
				const send = async () => await requester.request(endpoint, parts);
				if (endpoint.method === 'GET') return await send();
				const request = apiRequest(endpoint, parts);
				return await this.once(keyOf(request), send).catch(
					onApiError(
						({ details }) => details.outcome === 'unknown' && !mayRepeat(request),
						(error): never => {
							this.isInDoubt = true;
							if (!request.isLookedFor) doubtful.add(error);
							throw error;
						},
					),
				);
			},
		};
	}

	/** Notes that the item is done. */
	succeed(output: INodeExecutionData[]) {
		this.output = output;
		this.results.clear();
	}

	/** Notes why the item failed. The operation may have found out what became of its requests. */
	fail(error: ApiError) {
		const isInDoubt = this.isInDoubt || doubtful.has(error);
		if (isInDoubt && error.details.outcome === 'unknown') this.doubt = error;
	}
}

/** The tries of one run of a node. */
export class RunTries {
	/** How many tries came before this one. */
	before = -1;

	/** How many items these have done. */
	doneBefore = 0;

	/** How many messages these have sent that may have arrived twice. */
	maybeTwice = 0;

	/** Their hints, which n8n loses. */
	hints: Hint[] = [];

	private readonly items = new Map<number, ItemTries>();

	/** Forgets the run when its time is over. */
	private timer?: AbortSignal;

	private constructor(private readonly name: string) {}

	/**
	 * Begins a try.
	 *
	 * @param name of the run, the same in each of its tries
	 */
	static begin(name: string): RunTries {
		const tries = remembered.get(name) ?? new RunTries(name);
		remembered.set(name, tries);
		tries.timer?.removeEventListener('abort', tries.forget);
		tries.before++;
		tries.doneBefore = tries.countDone();
		return tries;
	}

	/** Returns what is known about an item when its next try begins. */
	ofItem(index: number): ItemTries {
		const item = this.items.get(index) ?? new ItemTries();
		this.items.set(index, item);
		item.begin();
		return item;
	}

	/**
	 * Ends a try, and forgets the run when no other one can come.
	 *
	 * @param outputs undefined if the node throws
	 * @param hints all that it and the tries before have given
	 * @param maybeTwice how many of its messages may have arrived twice
	 */
	end(outputs: INodeExecutionData[] | undefined, hints: Iterable<Hint> = [], maybeTwice = 0) {
		this.maybeTwice += maybeTwice;
		this.hints = [...hints].map(([text, group]) => [readHint(text), group]);
		const isDone = this.countDone() === this.items.size;
		// Some versions of n8n take null for an error.
		const isTriedAgain = !outputs || outputs[0]?.json.error !== undefined;
		if (isDone && !isTriedAgain) {
			this.forget();
			return;
		}
		// Unlike setTimeout, this timer does not keep the process alive.
		this.timer = AbortSignal.timeout(KEPT_MS);
		this.timer.addEventListener('abort', this.forget, { once: true });
	}

	private readonly forget = () => remembered.delete(this.name);

	private countDone(): number {
		return [...this.items.values()].filter(({ output }) => output).length;
	}
}

/** The runs that n8n may try again, by their names. */
const remembered = new Map<string, RunTries>();
