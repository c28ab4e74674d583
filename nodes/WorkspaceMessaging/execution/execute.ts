import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, NodeApiError } from 'n8n-workflow';
import type { ApiClient } from '../api/client';
import { ApiError } from '../api/errors';
import { pause } from '../api/pause';
import { rethrow } from '../api/rethrow';
import { Item } from './item';
import { nodeErrorOf } from './nodeError';
import { runOperation } from './operation';
import type { Operation } from './operation';
import { readItem } from './readItem';
import { describeNationalNumbers, describeOutcomes, describeStats } from './report';
import { batchingOf } from './requestOptions';
import { Run } from './run';

/** Invalid items that an error names beside the first. */
const OTHERS_SHOWN = 5;

/** The function that n8n calls to run an operation for all input items. */
export function execute(operation: Operation) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const run = new Run(this, operation.fields);
		const items = this.getInputData().map((input, index) => new Item(run, index, input));
		return [await executeItems(run, operation, items)];
	};
}

/**
 * The way of the items of a run: every one is read and checked before the first is sent, then all are carried out.
 *
 * Returns the output items, each linked to its input item. With "On Error: Stop", an item that is not valid stops the run
 * before anything is sent. Later the first failure stops what has not been sent, waits for what has, and only then throws,
 * with the number of the item and what became of the others.
 */
export async function executeItems(
	run: Run,
	operation: Operation,
	items: Item[],
): Promise<INodeExecutionData[]> {
	run.items = items;
	await run.readCredential();
	for (const item of items) readItem(item, operation);
	if (!run.continuesOnFail) refuseInvalid(items);
	const outputs = await runItems(run, operation, items);
	hintAtNationalNumbers(run, items);
	report(run, await run.close());
	return outputs.flat();
}

/** Tells how many phone numbers were sent without a country code, although they need one. */
function hintAtNationalNumbers(run: Run, items: Item[]) {
	const sent = items.filter(({ outcome }) => outcome !== 'notSent');
	const count = sent.reduce((sum, { nationalNumbers }) => sum + nationalNumbers.size, 0);
	if (count > 0) run.hint(describeNationalNumbers(count));
}

function refuseInvalid(items: Item[]) {
	const [first, ...others] = items.flatMap((item) => (item.problem ? [invalidError(item)] : []));
	if (!first) return;
	first.description = [
		'Nothing was sent.',
		...(others.length > 0 ? ['Other items are not valid either:'] : []),
		...others.slice(0, OTHERS_SHOWN).map(({ message }) => message),
	].join('\n');
	throw first;
}

/** Starts the items, in batches if the user wants that, and waits for all of them. */
async function runItems(run: Run, operation: Operation, items: Item[]): Promise<INodeExecutionData[][]> {
	const { size, intervalMs } = batchingOf(run.context);
	const outputs: Array<Promise<INodeExecutionData[]>> = [];
	let failure: Error | undefined;
	for (const [position, item] of items.entries()) {
		if (position > 0 && intervalMs > 0 && position % size === 0 && !run.isStopped)
			await pause(intervalMs, run.context.getExecutionCancelSignal());
		outputs.push(
			runItem(run, operation, item).catch((error: Error) => {
				failure ??= error;
				return [];
			}),
		);
	}
	const all = await Promise.all(outputs);
	if (failure) await rethrow(await withReport(run, failure as NodeApiError));
	return all;
}

async function runItem(run: Run, operation: Operation, item: Item): Promise<INodeExecutionData[]> {
	if (item.problem) return failedOutput(item, invalidError(item));
	if (run.isStopped) return [];
	try {
		await item.connect();
		const records = await runOperation(operation, item);
		item.outcome = 'done';
		return item.output(records);
	} catch (caught) {
		const error = caught as Error;
		item.outcome = error instanceof ApiError ? error.details.outcome : 'notSent';
		const nodeError = nodeErrorOf(
			run.context.getNode(),
			error,
			`${error.message} [item ${item.index}]`,
			item.index,
		);
		if (run.continuesOnFail) return failedOutput(item, nodeError);
		run.stop();
		return await rethrow(nodeError);
	}
}

function invalidError({ problem, index, run }: Item): NodeOperationError {
	return new NodeOperationError(run.context.getNode(), `${problem!.message} [item ${index}]`, {
		itemIndex: index,
	});
}

/** The output for an item that failed while the others go on. Before 1.123, n8n puts no words into the item by itself. */
function failedOutput({ index }: Item, error: NodeApiError | NodeOperationError): INodeExecutionData[] {
	return [{ json: { error: error.message }, error, pairedItem: { item: index } }];
}

/** The error that ends a run, with what became of all items and what the run had to go through. */
async function withReport(run: Run, error: NodeApiError): Promise<NodeApiError> {
	const client = await run.close();
	const stats = client ? describeStats(client.stats) : '';
	error.description = [error.description, describeOutcomes(run.items), stats].filter(Boolean).join('\n');
	return error;
}

/** Tells what a run had to go through, in n8n's log and beside the output, and there what its items have to say. */
function report({ context, hints, isToolCall }: Run, client?: ApiClient) {
	const stats = client ? describeStats(client.stats) : '';
	if (stats !== '') context.logger.info(`${context.getNode().name}: ${stats}`);
	if (isToolCall) return;
	const messages = [...hints, stats].filter((message) => message !== '');
	if (messages.length > 0)
		context.addExecutionHints(...messages.map((message) => ({ message, location: 'outputPane' as const })));
}
