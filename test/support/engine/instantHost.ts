import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HookContext, WebhookContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	IDataObject,
	INode,
	INodeParameters,
	INodeType,
	INodeTypes,
	IWebhookData,
	IWorkflowExecuteAdditionalData,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { additionalDataOf, CREDENTIAL } from './engine';
import type { Credential } from './engine';
import { loadAsNewProcess, type Database } from './triggerProcess';

const NAME = 'Workspace Messaging Instant Trigger';

/** Loads the compiled trigger as if n8n's process had just started: it remembers nothing. */
export function loadInstantTrigger(): INodeType {
	const { WorkspaceMessagingInstantTrigger } = loadAsNewProcess<{
		WorkspaceMessagingInstantTrigger: new () => INodeType;
	}>('nodes/WorkspaceMessaging/trigger/instant/WorkspaceMessagingInstantTrigger.node.js');
	return new WorkspaceMessagingInstantTrigger();
}

/** The compiled trigger. */
export const compiledInstantTrigger = loadInstantTrigger();

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

type Method = 'checkExists' | 'create' | 'delete';

/** What a call got as its answer. */
export interface CallAnswer {
	status: number;
	body: string;
}

/** An n8n with one workflow that our trigger starts, and the server that receives calls for it. */
export class InstantHost {
	/** Items of the executions that were started, each with what was in it. */
	executions: IDataObject[][] = [];

	/** The answers to calls, in their order. */
	answers: CallAnswer[] = [];

	readonly name = NAME;

	/** The trigger as this process has loaded it. */
	trigger = compiledInstantTrigger;

	/** Whether n8n can store no files. */
	isDiskFull = false;

	private server?: Server;

	private base = 'http://127.0.0.1:5678';

	constructor(
		private readonly credential: Credential,
		public parameters: INodeParameters,
		/** What the database holds of the workflow. */
		readonly database: Database = { workflowId: randomUUID(), staticData: {} },
		private readonly webhookId = randomUUID(),
		public workflowName = 'My workflow',
	) {}

	/** Starts the server; without it, the trigger has an address that nobody answers at. */
	async listen(): Promise<this> {
		const server = createServer((request, response) => void this.receive(request, response));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		this.server = server;
		this.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		return this;
	}

	async close(): Promise<void> {
		this.server?.closeAllConnections();
		await new Promise((resolve) => (this.server ? this.server.close(resolve) : resolve(undefined)));
	}

	/** The same n8n with another main process, which has read the same from the database. */
	sibling(): InstantHost {
		const { credential, parameters, database, webhookId, workflowName, base } = this;
		return new InstantHost(credential, parameters, copy(database), webhookId, workflowName).moveTo(
			base,
		);
	}

	/** Another origin or path for the addresses of webhooks. */
	moveTo(base: string): this {
		this.base = base;
		return this;
	}

	/** The address of the trigger, without its key. */
	get address(): string {
		return `${this.base}/webhook/${this.webhookId}/webhook`;
	}

	/**
	 * Calls one of the methods by which n8n registers a trigger, as n8n does; saves what it changed,
	 * even if it fails.
	 */
	async hook(
		method: Method,
		mode: WorkflowActivateMode = 'activate',
		isTest = false,
	): Promise<boolean> {
		const { workflow, node, additionalData } = this.load(isTest);
		const [description] = this.trigger.description.webhooks!;
		const webhookData = { webhookDescription: description, isTest } as unknown as IWebhookData;
		const context = new HookContext(workflow, node, additionalData, 'trigger', mode, webhookData);
		try {
			return await this.trigger.webhookMethods!.default![method]!.call(context);
		} finally {
			this.database.staticData = copy(workflow.staticData);
		}
	}

	/** Publishes the workflow, as n8n does. */
	async publish(mode: WorkflowActivateMode = 'activate'): Promise<void> {
		if (!(await this.hook('checkExists', mode))) await this.hook('create', mode);
	}

	async unpublish(): Promise<void> {
		await this.hook('delete', 'update');
	}

	/** All items of all executions. */
	get items(): IDataObject[] {
		return this.executions.flat();
	}

	/**
	 * Receives a call with this query and body, as n8n hands it to the trigger. Returns its answer when
	 * the trigger is done with it, which can be later than `onAnswer`.
	 */
	async call(
		query: IDataObject,
		body: unknown,
		onAnswer: (answer: CallAnswer) => void = () => {},
	): Promise<CallAnswer> {
		const answer: CallAnswer = { status: 200, body: '' };
		const { workflow, node, additionalData } = this.load();
		const response = {
			headersSent: false,
			status(status: number) {
				if (!response.headersSent) answer.status = status;
				return response;
			},
			json(value: unknown) {
				if (response.headersSent) throw new Error('The call has its answer');
				answer.body = JSON.stringify(value);
				response.end();
			},
			end() {
				if (!response.headersSent) onAnswer(answer);
				response.headersSent = true;
			},
		};
		const context = new WebhookContext(
			workflow,
			node,
			{
				...additionalData,
				httpRequest: { query, body, headers: {}, params: {} },
				httpResponse: response,
			} as never,
			'webhook',
			{ webhookDescription: this.trigger.description.webhooks![0] } as never,
			[],
			null,
		);
		if (this.isDiskFull)
			context.helpers.prepareBinaryData = () => Promise.reject(new Error('The disk is full'));
		const result = await this.trigger.webhook!.call(context);
		if ((workflow.staticData as { __dataChanged?: boolean }).__dataChanged)
			throw new Error('The call changed the data of the node');
		if ('workflowData' in result && result.workflowData)
			this.executions.push(copy(result.workflowData[0].map(({ json }) => json)));
		// n8n answers a call, unless the trigger says that it has done so.
		if (Boolean(result.noWebhookResponse) !== response.headersSent)
			throw new Error('The call has no answer, or two');
		response.end();
		this.answers.push(answer);
		return answer;
	}

	private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const url = new URL(request.url!, this.base);
		try {
			if (url.pathname !== new URL(this.address).pathname) throw new Error('Not found');
			const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
			await this.call(Object.fromEntries(url.searchParams), body, ({ status, body: answer }) => {
				response.writeHead(status).end(answer);
			});
		} catch {
			response.writeHead(500).end();
		}
	}

	private load(isTest = false) {
		const node: INode = {
			id: this.webhookId,
			name: NAME,
			type: 'n8n-nodes-workspace-messaging.workspaceMessagingInstantTrigger',
			typeVersion: 1,
			position: [0, 0],
			webhookId: this.webhookId,
			parameters: copy(this.parameters),
			credentials: { [CREDENTIAL]: { id: '1', name: 'Workspace' } },
		};
		const nodeTypes = {
			getByName: () => this.trigger,
			getByNameAndVersion: () => this.trigger,
			getKnownTypes: () => ({}),
		} as unknown as INodeTypes;
		const workflow = new Workflow({
			id: this.database.workflowId,
			name: this.workflowName,
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes,
			staticData: isTest ? {} : copy(this.database.staticData),
			settings: {},
		});
		const additionalData = {
			...additionalDataOf(this.credential, 'webhook', [node]),
			webhookBaseUrl: `${this.base}/webhook`,
			webhookTestBaseUrl: `${this.base}/webhook-test`,
		} as unknown as IWorkflowExecuteAdditionalData;
		return { workflow, node: workflow.getNode(NAME)!, additionalData };
	}
}
