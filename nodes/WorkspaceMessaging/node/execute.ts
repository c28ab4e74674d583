import { NodeOperationError } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';
import { openClient } from '../service/client';
import { ApiError } from '../transport/errors/ApiError';
import { endSentence } from '../transport/errors/sentences';
import { setContactId } from '../contacts/setContactId';
import { CREDENTIAL } from '../transport/credential';
import { readPagedList } from '../service/lists/pages';
import { readRecord } from '../service/lists/records';
import { pause } from '../transport/retry';
import { itemRanges } from '../values/labels';
import { parseIdentifier, sameContactKeys } from '../values/identifier';
import { Item } from '../run/item';
import { getInnerFields } from '../run/fieldValues';
import type { Operation } from '../run/operation';
import { readItems } from './readItem';
import { describeOutcomes, describeStats, reportProgress } from './report';
import { hintAtPhoneNumbers } from './phoneNumberHints';
import { readBatching, getRequestOptions } from './requestOptions';
import { toNodeError } from '../run/nodeError';
import { Run } from '../run/run';
import { addAlternatives } from './suggestAlternatives';
import { shortenToolAnswer } from '../run/tool';

/** Problems of invalid items that an error names besides the first. */
const OTHERS_SHOWN = 5;
const NOTHING_SENT = 'Nothing was sent.';
/** Ranges of items in n8n's log, so that people can continue a run from it. */
const RANGES_IN_LOG = 1000;

/** Returns the function that n8n calls to run an operation for all input items. */
export function execute(operation: Operation) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const run = newRun(this, operation);
		const items = this.getInputData().map((input, index) => new Item(run, index, input));
		return [await executeItems(run, operation, items)];
	};
}

/**
 * Returns the function that n8n's declarative loop calls for one item instead of sending a request
 * itself: the tool call of an older agent. It runs that item like any other. n8n runs the tools of
 * other agents (version 3) with `execute`.
 */
export function executeToolCall(operation: Operation) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		// The functions of one item in the form of those of a whole run.
		const ofRun: IExecuteFunctions = Object.create(this);
		const context = Object.assign(ofRun, {
			getNodeParameter: (name: string, _index: number, fallback?: unknown) =>
				this.getNodeParameter(name, fallback),
		});
		const run = newRun(context, operation, true);
		const index = this.getItemIndex();
		const input = this.getInputData();
		const item = new Item(run, index, input);
		return await executeItems(run, operation, [item]);
	};
}

function newRun(context: IExecuteFunctions, { fields }: Operation, isToolCall = false): Run {
	const settings = getRequestOptions(context);
	const open = async (credential?: ICredentialDataDecryptedObject) =>
		await openClient(context, { ...settings, credential });
	return new Run(context, fields, open, isToolCall);
}

/**
 * Reads and validates all items before it sends the first request, then runs them. Returns the
 * output items, each linked to its input item.
 *
 * With "On Error: Stop", an invalid item stops the run before the first request. Later, the first
 * failure stops the items without a request; the error is thrown when the others have ended, with
 * the outcomes of all.
 */
async function executeItems(
	run: Run,
	operation: Operation,
	items: Item[],
): Promise<INodeExecutionData[]> {
	run.items = items;
	// A missing credential is only an error if the run sends a request.
	run.credential = await run.context.getCredentials(CREDENTIAL).catch(() => undefined);
	await readItems(items, operation);
	if (!run.continuesOnFail) refuseInvalid(items, operation);
	const endProgress = reportProgress(run);
	return await runItems(run, items, async (item) => await runItem(item, operation))
		.then((outputs) => {
			showHints(run, items);
			return outputs.flat();
		})
		.catch((error: NodeApiError) => {
			const outcomes = describeRunOutcomes(run, operation);
			const report = [error.description, outcomes, describeRunStats(run)];
			error.description = report.filter(Boolean).join(' ');
			throw error;
		})
		.finally(() => {
			run.client?.close();
			logEnd(run, operation, endProgress());
		});
}

/**
 * Throws the error of the first invalid item, with the problems of others; not if the operation
 * reports them.
 */
