import {
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';
import type { ApiClient } from '../transport/client';
import type { FailedOutcome } from '../transport/errors/ApiError';
import type { FieldLabel } from '../transport/errors/serverMessage';
import type { ApiRequest, Requester } from '../transport/request';
import { labelAt, labelsOf } from '../values/labels';
import { hasExpression } from '../values/expressions/expression';
import type { Hint, RunTries } from './tries';
import { unique } from '../transport/guards';

/** What happened to an item. */
export type Outcome = 'done' | FailedOutcome;

/** What a run knows of each of its items. */
export interface RunItem {
	/** Its number among the input items. */
	readonly index: number;
	readonly input: INodeExecutionData;
	/** Its request, once it has been validated. */
	readonly params: IDataObject;
	readonly query: IDataObject;
	readonly body: unknown;
	readonly outcome: Outcome;
	/** What the tries before have done with it. */
	readonly tries?: { readonly isSettled: boolean };
}

/**
 * Returns `find` with a memory: in each run it is called once for the same keys, and all items
 * share the result. Two functions never share a memory. A promise that fails is kept, too.
 *
 *     const definitions = oncePerRun(async (item: Item) => await readDefinitions(item));
 *     const ownerOf = oncePerRun((item: Item, clientId: string) => item.index);
 *
 * @param find the first argument has the run; the others, as JSON, are the key
 */
export function oncePerRun<Asker extends { readonly run: Run }, Keys extends unknown[], Found>(
	find: (asker: Asker, ...keys: Keys) => Found,
): (asker: Asker, ...keys: Keys) => Found {
	const memories = new WeakMap<Run, Map<string, Found>>();
	return (asker, ...keys) => {
		const { run } = asker;
		let memory = memories.get(run);
		if (!memory) {
			memory = new Map();
			memories.set(run, memory);
		}
		const key = JSON.stringify(keys);
		if (!memory.has(key)) {
			const found = find(asker, ...keys);
			memory.set(key, found);
		}
		return memory.get(key)!;
	};
}

/**
 * One run of an operation: its items, its connection to the workspace, and what its items share.
 */
export class Run {
	items: RunItem[] = [];

	/** The labels of the operation's fields, by their names; errors use them. */
	readonly labels: Record<string, string>;

	/** Whether the operation sends messages. */
	sendsMessages = false;

	/** Whether the node is a tool of an agent; n8n gives a tool its own node type. */
	readonly isTool: boolean;

	/** Hints for the user at the output; see `hint`. */
	readonly hints = new Map<Hint[0], Hint[1]>();

	/** What its tries have done, with "Retry On Fail" and an operation that changes something. */
	tries?: RunTries;

	/** The credential as n8n decrypted it for this run; undefined if it has none. */
	credential?: ICredentialDataDecryptedObject;

	/** Whether an item failed and the run stops: items without a request stay without one. */
	isStopped = false;

	/** Whether items wait for others before them, as "Batching" says. */
	startsInBatches = false;

	/** How many items have ended, with any outcome. */
	endedItems = 0;

	/** What the run waits for besides answers, such as an import; n8n's log shows it. */
	waitsFor?: string;

	/** The connection to the workspace, once it is open. */
	client?: ApiClient;

	/** Says that all items have ended. */
	end!: () => void;

	/** Resolves when all items have ended. */
	readonly ended = new Promise<void>((resolve) => {
		this.end = resolve;
	});

	private readonly shown: ReadonlySet<INodeProperties>;

	/** The parameters of the node as the user entered them, with their expressions. */
	readonly entered: INodeParameters;

	private readonly parameters = new Map<string, unknown>();

	private readonly lines = new Map<string, Line>();

	/** When the items before have looked up what they are about. */
	private looked: Promise<unknown> = Promise.resolve();

	private connection?: Promise<ApiClient>;

	/**
	 * @param fields the fields of the operation
	 * @param open opens the connection to the workspace
	 * @param isToolCall whether an agent calls the tool itself; n8n then shows no hints
	 */
	constructor(
		readonly context: IExecuteFunctions,
		fields: INodeProperties[],
		private readonly open: (credential?: ICredentialDataDecryptedObject) => Promise<ApiClient>,
		readonly isToolCall = false,
	) {
		const node = context.getNode();
		this.isTool = node.type.endsWith('Tool');
		this.entered = node.parameters;
		this.labels = labelsOf(fields);
		this.shown = new Set(
			fields.filter((field) => NodeHelpers.displayParameter(node.parameters, field, node, null)),
		);
	}

	/**
	 * Whether the user sees a field of the operation; the value of one that is hidden does not count.
	 */
	shows(field: INodeProperties): boolean {
		return this.shown.has(field);
	}

	/** The path of a parameter, which a collection that the user sees can hold: `options.page`. */
	pathOf(name: string): string {
		const collections = [...this.shown].filter(({ type }) => type === 'collection');
		const holder = collections.find(({ options = [] }) =>
			options.some((each) => each.name === name),
		);
		return holder ? `${holder.name}.${name}` : name;
	}

	/** Its items without those that earlier tries of n8n have settled. */
	get openItems(): RunItem[] {
		return this.items.filter(({ tries }) => !tries?.isSettled);
	}

	/** The Default Country Code of the credential, as the user entered it. */
	get defaultCountryCode(): unknown {
		return this.credential?.defaultCountryCode;
	}

	/** The time zone of the workflow. */
	get timezone(): string {
		return this.context.getTimezone();
	}

	/** Fires when the execution is cancelled; undefined if n8n does not say that. */
	get cancelSignal(): AbortSignal | undefined {
		return this.context.getExecutionCancelSignal();
	}

	/** Whether the other items continue if one fails ("On Error"). */
	get continuesOnFail(): boolean {
		return this.context.continueOnFail();
	}

	/**
	 * The value of a parameter of the node for an item, also inside a collection: `options.page`. A
	 * field without an expression is read once for all items, another one with every call; see
	 * `Item.parameter`.
	 */
	parameter(name: string, index: number, fallback?: unknown): unknown {
		const [field] = name.split('.');
		const { context, parameters } = this;
		const isPerItem = hasExpression(this.entered[field]);
		if (isPerItem) return context.getNodeParameter(name, index, fallback);
		if (!parameters.has(name)) {
			const value = context.getNodeParameter(name, index, fallback);
			parameters.set(name, value);
		}
		return parameters.get(name);
	}

	/**
	 * Returns the requester of one item. The first item that asks opens the connection.
	 *
	 * @param keyOf returns the idempotency key of a request of the item
	 */
	async createRequester(keyOf: (request: ApiRequest) => string): Promise<Requester> {
		this.connection ??= this.open(this.credential);
		this.client = await this.connection;
		if (this.isStopped) this.client.stop();
		const label: FieldLabel = (path) => labelAt(path, this.labels);
		return this.client.createRequester(this.context, label, keyOf);
	}

	/**
	 * Shows a hint at the output when the run has ended; once, even if several items give it.
	 *
	 * @param hint its text in complete sentences, and what several such hints have in common
	 */
	hint(...[text, group]: Hint) {
		this.hints.set(text, group);
	}

	/**
	 * Looks something up for an item, at the same time as for the others. Waits until the items
	 * before have looked, too, so that the items go on in their order.
	 */
	async inOrder<T>(look: () => Promise<T>): Promise<T> {
		const before = this.looked;
		const found = look();
		this.looked = Promise.allSettled([before, found]);
		await before;
		return await found;
	}

	/**
	 * Runs a task. If it fails and the run stops on a failure, it stops before a task begins that has
	 * waited for this one.
	 */
	async runOrStop<T>(work: () => Promise<T>): Promise<T> {
		return await work().catch((error: unknown) => {
			if (!this.continuesOnFail) this.stop();
			throw error;
		});
	}

	/**
	 * Runs tasks that share a name one after the other, in the order of the calls. Tasks that shared
	 * a name once stay in one queue. If a task fails and the run stops on a failure, it stops before
	 * the next task begins. A task without a name waits for none. Calls can be nested if the inner
	 * names differ from the outer ones.
	 *
	 * @param names of the task, such as `email:a@b.c`
	 * @param work gets whether it has waited for other tasks
	 */
	async runExclusive<T>(
		names: Iterable<string>,
		work: (hasWaited: boolean) => Promise<T>,
	): Promise<T> {
		const own = new Set(names);
		const linesOfNames = [...own].flatMap((name) => this.lines.get(name) ?? []);
		const lines = unique(linesOfNames);
		const hasWaited = lines.length > 0;
		const before = Promise.allSettled(lines.map(({ last }) => last));
		const result = before.then(async () => await this.runOrStop(async () => await work(hasWaited)));
		this.joinLines(lines, own, result);
		return await result;
	}

	/** Puts a task at the end of all lines, which are one from then on. */
	private joinLines(lines: Line[], names: Set<string>, last: Promise<unknown>) {
		// The longest line takes in the others, which costs least.
		lines.sort((a, b) => b.names.size - a.names.size);
		const [longest, ...others] = lines;
		const line: Line = longest ?? { names: new Set(), last };
		line.last = last;
		const taken = others.flatMap((other) => [...other.names]);
		const joined = [...names, ...taken];
		for (const name of joined) {
			line.names.add(name);
			this.lines.set(name, line);
		}
	}

	/** Stops the items that have not written anything yet. */
	stop() {
		this.isStopped = true;
		this.client?.stop();
	}
}

/** A queue of tasks. */
interface Line {
	names: Set<string>;
	/** The latest task. */
	last: Promise<unknown>;
}
