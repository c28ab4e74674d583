import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteSingleFunctions, INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import type { Client } from './client';
import type { PreparedRequest } from './prepare';

/** What became of an item. */
export type Outcome = 'done' | 'refused' | 'unknown' | 'notSent';

/** What all items of one run of the node share; n8n runs each item for itself and knows nothing of the others. */
export interface Run {
	/** Number of items. */
	size: number;
	/** What one item found out and others can use, such as the tags by name. */
	shared: Map<string, unknown>;
	/** What each item asks for, checked. */
	requests: Map<number, PreparedRequest>;
	/** Items that must not be sent, with the sentence that says why. */
	invalid: Map<number, NodeOperationError>;
	/** Set when an item failed and the run is to stop: what has not been sent then stays unsent. */
	stopped: boolean;
	outcomes: Map<number, Outcome>;
	/** Items on their way; the failing one waits for them, so that it can say what became of each. */
	active: Set<Promise<unknown>>;
	/** The connection to the workspace, opened by the first item. */
	client?: Promise<Client>;
}

const runs = new WeakMap<object, Run>();

/**
 * The object that stands for this run of the node: one for all of its items, another for any other run.
 *
 * n8n gives every call of an agent's tool the agent's own execute data. There the call's input is what is its own; in
 * other runs there is no such input, and n8n makes an empty one each time it is asked.
 */
export function runKey(context: IExecuteSingleFunctions): object {
	if (!('addExecutionHints' in context)) {
		const input = context.getInputData(0, NodeConnectionTypes.AiTool);
		if (input !== undefined && input === context.getInputData(0, NodeConnectionTypes.AiTool)) return input;
	}
	return context.getExecuteData();
}

/** The state shared by the items of this run. */
export function runOf(context: IExecuteSingleFunctions): Run {
	const key = runKey(context);
	const known = runs.get(key);
	if (known) return known;
	const run: Run = {
		size: inputItems(context.getExecuteData().data),
		shared: new Map(),
		requests: new Map(),
		invalid: new Map(),
		stopped: false,
		outcomes: new Map(),
		active: new Set(),
	};
	runs.set(key, run);
	return run;
}

/** Forgets what an earlier try of the same run left behind ("Retry On Fail" runs the node again with the same data). */
export function startRun(context: IExecuteSingleFunctions): Run {
	runs.delete(runKey(context));
	return runOf(context);
}

/** What the items of this run share under a name; the first one to ask makes it. */
export function shared<T>(context: IExecuteSingleFunctions, name: string, make: () => T): T {
	const run = runOf(context);
	if (!run.shared.has(name)) run.shared.set(name, make());
	return run.shared.get(name) as T;
}

function inputItems(data: Record<string, Array<INodeExecutionData[] | null>>): number {
	return Object.values(data)[0]?.[0]?.length ?? 1;
}
