import { NodeHelpers } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { ApiClient } from '../transport/client';
import type { ClientSettings } from '../transport/client';
import type { FailedOutcome } from '../transport/errors/errors';
import { CREDENTIAL } from '../transport/credential';
import type { ApiRequest, Requester } from '../transport/request';
import { labelAt, labelsOf } from '../validation/labels';
import { clientSettings } from './requestOptions';
import { toolParameter } from './toolParameters';

/** What became of an item. */
export type Outcome = 'done' | FailedOutcome;

/** What a run knows of each of its items. */
export interface RunItem {
	/** Its number among the input items. */
	readonly index: number;
	readonly input: INodeExecutionData;
	/** What it asks for, as the operation's endpoint takes it; set once it has been checked. */
	params: IDataObject;
	query: IDataObject;
	body: unknown;
	outcome: Outcome;
}

/**
 * Returns `find` with a memory: in each run it is called once for the same keys, and all items share the result. Two
 * functions never share a memory. A promise that fails is kept, too.
 *
 *     const definitions = oncePerRun(async (item: Item) => await readDefinitions(item));
 *     const ownerOf = oncePerRun((item: Item, clientId: string) => item.index);
 *
 * @param find the first argument has the run; the others are the key
 */
export function oncePerRun<Asker extends { readonly run: Run }, Keys extends string[], Found>(
	find: (asker: Asker, ...keys: Keys) => Found,
): (asker: Asker, ...keys: Keys) => Found {
	const memories = new WeakMap<Run, Map<string, Found>>();
	return (asker, ...keys) => {
		const memory = memories.get(asker.run) ?? new Map<string, Found>();
		memories.set(asker.run, memory);
		const key = JSON.stringify(keys);
		if (!memory.has(key)) memory.set(key, find(asker, ...keys));
		return memory.get(key)!;
	};
}

/** One run of an operation: its items, the connection to the workspace, and what items find out for each other. */
export class Run {
	items: RunItem[] = [];

	/** The labels that errors name fields by. */
	readonly labels: Record<string, string>;

	/** The operation's fields that the user sees, as the node's parameters are. */
	readonly shownFields: INodeProperties[];

	/** Whether the node is a tool of an agent; n8n makes a node type of its own of it. */
	readonly isTool: boolean;

	/** What the user is told at the output; see `hint`. */
	readonly hints = new Set<string>();

	/** The Default Country Code of the credential, as it stands there. */
	defaultCountryCode: unknown;

	/** Set when an item failed and the run is to stop: what has not been sent then stays unsent. */
	isStopped = false;

	private readonly parameters = new Map<string, unknown>();

	private readonly findings = new Map<string, unknown>();

	private readonly queues = new Map<string, Promise<unknown>>();

	private readonly settings: ClientSettings;

	private connection?: Promise<ApiClient>;

	/** The connection, once it is there. */
	client?: ApiClient;

	/** How many items have come to their end, whatever became of them. */
	endedItems = 0;

	/** What the run waits for that the service does by itself, such as an import; n8n's log has it. */
	waitsFor?: string;

	constructor(
		readonly context: IExecuteFunctions,
		/** The fields of the operation that is run. */
		fields: INodeProperties[],
		/** Whether it is one call of an agent's tool, which n8n counts as part of the agent's run. */
		readonly isToolCall = false,
	) {
		const node = context.getNode();
		this.settings = clientSettings(context);
		this.isTool = node.type.endsWith('Tool');
		this.labels = labelsOf(fields);
		this.shownFields = fields.filter((field) =>
			NodeHelpers.displayParameter(node.parameters, field, node, null),
		);
	}

	/** Reads what items need to know of the credential. One that is missing is an error only when something is sent. */
	async readCredential() {
		const credential = await this.context.getCredentials(CREDENTIAL).catch(() => undefined);
		this.defaultCountryCode = credential?.defaultCountryCode;
	}

	/** Whether other items go on when one fails ("On Error"). */
	get continuesOnFail(): boolean {
		return this.context.continueOnFail();
	}

	/** The value of a parameter for an item, as an operation takes it; see `toolParameter` for what that means in a tool. */
	parameter(name: string, index: number, fallback: unknown): unknown {
		if (!this.isTool) return this.ownParameter(name, index, fallback);
		return toolParameter((own, instead) => this.ownParameter(own, index, instead), name, fallback);
	}

	/**
	 * The value of a parameter of the node for an item. One without an expression is the same for all items and read once.
	 */
	ownParameter(name: string, index: number, fallback: unknown): unknown {
		const [outer] = name.split('.');
		if (hasExpression(this.context.getNode().parameters[outer]))
			return this.context.getNodeParameter(name, index, fallback);
		if (!this.parameters.has(name))
			this.parameters.set(name, this.context.getNodeParameter(name, index, fallback));
		return this.parameters.get(name);
	}

	/**
	 * What sends the requests of one item. The first item to ask opens the connection to the workspace.
	 *
	 * @param keyOf makes the idempotency keys of the item's requests
	 */
	async requester(keyOf: (request: ApiRequest) => string): Promise<Requester> {
		this.connection ??= ApiClient.open(this.context, this.settings);
		const client = await this.connection;
		this.client = client;
		return client.requester(this.context, (path) => labelAt(path, this.labels), keyOf);
	}

	/** Replaced by `oncePerRun`. */
	once<T>(name: string, find: () => T): T {
		if (!this.findings.has(name)) this.findings.set(name, find());
		return this.findings.get(name) as T;
	}

	/**
	 * Tells the user something at the output when the run has ended. However many items say the same, it stands there once.
	 *
	 * @param text complete sentences
	 */
	hint(text: string) {
		this.hints.add(text);
	}

	/**
	 * Lets items that have something in common work one after the other, in the order in which they ask.
	 *
	 * It can be nested as long as the inner names are others than the outer ones.
	 *
	 * @param names what the work is about; it waits for all earlier work that has one of them
	 */
	async runExclusive<T>(names: Iterable<string>, work: () => Promise<T>): Promise<T> {
		const own = [...new Set(names)];
		const before = Promise.allSettled(own.map((name) => this.queues.get(name)));
		const result = before.then(work);
		for (const name of own) this.queues.set(name, result);
		return await result;
	}

	/** Stops what has not begun to change anything. */
	stop() {
		this.isStopped = true;
		void this.connection?.then(
			(client) => client.stop(),
			() => {},
		);
	}

	/** Lets go of the connection, where there is one. */
	close() {
		this.client?.close();
	}
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}
