import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { ApiError, sentence } from '../transport/errors/errors';
import { pause } from '../transport/retry';
import { rethrow } from '../transport/rethrow';
import { Item } from './item';
import { nodeErrorOf } from './nodeError';
import { runOperation } from './operation';
import type { Operation } from './operation';
import { reportProgress } from './progress';
import { readItem } from './readItem';
import { describeNationalNumbers, describeOutcomes, describeStats } from './report';
import { batchingOf } from './requestOptions';
import { Run } from './run';
import { toolAnswer } from './toolAnswer';

/** Invalid items that an error names beside the first. */
const OTHERS_SHOWN = 5;
/** Ranges of items that n8n's log names, so that a run can be continued by it. */
const RANGES_IN_LOG = 1000;

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
	for (const item of items) await readItem(item, operation);
	if (!run.continuesOnFail) refuseInvalid(items);
	const progress = reportProgress(run);
	try {
		const outputs = await runItems(run, operation, items);
		hintAtNationalNumbers(run, items);
		showHints(run);
		return outputs.flat();
	} catch (error) {
		return await rethrow(withReport(run, operation, error as NodeApiError));
	} finally {
		progress.end();
		run.close();
		log(run, operation, progress.hasReported);
	}
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
		...others.slice(0, OTHERS_SHOWN).map(({ message }) => sentence(message)),
	].join(' ');
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
	if (failure) await rethrow(failure);
	return all;
}

async function runItem(run: Run, operation: Operation, item: Item): Promise<INodeExecutionData[]> {
	try {
		if (item.problem) return failedOutput(item, invalidError(item));
		if (run.isStopped) return [];
		await item.connect();
		const records = await runOperation(operation, item);
		item.outcome = 'done';
		const outputs = item.output(records);
		return item.answer ? toolAnswer(outputs, item.answer, operation) : outputs;
	} catch (caught) {
		const error = caught as Error;
		if (error instanceof ApiError) item.outcome = error.details.outcome;
		const nodeError = nodeErrorOf(run.context.getNode(), error, {
			item: item.index,
			oneOfSeveral: run.items.length > 1,
			// The error output and an agent get the message alone.
			isOneText: run.continuesOnFail || run.isTool,
		});
		if (run.continuesOnFail) return failedOutput(item, nodeError);
		run.stop();
		return await rethrow(nodeError);
	} finally {
		run.endedItems++;
	}
}

function invalidError({ problem, index, run }: Item): NodeOperationError {
	return new NodeOperationError(run.context.getNode(), `${problem!.message} [item ${index}]`, {
		itemIndex: index,
	});
}

/**
 * The output for an item that failed while the others go on. With an error of its own, n8n would put out its words alone;
 * without one, n8n adds them to the input row for the error output.
 */
function failedOutput({ index }: Item, { message }: Error): INodeExecutionData[] {
	return [{ json: { error: message }, pairedItem: { item: index } }];
}

/** The error that ends a run, with what became of all items and what the run had to go through. */
function withReport(run: Run, operation: Operation, error: NodeApiError): NodeApiError {
	const outcomes = describeOutcomes(run.items, doneWords(operation));
	error.description = [error.description, outcomes, statsOf(run)].filter(Boolean).join(' ');
	return error;
}

/** Tells beside the output what the items have to say, and what the run had to go through. */
function showHints(run: Run) {
	if (run.isToolCall) return;
	const hints = [...run.hints, statsOf(run)].filter((message) => message !== '');
	if (hints.length > 0)
		run.context.addExecutionHints(...hints.map((message) => ({ message, location: 'outputPane' as const })));
}

/**
 * Tells in n8n's log how a run ended, unless it was short and all went well. Of a cancelled execution it is all that
 * remains: n8n stores it at that moment, before any output.
 */
function log(run: Run, operation: Operation, isLong: boolean) {
	const { context, items } = run;
	const isCancelled = context.getExecutionCancelSignal()?.aborted === true;
	const tellsOutcomes = isLong || isCancelled || items.some(({ outcome }) => outcome !== 'done');
	const outcomes = tellsOutcomes ? describeOutcomes(items, doneWords(operation), RANGES_IN_LOG) : '';
	const sentences = [isCancelled ? 'The execution was cancelled.' : '', outcomes, statsOf(run)].filter(
		Boolean,
	);
	if (sentences.length > 0) context.logger.info(`${context.getNode().name}: ${sentences.join(' ')}`);
}

const statsOf = ({ client }: Run) => (client ? describeStats(client.stats) : '');

const doneWords = ({ endpoint }: Operation) => (endpoint.isMessage ? 'sent' : 'carried out');
