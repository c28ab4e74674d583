import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
	commitStagedCursor,
	PollContext,
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
	INodeTypes,
	IWorkflowExecuteAdditionalData,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { additionalDataOf, CREDENTIAL, shownError } from './engine';
import type { Credential } from './engine';
import { compiledTrigger, executorOf, loadTrigger } from './triggerProcess';
import type { Engine, N8n } from './triggerProcess';

export { compiledTrigger, engines } from './triggerProcess';
export type { Engine } from './triggerProcess';

const TRIGGER = 'n8n-nodes-workspace-messaging.workspaceMessagingTrigger';

interface Staged {
	cursor: IDataObject;
	seed: IDataObject;
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** One for all polls: Node.js copies each that was ever used with every promise. */
const scope = new AsyncLocalStorage<Staged>();

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

	/** How often n8n has written the memories of the workflow to its database. */
	saves = 0;

	/** Called before an execution starts; n8n cannot start the execution if this throws. */
	onStart: (items: IDataObject[]) => void = () => {};

	/** What happens while n8n's scheduler asks its database whether it takes the items of a poll. */
	beforeEmit: () => Promise<unknown> = async () => {};

	private cursor: IDataObject | undefined;

	private activation: { poll: (isFirst: boolean) => Promise<void>; isCurrent: boolean } | undefined;

	/** What the scheduler knows of the node. */
	private job: object | undefined;

	private readonly poller = new TriggersAndPollers();

	constructor(
		private readonly credential: Credential,
		private parameters: INodeParameters,
		readonly engine: Engine = 'inMemory',
		/** What the database holds of the workflow; triggers of one workflow have it in common. */
		readonly database: N8n = { workflowId: randomUUID(), staticData: {}, trigger: compiledTrigger },
		private readonly name = 'Workspace Messaging Trigger',
	) {
		this.poller.events.on('poll-tick-completed', ({ status }) => {
			if (status === 'success') this.succeeded++;
		});
	}

	/**
	 * Publishes a workflow with all its triggers. They then work on one object, as they do after n8n
	 * has started, and in n8n 1 always.
	 */
	static async publish(hosts: TriggerHost[], mode: WorkflowActivateMode = 'update'): Promise<void> {
		for (const host of hosts) host.end();
		if (mode === 'init') hosts[0].database.trigger = loadTrigger();
		const workflow = hosts[0].workflowOf(hosts.map((host) => host.node()));
		for (const host of hosts) await host.begin(mode, workflow);
	}

	/** Switches the workflow on. */
	async activate(): Promise<void> {
		await this.begin('activate');
	}

	/** Publishes the workflow, which is active, once more. */
	async republish(parameters: INodeParameters = this.parameters): Promise<void> {
		this.end();
		this.change(parameters);
		await this.begin('update');
	}

	/** Edits the trigger; n8n knows of it when the user publishes the workflow. */
	change(parameters: INodeParameters): void {
		// n8n registers a changed trigger again, which includes a poll.
		if (!isDeepStrictEqual(parameters, this.parameters)) this.job = undefined;
		this.parameters = parameters;
	}

	/** Ends n8n's process, runs `meanwhile`, and starts another process. */
	async restart(meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
		this.end();
		await meanwhile();
		await TriggerHost.publish([this], 'init');
	}

	/** Switches the workflow off. */
	deactivate(): void {
		this.end();
		this.job = undefined;
	}

	/** Polls as n8n does when the time has come, and returns the new items. */
	async poll(): Promise<IDataObject[]> {
		const before = this.items.length;
		const failures = this.errors.length;
		if (this.isInMemory) await this.activation?.poll(false);
		else await this.pollByScheduler();
		if (this.errors.length > failures)
			throw Object.assign(this.errors[failures], {
				message: shownError(this.errors[failures]).message,
			});
		return this.items.slice(before);
	}

