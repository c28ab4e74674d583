import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import { MAX_RETRIES } from '../api/retry';
import { openClient } from './shim';
import { nodeErrorOf } from '../execution/nodeError';
import { Memory } from './memory';
import { readSettings } from './settings';
import { watchOf } from './watchOf';

/** How long a request is repeated, and an answer waited for, at most. The next poll comes anyway. */
const PATIENCE_MS = 60_000;
/** How long a poll may take where n8n does not say. */
const BUDGET_MS = 300_000;

/** Contexts in which a poll is under way: where polls share a memory, a second one would find the same again. */
const underWay = new WeakSet<object>();

/**
 * What n8n calls when it is time to look for events. Returns the items of new events or null. In between, to have something
 * remembered that n8n would else forget, it starts the workflow without any items.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (underWay.has(this)) return null;
	underWay.add(this);
	const budget = this.getPollBudgetMs?.() ?? BUDGET_MS;
	const late = AbortSignal.timeout(budget);
	try {
		return await pollOnce(this, budget, late);
	} catch (error) {
		throw toNodeError(this, error as Error, late.aborted ? budget : undefined);
	} finally {
		underWay.delete(this);
	}
}

async function pollOnce(
	context: IPollFunctions,
	budget: number,
	late: AbortSignal,
): Promise<INodeExecutionData[][] | null> {
	const settings = readSettings(context);
	const simplify = context.getNodeParameter('simplify', true) === true;
	const memory = await Memory.open<unknown>(context, settings);
	const patience = Math.min(PATIENCE_MS, budget);
	const client = await openClient(
		context,
		{ retry: { maxRetries: MAX_RETRIES, giveUpAfterMs: patience }, transport: { timeout: patience } },
		late,
	);
	const watch = watchOf(settings, client.caller(), memory.key, simplify);
	const output = (items: IDataObject[]) => [context.helpers.returnJsonArray(items)];

	if (context.getMode() === 'manual') {
		const example = await watch.sample();
		if (example) return output([example]);
		throw new NodeOperationError(
			context.getNode(),
			'There is nothing in the workspace to show as an example',
			{
				description:
					'The event is watched all the same once the workflow is active. Add a record, or loosen the filters, to see what its items look like.',
			},
		);
	}

	const recalled = memory.recall();
	const { items, memory: next, mustKeep } = await watch.poll(recalled);
	const isFirst = recalled === undefined;
	const isKept = memory.remember(next, isFirst);
	if (items.length > 0) return output(items);
	// With this setting n8n would make an item of nothing.
	if (context.getNode().alwaysOutputData) return null;
	return (isFirst || mustKeep) && !isKept ? output([]) : null;
}

/** The error in n8n's form; `budget` when time was up. */
function toNodeError(
	context: IPollFunctions,
	error: Error,
	budget?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeOperationError) return error;
	const message =
		budget === undefined
			? error.message
			: `This poll took longer than the ${Math.round(budget / 1000)} seconds that n8n gives it. Nothing is lost: the next poll reads everything again.`;
	return nodeErrorOf(context.getNode(), error, message);
}
