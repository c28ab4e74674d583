import { createRunExecutionData, Workflow } from 'n8n-workflow';
import { WorkflowExecute } from 'n8n-core';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypes,
	IRun,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { additionalDataOf, compiledNode, OUR_NODE, type Credential } from './engine';

/* The workflows that our node runs in its place, in n8n's engine; see `SubWorkflows`. */

const passOn = (name: string, properties: unknown[] = []) =>
	({
		description: { name, group: [], version: 1, inputs: ['main'], outputs: ['main'], properties },
		async execute(this: IExecuteFunctions) {
			return await Promise.resolve([this.getInputData()]);
		},
	}) as unknown as INodeType;

/** Stands for n8n's If node with one condition: is its left side true? */
const ifNode = {
	description: {
		name: 'if',
		group: [],
		version: 1,
		inputs: ['main'],
		outputs: ['main', 'main'],
		properties: [{ displayName: 'Conditions', name: 'conditions', type: 'json', default: {} }],
	},
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		const left = this.getNodeParameter('conditions.conditions[0].leftValue', 0);
		return await Promise.resolve(left === true ? [items, []] : [[], items]);
	},
} as unknown as INodeType;

const types: Record<string, INodeType> = {
	[OUR_NODE]: compiledNode,
	'n8n-nodes-base.executeWorkflowTrigger': passOn('start'),
	'n8n-nodes-base.if': ifNode,
};

const nodeTypes = {
	getByName: (name: string) => types[name],
	getByNameAndVersion: (name: string) => types[name],
	getKnownTypes: () => ({}),
} as unknown as INodeTypes;

/** A workflow that a node has called. */
class SubWorkflow {
	/** Until when it waits; undefined if it has ended. */
	waitTill?: Date;

	/** Its last run. */
	last?: IRun;

	/** n8n stores a waiting execution as JSON. */
	private stored = '';

	constructor(
		private readonly code: IWorkflowBase,
		private readonly credential: Credential,
		private readonly executeWorkflow: IWorkflowExecuteAdditionalData['executeWorkflow'],
	) {}

	async start(inputData: INodeExecutionData[]): Promise<void> {
		const [node] = this.code.nodes;
		const data = createRunExecutionData({
			executionData: {
				nodeExecutionStack: [{ node, data: { main: [inputData] }, source: null }],
			},
		} as never);
		await this.run(data);
	}

	/** Wakes it, as n8n does when its time comes. Returns its output. */
	async wake(): Promise<INodeExecutionData[]> {
		await this.run(JSON.parse(this.stored));
		return this.output;
	}

	/** What it returns to the node that called it. */
	get output(): INodeExecutionData[] {
		const { runData, lastNodeExecuted } = this.last!.data.resultData;
		return runData[lastNodeExecuted!].at(-1)?.data?.main[0] ?? [];
	}

	/** The hints of its last node that has some. */
	get hints(): string[] {
		const tasks = Object.values(this.last!.data.resultData.runData).flat();
		return tasks.flatMap(({ hints = [] }) => hints.map(({ message }) => message));
	}

	private async run(data: IRun['data']) {
		const { nodes, connections, settings } = this.code;
		const workflow = new Workflow({
			id: 'test',
			nodes,
			connections,
			active: false,
			nodeTypes,
			settings,
		});
		const additionalData = additionalDataOf(this.credential, '2', nodes);
		additionalData.executeWorkflow = this.executeWorkflow;
		this.last = await new WorkflowExecute(
			additionalData,
			'integrated',
			data,
		).processRunExecutionData(workflow);
		const { waitTill } = this.last;
		this.waitTill = waitTill ? new Date(waitTill) : undefined;
		this.stored = JSON.stringify({ ...this.last.data, waitTill: this.waitTill });
		const { error } = this.last.data.resultData;
		if (error) throw error;
	}
}

/**
 * Runs the workflows that a node calls, as n8n does: a workflow that waits is woken by `wake`, and
 * goes on after the node that waited.
 */
export class SubWorkflows {
	/** The workflows that were called and that the node waits for, in their order. */
	readonly called: IWorkflowBase[] = [];

	/** Those that nothing waits for. */
	readonly inBackground: SubWorkflow[] = [];

	private latest?: SubWorkflow;

	constructor(private readonly credential: Credential) {}

	readonly executeWorkflow: IWorkflowExecuteAdditionalData['executeWorkflow'] = async (
		{ code },
		_additionalData,
		{ inputData = [], doNotWaitToFinish },
	) => {
		const copy = JSON.parse(JSON.stringify(code)) as IWorkflowBase;
		const workflow = new SubWorkflow(copy, this.credential, this.executeWorkflow);
		if (doNotWaitToFinish) {
			this.inBackground.push(workflow);
			await workflow.start(inputData);
			return { executionId: '3', data: [null] };
		}
		this.called.push(copy);
		this.latest = workflow;
		await workflow.start(inputData);
		return { executionId: '2', data: [workflow.output], waitTill: workflow.waitTill };
	};

	/** Until when the last one waits; undefined if it has ended. */
	get waitTill(): Date | undefined {
		return this.latest?.waitTill;
	}

	/** The question that the last one waits for. */
	get question(): { until: number } {
		const { parameters } = this.called.at(-1)!.nodes.at(-1)!;
		return JSON.parse(String(parameters.question));
	}

	/** Wakes the last one. Returns its output. */
	async wake(): Promise<INodeExecutionData[]> {
		return await this.latest!.wake();
	}

	/** What the last one returns to the node that called it. */
	get output(): INodeExecutionData[] {
		return this.latest!.output;
	}

	/** The last run of the last one. */
	get last(): IRun | undefined {
		return this.latest?.last;
	}
}