function refuseInvalid(items: Item[], { reportInvalid, fields }: Operation) {
	const invalid = items.filter((item) => {
		const { problem } = item;
		return problem && !reportInvalid?.(item, problem);
	});
	if (invalid.length === 0) return;
	const error = invalidError(invalid[0]);
	const [first, ...others] = byProblem(invalid);
	const [, alike] = first;
	const innerFields = fields.flatMap(getInnerFields);
	const hasPreview = innerFields.some(({ name }) => name === 'preview');
	const sentences = describeOthers(others, hasPreview);
	if (alike.length > 1) {
		const which = itemRanges(alike);
		sentences.unshift(`Items ${which} have the same problem.`);
	}
	const report = sentences.join(' ');
	// The service's answers to what n8n reads beforehand say so already.
	const saysSo = `${error.message} ${report}`.includes(NOTHING_SENT);
	error.description = saysSo ? report : `${NOTHING_SENT} ${report}`.trim();
	throw error;
}

/** Returns sentences about the problems of other items, the first of them in full. */
function describeOthers(others: Problems, hasPreview: boolean): string[] {
	if (others.length === 0) return [];
	const sentences = others.slice(0, OTHERS_SHOWN).map(([problem, numbers]) => {
		const noun = numbers.length > 1 ? 'items' : 'item';
		return endSentence(`${problem} [${noun} ${itemRanges(numbers)}]`);
	});
	const hidden = others.length - OTHERS_SHOWN;
	if (hidden > 0) {
		sentences.push(`… and ${hidden} more.`);
		if (hasPreview) sentences.push('To list all of them, add the option Preview.');
	}
	return ['More problems:', ...sentences];
}

/** Problems of items, each with the numbers of the items that have it. */
type Problems = Array<[problem: string, numbers: number[]]>;

/** Returns the problems of items in their order. */
function byProblem(invalid: Item[]): Problems {
	const numbers = new Map<string, number[]>();
	for (const { problem, index } of invalid) {
		const known = numbers.get(problem!.message);
		if (known) known.push(index);
		else numbers.set(problem!.message, [index]);
	}
	return [...numbers];
}

