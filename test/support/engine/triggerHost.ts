import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
	commitStagedCursor,
	DirectoryLoader,
	PollContext,
	PollTriggerExecutor,
	runPollInStagingScope,
	TriggersAndPollers,
	WorkflowExecute,
} from 'n8n-core';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import type {
	IBinaryData,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { additionalDataOf, CREDENTIAL, load, shownError } from './engine';
import type { Credential } from './engine';

const TRIGGER = 'n8n-nodes-workspace-messaging.workspaceMessagingTrigger';

const { WorkspaceMessagingTrigger } = load<{ WorkspaceMessagingTrigger: new () => INodeType }>(
	'nodes/WorkspaceMessaging/WorkspaceMessagingTrigger.node.js',
);
/** The compiled trigger, completed the way n8n's loader does it. */
export const compiledTrigger = new WorkspaceMessagingTrigger();
DirectoryLoader.applyDeclarativeNodeOptionParameters(compiledTrigger);

const nodeTypes = {
	getByName: () => compiledTrigger,
	getByNameAndVersion: () => compiledTrigger,
	getKnownTypes: () => ({}),
} as unknown as INodeTypes;

/**
 * How n8n runs a polling trigger and keeps its memory:
 * - `inMemory`: n8n's own way until 2.36 and its default since. All polls of an activation share one object, which is
 *   written to the database when items come, and after the poll with which the workflow is activated.
 * - `scheduled`: the scheduler without durable cursors. Each poll reads that object from the database.
 * - `durable`: each poll has a copy of a cursor, which is committed with the items, or without them, but not after the poll
 *   with which the workflow is activated.
 */
export const engines = ['inMemory', 'scheduled', 'durable'] as const;
export type Engine = (typeof engines)[number];

/** What n8n's database holds of a workflow. */
export interface Database {
	workflowId: string;
	staticData: IDataObject;
}

interface Staged {
	cursor: IDataObject;
	seed: IDataObject;
}

const silentLogger = {
	scoped: () => silentLogger,
	debug() {},
	info() {},
	warn() {},
	error() {},
};
const noTracing = {
	startSpan: async (_options: unknown, run: (span: unknown) => unknown) => await run({ setStatus() {} }),
	startNewTraceSpan: async (_options: unknown, run: (span: unknown) => unknown) =>
		await run({ setStatus() {} }),
	pickWorkflowAttributes: () => ({}),
	pickNodeAttributes: () => ({}),
};

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** An n8n that runs one workflow with our trigger, and what it has in its database. */
export class TriggerHost {
	/** Items of the executions that were started, each with what was in it. */
	executions: IDataObject[][] = [];

	/** The files of the items of all executions. */
	files: Array<Record<string, IBinaryData>> = [];

	/** Why polls failed. */
	errors: Array<Error & { httpCode?: string | null; description?: string | null }> = [];

	/** How long n8n's scheduler lets a poll run, in milliseconds. */
	budgetMs = 36_000;

	/** How many polls succeeded. */
	succeeded = 0;

	private cursor: IDataObject | undefined;

	private activation: { poll: (isFirst: boolean) => Promise<void>; isCurrent: boolean } | undefined;

	/** Whether the scheduler knows the node. */
	private isProvisioned = false;

	private readonly poller = new TriggersAndPollers();

	constructor(
		private readonly credential: Credential,
		private parameters: INodeParameters,
		readonly engine: Engine = 'inMemory',
		/** What the database holds of the workflow; triggers of one workflow have it in common. */
		readonly database: Database = { workflowId: randomUUID(), staticData: {} },
		private readonly name = 'Workspace Messaging Trigger',
	) {
		this.poller.events.on('poll-tick-completed', ({ status }) => {
			if (status === 'success') this.succeeded++;
		});
	}

	/** Switches the workflow on. */
	async activate(): Promise<void> {
		await this.begin('activate');
	}

	/** Publishes the workflow, which is active, once more. */
	async republish(parameters: INodeParameters = this.parameters): Promise<void> {
		this.end();
		// n8n registers a changed trigger again, which includes a poll.
		this.isProvisioned &&= isDeepStrictEqual(parameters, this.parameters);
		this.parameters = parameters;
		await this.begin('update');
	}

	/** Ends n8n's process, runs `meanwhile`, and starts another process. */
	async restart(meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
		this.end();
		await meanwhile();
		await this.begin('init');
	}

	/** Switches the workflow off. */
	deactivate(): void {
		this.end();
		this.isProvisioned = false;
	}

	/** Polls as n8n does when the time has come, and returns the new items. */
	async poll(): Promise<IDataObject[]> {
		const before = this.items.length;
		const failures = this.errors.length;
		if (this.engine === 'inMemory') await this.activation?.poll(false);
		else await this.pollByScheduler();
		if (this.errors.length > failures)
			throw Object.assign(this.errors[failures], { message: shownError(this.errors[failures]).message });
		return this.items.slice(before);
	}

	/**
	 * Polls twice from the same state, as it can happen with durable cursors when a process ends in the middle: what the first
	 * poll found and remembered is lost.
	 */
	async pollTwice(): Promise<IDataObject[]> {
		const { cursor, succeeded } = this;
		const known = this.executions.length;
		await this.poll().catch(() => this.errors.pop());
		Object.assign(this, { cursor, succeeded });
		this.executions.length = known;
		return await this.poll();
	}

	/** All items of all executions. */
	get items(): IDataObject[] {
		return this.executions.flat();
	}

	/** Characters that n8n keeps of the memory. */
	get size(): number {
		return JSON.stringify(this.memory).length;
	}

	/** What would still be there after n8n was ended. */
	get memory(): IDataObject {
		return this.cursor ?? this.database.staticData;
	}

	/** What the button "Fetch Test Event" gives. */
	async fetchTestEvent(): Promise<{ items: IDataObject[]; error?: { message: string } }> {
		const { workflow, node, additionalData } = this.load();
		const data = createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node, data: { main: [[]] }, source: null }] },
		} as never);
		const run = await new WorkflowExecute(additionalData, 'manual', data).processRunExecutionData(workflow);
		const task = run.data.resultData.runData[node.name]?.at(-1);
		return {
			items: (task?.data?.main[0] ?? []).map(({ json }) => json),
			error: run.data.resultData.error,
		};
	}

	private load() {
		const node: INode = {
			id: this.name,
			name: this.name,
			type: TRIGGER,
			typeVersion: 1,
			position: [0, 0],
			parameters: copy(this.parameters),
			credentials: { [CREDENTIAL]: { id: '1', name: 'Workspace' } },
		};
		const workflow = new Workflow({
			id: this.database.workflowId,
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes,
			staticData: copy(this.database.staticData),
			settings: {},
		});
		return {
			workflow,
			node: workflow.getNode(node.name)!,
			additionalData: additionalDataOf(this.credential, 'poll', [
				node,
			]) as unknown as IWorkflowExecuteAdditionalData,
		};
	}

	/** The context of polls, put together as n8n's server does it. */
	private contextOf(
		{ workflow, node, additionalData }: ReturnType<TriggerHost['load']>,
		mode: WorkflowActivateMode,
	) {
		const scope = new AsyncLocalStorage<Staged>();
		const takeStaged = () => {
			const staged = scope.getStore();
			if (!staged || isDeepStrictEqual(staged.cursor, staged.seed)) return undefined;
			staged.seed = copy(staged.cursor);
			return staged.seed;
		};
		const emit = ([items]: INodeExecutionData[][]) => {
			this.cursor = takeStaged() ?? this.cursor;
			this.save(workflow);
			this.executions.push(copy(items.map(({ json }) => json)));
			this.files.push(...items.map(({ binary = {} }) => binary));
		};
		const isDurable = this.engine === 'durable';
		return new PollContext(
			workflow,
			node,
			additionalData,
			'trigger',
			mode,
			emit as never,
			(error: Error) => this.errors.push(error),
			async () => {
				this.cursor = takeStaged() ?? this.cursor;
			},
			async (poll) => {
				if (!isDurable) return await poll();
				this.cursor ??= copy(workflow.getStaticData('node', node));
				return await scope.run({ cursor: copy(this.cursor), seed: this.cursor }, poll);
			},
			isDurable ? () => scope.getStore()!.cursor : undefined,
			mode === 'update' && this.engine !== 'inMemory' ? () => this.budgetMs : undefined,
		);
	}

	private save({ staticData }: Workflow): void {
		if ((staticData as { __dataChanged?: boolean }).__dataChanged)
			this.database.staticData = copy(staticData);
		(staticData as { __dataChanged?: boolean }).__dataChanged = false;
	}

	/** Registers the trigger; unless the scheduler knows it already, that includes a poll. */
	private async begin(mode: WorkflowActivateMode): Promise<void> {
		const loaded = this.load();
		const context = this.contextOf(loaded, mode);
		const executor = new PollTriggerExecutor(
			silentLogger as never,
			this.poller,
			noTracing as never,
			{ error() {} } as never,
		);
		const activation = { isCurrent: true };
		const poll = executor.create(loaded.workflow, loaded.node, context, () => activation.isCurrent);
		this.activation = Object.assign(activation, { poll });
		if (this.engine === 'inMemory' || !this.isProvisioned) {
			this.isProvisioned = true;
			await poll(true);
		}
		this.save(loaded.workflow);
	}

	private end(): void {
		if (this.activation) this.activation.isCurrent = false;
		this.activation = undefined;
	}

	private async pollByScheduler(): Promise<void> {
		const loaded = this.load();
		const context = this.contextOf(loaded, 'update');
		await runPollInStagingScope(context as never, async () => {
			try {
				const response = await this.poller.runPollFunction(loaded.workflow, loaded.node, context as never);
				if (response !== null) (context as { __emit: (data: unknown) => void }).__emit(response);
				else await commitStagedCursor(context as never);
			} catch (error) {
				this.errors.push(error as Error);
			}
		});
	}
}