	/**
	 * Polls twice from the same state, as it can happen with durable cursors when a process ends in
	 * the middle: what the first poll found and remembered is lost.
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
	async fetchTestEvent(): Promise<{
		items: IDataObject[];
		error?: { message: string; description?: string | null };
	}> {
		const { workflow, node, additionalData } = this.load();
		const data = createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node, data: { main: [[]] }, source: null }] },
		} as never);
		const run = await new WorkflowExecute(additionalData, 'manual', data).processRunExecutionData(
			workflow,
		);
		const task = run.data.resultData.runData[node.name]?.at(-1);
		return {
			items: (task?.data?.main[0] ?? []).map(({ json }) => json),
			error: run.data.resultData.error,
		};
	}

	private get isInMemory(): boolean {
		return this.engine === 'inMemory' || this.engine === 'n8n1';
	}

	private node(): INode {
		return {
			id: this.name,
			name: this.name,
			type: TRIGGER,
			typeVersion: 1,
			position: [0, 0],
			parameters: copy(this.parameters),
			credentials: { [CREDENTIAL]: { id: '1', name: 'Workspace' } },
		};
	}

	private workflowOf(nodes: INode[]): Workflow {
		const { workflowId, staticData, trigger } = this.database;
		const nodeTypes = {
			getByName: () => trigger,
			getByNameAndVersion: () => trigger,
			getKnownTypes: () => ({}),
		} as unknown as INodeTypes;
		return new Workflow({
			id: workflowId,
			nodes,
			connections: {},
			active: true,
			nodeTypes,
			staticData: copy(staticData),
			settings: {},
		});
	}

	private load(workflow = this.workflowOf([this.node()])) {
		const node = workflow.getNode(this.name)!;
		const additionalData = additionalDataOf(this.credential, 'poll', [node]);
		return {
			workflow,
			node,
			additionalData: additionalData as unknown as IWorkflowExecuteAdditionalData,
		};
	}

	/** The context of polls, put together as n8n's server does it. */
	private contextOf(
		{ workflow, node, additionalData }: ReturnType<TriggerHost['load']>,
		mode: WorkflowActivateMode,
		job?: object,
	) {
		const isDurable = this.engine === 'durable';
		/**
		 * Whether the scheduler has given the poll's job to nobody else; n8n looks only where it
		 * commits a cursor.
		 */
		const holdsLease = () => !isDurable || !job || job === this.job;
		const takeStaged = () => {
			const staged = scope.getStore();
			if (!staged || isDeepStrictEqual(staged.cursor, staged.seed)) return undefined;
			staged.seed = copy(staged.cursor);
			return staged.seed;
		};
		const emit = ([items]: INodeExecutionData[][]) => {
			if (!holdsLease()) return;
			const started = copy(items.map(({ json }) => json));
			this.onStart(started);
			this.cursor = takeStaged() ?? this.cursor;
			this.save(workflow);
			this.executions.push(started);
			this.files.push(...items.map(({ binary = {} }) => binary));
		};
		return new PollContext(
			workflow,
			node,
			additionalData,
			'trigger',
			mode,
			emit as never,
			(error: Error) => this.errors.push(error),
			async () => {
				if (holdsLease()) this.cursor = takeStaged() ?? this.cursor;
			},
			async (poll) => {
				if (!isDurable) return await poll();
				this.cursor ??= copy(workflow.getStaticData('node', node));
				return await scope.run({ cursor: copy(this.cursor), seed: this.cursor }, poll);
			},
			isDurable ? () => scope.getStore()!.cursor : undefined,
			mode === 'update' && !this.isInMemory ? () => this.budgetMs : undefined,
		);
	}

	private save({ staticData }: Workflow): void {
		if ((staticData as { __dataChanged?: boolean }).__dataChanged) {
			this.database.staticData = copy(staticData);
			this.saves++;
		}
		(staticData as { __dataChanged?: boolean }).__dataChanged = false;
	}

	/** Registers the trigger; unless the scheduler knows it already, that includes a poll. */
	private async begin(mode: WorkflowActivateMode, workflow?: Workflow): Promise<void> {
		const loaded = this.load(workflow);
		const context = this.contextOf(loaded, mode);
		const activation = { isCurrent: true };
		const poll = executorOf(this.poller).create(loaded.workflow, loaded.node, context, () => {
			return activation.isCurrent || this.engine === 'n8n1';
		});
		this.activation = Object.assign(activation, { poll });
		if (this.isInMemory || !this.job) {
			this.job = {};
			await poll(true);
		}
		this.save(loaded.workflow);
	}

	/** Ends the trigger without switching the workflow off, as when n8n stops. */
	end(): void {
		if (this.activation) this.activation.isCurrent = false;
		this.activation = undefined;
	}

	private async pollByScheduler(): Promise<void> {
		const loaded = this.load();
		const context = this.contextOf(loaded, 'update', this.job);
		await runPollInStagingScope(context as never, async () => {
			try {
				const response = await this.poller.runPollFunction(
					loaded.workflow,
					loaded.node,
					context as never,
				);
				await this.beforeEmit();
				if (response !== null) (context as { __emit: (data: unknown) => void }).__emit(response);
				else await commitStagedCursor(context as never);
			} catch (error) {
				this.errors.push(error as Error);
			}
		});
	}
}
