import { parse } from 'flatted';
import type {
	ExecutionStatus,
	INodeExecutionData,
	IRunExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Who logs in to the editor. This n8n is reached from this machine only and does not outlive the
 * run.
 */
export const owner = {
	email: 'owner@example.com',
	firstName: 'Test',
	lastName: 'Owner',
	password: 'Workspace1',
};

/** Workflow as n8n exports it and as `examples/` holds it. */
export type WorkflowFile = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections'> &
	Partial<IWorkflowBase>;

/** Credential that n8n is to store. */
export interface CredentialFile {
	name: string;
	type: string;
	data: Record<string, unknown>;
}

/** One run of a workflow, as n8n stored it. */
export interface Execution {
	id: string;
	status: ExecutionStatus;
	data: IRunExecutionData;
}

interface StoredExecution {
	status: ExecutionStatus;
	/** In the notation of `flatted`. */
	data: string;
}

const RUN_TIMEOUT_MS = 300_000;
const PUBLISH_TIMEOUT_MS = 120_000;
const BUSY_TIMEOUT_MS = 180_000;
const GOING_ON = new Set<ExecutionStatus>(['new', 'running']);

/** What the editor does, done through the addresses that the editor uses. */
export class N8nClient {
	private cookie = '';

	/** Ids of the stored credentials by their type. */
	private readonly credentials = new Map<string, { id: string; name: string }>();

	constructor(
		private readonly address: string,
		private readonly version: string,
	) {}

	/** What makes a request one of the owner's. */
	get headers(): Record<string, string> {
		return { cookie: this.cookie };
	}

	/** Calls n8n and returns the `data` of its answer. */
	async request<T>(
		method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
		path: string,
		body?: unknown,
	): Promise<T> {
		const send = async () =>
			await fetch(`${this.address}/rest${path}`, {
				method,
				headers: {
					cookie: this.cookie,
					// n8n closes idle connections, after a long run also one that is in use again.
					connection: 'close',
					...(body !== undefined && { 'content-type': 'application/json' }),
				},
				body: body === undefined ? undefined : JSON.stringify(body),
			});
		const deadline = Date.now() + BUSY_TIMEOUT_MS;
		let response = await send();
		// On a busy machine, n8n refuses requests until its database answers in time again.
		for (; response.status === 503 && Date.now() < deadline; response = await send())
			await sleep(500);
		const text = await response.text();
		if (!response.ok)
			throw new Error(
				`n8n answered ${response.status} to ${method} ${path}: ${text.slice(0, 500)}`,
			);
		const cookies = response.headers.getSetCookie();
		if (cookies.length > 0) this.cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
		return (JSON.parse(text) as { data: T }).data;
	}

	/** Makes the owner of a new n8n and stays logged in as that owner. */
	async setUpOwner(): Promise<void> {
		await this.request('POST', '/owner/setup', owner);
	}

	/** Stays logged in as the owner of an n8n, whom it makes if the n8n is new. */
	async logIn({ email, password }: Pick<typeof owner, 'email' | 'password'>): Promise<void> {
		await this.request('POST', '/owner/setup', { ...owner, email, password }).catch(
			async () =>
				await this.request('POST', '/login', { emailOrLdapLoginId: email, email, password }),
		);
	}

	/** Whether n8n has loaded this node. */
	async hasNode(name: string): Promise<boolean> {
		return await this.request('POST', '/node-types', { nodeInfos: [{ name, version: 1 }] }).then(
			() => true,
			() => false,
		);
	}

	/** Stores a credential; workflows that are imported afterwards use it. */
	async importCredential(credential: CredentialFile): Promise<string> {
		const { id } = await this.request<{ id: string }>('POST', '/credentials', credential);
		this.credentials.set(credential.type, { id, name: credential.name });
		return id;
	}

	/** Removes all workflows and credentials, as in a new n8n. */
	async deleteAll(): Promise<void> {
		type Stored = Array<{ id: string }>;
		for (const { id } of await this.request<Stored>('GET', '/workflows')) {
			await this.request('POST', `/workflows/${id}/archive`);
			await this.deleteArchived(id);
		}
		for (const { id } of await this.request<Stored>('GET', '/credentials'))
			await this.request('DELETE', `/credentials/${id}`);
	}

	/** Deletes an archived workflow. n8n unpublishes it in the background, and refuses to delete it before. */
	private async deleteArchived(id: string): Promise<void> {
		const giveUpAt = Date.now() + BUSY_TIMEOUT_MS;
		for (;;) {
			try {
				return await this.request('DELETE', `/workflows/${id}`);
			} catch (error) {
				const isUnpublishing = String(error).includes('still being unpublished');
				if (!isUnpublishing || Date.now() > giveUpAt) throw error;
				await sleep(200);
			}
		}
	}

	/**
	 * Stores a workflow; its nodes get the imported credentials, as a user would choose them in the
	 * editor.
	 */
	async importWorkflow({
		name,
		nodes,
		connections,
		settings,
		pinData,
	}: WorkflowFile): Promise<string> {
		const withCredentials = nodes.map((node) => ({
			...node,
			credentials: Object.fromEntries(
				Object.entries(node.credentials ?? {}).map(([type, named]) => [
					type,
					this.credentials.get(type) ?? named,
				]),
			),
		}));
		const { id } = await this.request<{ id: string }>('POST', '/workflows', {
			name,
			nodes: withCredentials,
			connections,
			settings: settings ?? {},
			pinData,
			active: false,
		});
		return id;
	}

	/**
	 * Runs a workflow from its manual trigger, as the editor's button does, and waits for its end.
	 */
	async run(workflowId: string): Promise<Execution> {
		const workflow = await this.request<IWorkflowBase>('GET', `/workflows/${workflowId}`);
		const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
		if (!trigger) throw new Error(`The workflow "${workflow.name}" has no manual trigger`);
		const { executionId } = await this.request<{ executionId: string }>(
			'POST',
			`/workflows/${workflowId}/run`,
			{
				// Versions before 2 run what they are sent, later ones what they have stored.
				workflowData: workflow,
				triggerToStartFrom: { name: trigger.name },
			},
		);
		return await this.waitForExecution(executionId);
	}

	/** Waits until a run has ended and returns it with the output of all nodes. */
	async waitForExecution(id: string): Promise<Execution> {
		const deadline = Date.now() + RUN_TIMEOUT_MS;
		for (;;) {
			const { status, data: stored } = await this.request<StoredExecution>(
				'GET',
				`/executions/${id}`,
			);
			// n8n 1 stores the status of a run before its data: its error, and after a wait, that no nodes
			// are next.
			const data = GOING_ON.has(status)
				? undefined
				: (parse(stored) as IRunExecutionData | undefined);
			const lacksEnd = status === 'success' && data?.executionData?.nodeExecutionStack.length !== 0;
			const lacksError = status === 'error' && !data?.resultData?.error;
			const isOld = lacksEnd || lacksError;
			if (data?.resultData && !isOld) return { id, status, data };
			if (Date.now() > deadline) throw new Error(`Execution ${id} did not end in time`);
			await sleep(200);
		}
	}

	/** Stops a run, as the button in the list of executions does. */
	async stopExecution(id: string): Promise<void> {
		await this.request('POST', `/executions/${id}/stop`);
	}

	/** Switches a workflow on, so that its trigger starts it. */
	async activate(workflowId: string): Promise<void> {
		const { versionId } = await this.request<IWorkflowBase>('GET', `/workflows/${workflowId}`);
		if (Number(this.version.split('.')[0]) >= 2) {
			await this.request('POST', `/workflows/${workflowId}/activate`, { versionId });
		} else {
			await this.request('PATCH', `/workflows/${workflowId}`, { active: true, versionId });
		}
	}

	/** Switches a workflow off. */
	async deactivate(workflowId: string): Promise<void> {
		const { versionId } = await this.request<IWorkflowBase>('GET', `/workflows/${workflowId}`);
		if (Number(this.version.split('.')[0]) >= 2) {
			await this.request('POST', `/workflows/${workflowId}/deactivate`, {});
		} else {
			await this.request('PATCH', `/workflows/${workflowId}`, { active: false, versionId });
		}
	}

	/**
	 * Lets n8n wait for one call of a trigger, as the editor's button "Listen for test event" does.
	 */
	async listen(workflowId: string, triggerName: string): Promise<void> {
		const workflow = await this.request<IWorkflowBase>('GET', `/workflows/${workflowId}`);
		const { waitingForWebhook } = await this.request<{ waitingForWebhook?: boolean }>(
			'POST',
			`/workflows/${workflowId}/run`,
			{ workflowData: workflow, triggerToStartFrom: { name: triggerName } },
		);
		if (!waitingForWebhook) throw new Error(`n8n does not wait for a call of "${triggerName}"`);
	}

	/** Stores a new version of a workflow, and publishes it if the workflow is active. */
	async update(
		workflowId: string,
		change: (workflow: IWorkflowBase) => Partial<WorkflowFile>,
	): Promise<void> {
		const workflow = await this.request<IWorkflowBase>('GET', `/workflows/${workflowId}`);
		const { versionId } = workflow;
		await this.request('PATCH', `/workflows/${workflowId}`, { versionId, ...change(workflow) });
		// Versions before 2 publish what they store.
		if (workflow.active && Number(this.version.split('.')[0]) >= 2) await this.activate(workflowId);
	}

	/** The ids of a workflow's runs, newest first. */
	async executionsOf(workflowId: string): Promise<string[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await this.request<{ results: Array<{ id: string }> }>(
			'GET',
			`/executions?filter=${filter}`,
		);
		return results.map(({ id }) => id);
	}

	/** Waits until a published workflow has been started, and for the end of that run. */
	async waitForRun(workflowId: string): Promise<Execution> {
		const deadline = Date.now() + RUN_TIMEOUT_MS;
		for (;;) {
			const [id] = await this.executionsOf(workflowId);
			if (id !== undefined) return await this.waitForExecution(id);
			if (Date.now() > deadline) throw new Error(`Workflow ${workflowId} was not started in time`);
			await sleep(200);
		}
	}

	/** Fills in the form of a published workflow, the answers in the order of its fields. */
	async submitForm(path: string, answers: Array<string | File>): Promise<void> {
		const form = new FormData();
		answers.forEach((answer, index) => form.set(`field-${index}`, answer));
		await this.post(`/form/${path}`, { body: form });
	}

	/** Says something to the public chat of a published workflow, and returns what it answers. */
	async chat(webhookId: string, chatInput: string): Promise<string> {
		const text = await this.post(`/webhook/${webhookId}/chat`, {
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ action: 'sendMessage', sessionId: 'session', chatInput }),
		});
		return (JSON.parse(text) as { output: string }).output;
	}

	/**
	 * Posts to an address of a published workflow, which is there some moments after the workflow is.
	 */
	private async post(
		path: string,
		request: Pick<RequestInit, 'headers' | 'body'>,
	): Promise<string> {
		const deadline = Date.now() + PUBLISH_TIMEOUT_MS;
		for (;;) {
			const response = await fetch(`${this.address}${path}`, { method: 'POST', ...request });
			const text = await response.text();
			if (response.ok) return text;
			if (response.status !== 404 || Date.now() > deadline)
				throw new Error(`n8n answered ${response.status} to POST ${path}: ${text.slice(0, 500)}`);
			await sleep(200);
		}
	}
}

/** Returns the items of one output of a node, from all its runs. */
export function itemsOf({ data }: Execution, nodeName: string, output = 0): INodeExecutionData[] {
	const runs = data.resultData.runData[nodeName] ?? [];
	return runs.flatMap((run) => run.data?.main[output] ?? []);
}