/** Starts the items, in batches if the user wants that, and waits for all of them. */
async function runItems(
	run: Run,
	items: Item[],
	runOne: (item: Item) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[][]> {
	const { size, intervalMs } = readBatching(run.context);
	const outputs: Array<Promise<INodeExecutionData[]>> = [];
	let failure: Error | undefined;
	for (const [position, item] of items.entries()) {
		const startsBatch = position > 0 && position % size === 0;
		if (startsBatch && intervalMs > 0 && !run.isStopped)
			await pause(intervalMs, run.context.getExecutionCancelSignal());
		outputs.push(
			runOne(item)
				.catch((error: Error) => failedItem(item, error))
				.catch((error: Error) => {
					failure ??= error;
					return [];
				})
				.finally(() => run.endedItems++),
		);
	}
	const all = await Promise.all(outputs);
	if (failure) throw failure;
	return all;
}

async function runItem(item: Item, operation: Operation): Promise<INodeExecutionData[]> {
	const { problem, run } = item;
	if (problem) {
		const report = operation.reportInvalid?.(item, problem);
		if (report) return item.output([report]);
		return failedOutput(item, invalidError(item));
	}
	if (run.isStopped) return [];
	await item.connect();
	const records = await run
		.inOrder(async () => await setContactId(item, operation.endpoint))
		.then(async () => await runOperation(operation, item))
		.catch(reported(operation, item));
	item.end('done');
	const outputs = item.output(records);
	const answer = item.readToolAnswerSettings();
	if (!answer) return outputs;
	return shortenToolAnswer(outputs, answer, operation);
}

/** Runs an operation for one item and returns one object for each output item. */
async function runOperation(operation: Operation, item: Item): Promise<IDataObject[]> {
	const { run } = operation;
	// A failure stops the run, and then nothing more can be read to improve the error.
	const work = async () =>
		await (run ? run(item) : callEndpoint(operation, item))
			.catch(reported(operation, item))
			.catch(async (error: Error) => {
				throw error instanceof ApiError ? await addAlternatives(operation, item, error) : error;
			});
	return await inContactOrder(operation, item, work);
}

/**
 * Returns a handler for `catch()` that returns the output for an error that the operation reports.
 */
function reported(operation: Operation, item: Item) {
	return async (error: Error): Promise<IDataObject[]> => {
		const { reportInvalid } = operation;
		const report = reportInvalid?.(item, error);
		if (!report) throw error;
		const better = await addAlternatives(operation, item, error);
		return [reportInvalid!(item, better) ?? report];
	};
}

/** Runs work that changes a contact after that of earlier items about the same contact. */
async function inContactOrder<T>(
	{ endpoint }: Operation,
	item: Item,
	work: () => Promise<T>,
): Promise<T> {
	const identifier = parseIdentifier(item.params.identifier);
	if (endpoint.method === 'GET' || !identifier) return await work();
	return await item.run.runExclusive(sameContactKeys(identifier), work);
}

async function callEndpoint({ endpoint, simplify }: Operation, item: Item) {
	const { params, query, body } = item;
	const parts = { params, query, body };
	if (!endpoint.response) {
		await item.request(endpoint, parts);
		return [{ success: true }];
	}
	const records = endpoint.list
		? await readPagedList(item, endpoint, parts, item.limit)
		: [await readRecord(item, endpoint, parts)];
	if (!simplify || !item.isSimplified) return records;
	return await simplify(records, item);
}

function invalidError({ problem, index, run }: Item): NodeOperationError {
	return new NodeOperationError(run.context.getNode(), `${problem!.message} [item ${index}]`, {
		itemIndex: index,
	});
}

/** Returns the error output of an item, or stops the run and throws its error. */
function failedItem(item: Item, error: Error): INodeExecutionData[] {
	const { run, index } = item;
	if (error instanceof ApiError) item.end(error.details.outcome);
	const nodeError = toNodeError(run.context.getNode(), error, {
		item: index,
		oneOfSeveral: run.items.length > 1,
		// The error output and an agent only get the message.
		isOneText: run.continuesOnFail || run.isTool,
	});
	if (run.continuesOnFail) return failedOutput(item, nodeError);
	run.stop();
	throw nodeError;
}

/**
 * The output of a failed item, if the others continue. n8n adds `json.error` to the input row for
 * the error output; with an error object, it would replace the row.
 */
function failedOutput({ index }: Item, { message }: Error): INodeExecutionData[] {
	return [{ json: { error: message }, pairedItem: { item: index } }];
}

/** Shows the hints of the items at the output, and how long the run waited. */
function showHints(run: Run, items: Item[]) {
	if (run.isToolCall) return;
	hintAtPhoneNumbers(run, items);
	const stats = describeRunStats(run);
	if (stats !== '') run.hint(stats);
	const texts = [...run.hints].map(
		([text, group]) => [typeof text === 'string' ? text : text(), group] as const,
	);
	// Some know only at the end of the run that there is nothing to say.
	const shown = texts.filter(([message]) => message !== '');
	const keys = shown.map(([, group]) => group?.key);
	const hints = shown.map(([message, group]) => {
		const alike = keys.filter((key) => key === group?.key);
		return {
			message,
			location: 'outputPane' as const,
			...(group && alike.length > 1 && { group }),
		};
	});
	if (hints.length > 0) run.context.addExecutionHints(...hints);
}

/**
 * Logs how a run ended, unless it was short and all items succeeded. For a cancelled execution, the
 * log is all that remains: n8n stores the execution at that moment, before any output.
 */
function logEnd(run: Run, operation: Operation, isLong: boolean) {
	const { context, items } = run;
	const isCancelled = context.getExecutionCancelSignal()?.aborted === true;
	const isDone = items.every(({ outcome }) => outcome === 'done');
	const isNotable = isLong || isCancelled || !isDone;
	const sentences = [
		isCancelled && 'The execution was cancelled.',
		isNotable && describeRunOutcomes(run, operation, RANGES_IN_LOG),
		describeRunStats(run),
	];
	const text = sentences.filter(Boolean).join(' ');
	if (text !== '') context.logger.info(`${context.getNode().name}: ${text}`);
}

const describeRunStats = ({ client }: Run) =>
	client ? describeStats(client.stats, client.outageMs) : '';

const describeRunOutcomes = ({ items }: Run, { endpoint }: Operation, maxRanges?: number) =>
	describeOutcomes(items, endpoint.isMessage ? 'sent' : 'done', maxRanges);
