import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';
import { openClient } from '../service/client';
import { ApiError } from '../transport/errors/ApiError';
import { changesNamedContact, setContactId } from '../contacts/setContactId';
import { CREDENTIAL } from '../transport/credential';
import { readPagedList } from '../service/lists/pages';
import { readRecord } from '../service/lists/records';
import { pause } from '../transport/retry/delays';
import { parseIdentifier, sameContactKeys } from '../values/identifier';
import { Item } from '../run/item';
import type { Operation } from '../run/operation';
import { readItems } from './readItem';
import { invalidError, refuseInvalid } from './refuseInvalid';
import { addReport, logEnd, reportProgress, showHints } from './report';
import { readBatching, getRequestOptions } from './requestOptions';
import { nameRun } from '../run/idempotency';
import { toNodeError } from '../run/nodeError';
import { Run } from '../run/run';
import { addAlternatives } from './suggestAlternatives';
import { shortenToolAnswer } from '../run/tool';
import { RunTries } from '../run/tries';

/** Returns the function that n8n calls to run an operation for all input items. */
export function execute(operation: Operation) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const run = newRun(this, operation);
		let outputs: INodeExecutionData[] | undefined;
		try {
			const items = this.getInputData().map((input, index) => new Item(run, index, input));
			outputs = await executeItems(run, operation, items);
		} finally {
			run.tries?.end(outputs, run.hints, run.client?.stats.maybeTwice);
		}
		return [outputs];
	};
}

/**
 * Returns the function that n8n calls for each tool call of an agent before version 3, in place of a
 * request of its own (`operations.pagination`). It runs the one item like any other. Tools of
 * newer agents run with `execute`.
 */
export function executeToolCall(operation: Operation) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		// It has the functions of one item: `getNodeParameter` takes no index here.
		const inherited: IExecuteFunctions = Object.create(this);
		const context = Object.assign(inherited, {
			getNodeParameter: (name: string, _index: number, fallback?: unknown) =>
				this.getNodeParameter(name, fallback),
		});
		const run = newRun(context, operation, { isToolCall: true });
		const index = this.getItemIndex();
		const input = this.getInputData();
		const item = new Item(run, index, input);
		return await executeItems(run, operation, [item]);
	};
}

function newRun(
	context: IExecuteFunctions,
	{ endpoint, fields }: Operation,
	{ isToolCall = false } = {},
) {
	const settings = getRequestOptions(context);
	const open = (credential?: ICredentialDataDecryptedObject) =>
		openClient(context, { ...settings, credential });
	const run = new Run(context, fields, open, isToolCall);
	run.sendsMessages = endpoint.isMessage === true;
	const mustRemember = context.getNode().retryOnFail === true && endpoint.method !== 'GET';
	const name = mustRemember ? nameRun(run) : undefined;
	if (name !== undefined) run.tries = RunTries.begin(name);
	for (const hint of run.tries?.hints ?? []) run.hint(...hint);
	return run;
}

/**
 * Reads and validates all items before it sends the first request, then runs them. Returns the
 * output items, each linked to its input item.
 *
 * With "On Error: Stop", an invalid item stops the run before the first request. Later, the first
 * failure stops the items without a request; the error is thrown when the others have ended, with
 * the outcomes of all.
 */
async function executeItems(run: Run, operation: Operation, items: Item[]) {
	run.items = items;
	// A missing credential is only an error if the run sends a request.
	run.credential = await run.context.getCredentials(CREDENTIAL).catch(() => undefined);
	await readItems(run, items, operation);
	if (!run.continuesOnFail) refuseInvalid(items, operation);
	const endProgress = reportProgress(run);
	try {
		const outputs = await runItems(run, items, operation);
		showHints(run, items);
		return outputs.flat();
	} catch (error) {
		throw addReport(error as NodeApiError, run, items);
	} finally {
		run.client?.close();
		run.end();
		logEnd(run, endProgress());
	}
}

/**
 * Starts the items, in batches if the user wants that, and waits for all of them. Throws the first
 * failure.
 */
async function runItems(run: Run, items: Item[], operation: Operation) {
	const { size, intervalMs } = readBatching(run.context);
	run.startsInBatches = intervalMs > 0;
	const outputs: Array<Promise<INodeExecutionData[]>> = [];
	const failures: FailedItem[] = [];
	const runOne = async (item: Item) => {
		try {
			return await runItem(item, operation);
		} catch (error) {
			const nodeError = endFailed(item, error as Error);
			if (run.continuesOnFail) return failedOutput(item, nodeError);
			run.stop();
			failures.push({ item, nodeError });
			return [];
		} finally {
			run.endedItems++;
		}
	};
	let started = 0;
	for (const item of items) {
		const isSettled = item.tries?.isSettled === true;
		const startsBatch = !isSettled && started > 0 && started % size === 0;
		if (startsBatch && intervalMs > 0 && !run.isStopped) await pause(intervalMs, run.cancelSignal);
		if (!isSettled) started++;
		outputs.push(runOne(item));
	}
	const all = await Promise.all(outputs);
	if (failures.length > 0) throw findCause(failures);
	return all;
}

/** An item that failed. */
interface FailedItem {
	item: Item;
	nodeError: Error;
}

/** Returns the first error, if possible of an item that did not only fail because the run stopped. */
function findCause(failures: FailedItem[]): Error {
	const [first] = failures;
	const cause = failures.find(({ item }) => item.outcome !== 'notSent') ?? first;
	return cause.nodeError;
}

/** Runs an operation for one item, which has been read. Returns its output. */
async function runItem(item: Item, operation: Operation): Promise<INodeExecutionData[]> {
	const { problem, run } = item;
	if (problem) {
		const report = operation.reportInvalid?.(item, problem);
		return report ? item.output([report]) : failedOutput(item, invalidError(item, problem));
	}
	let outputs = item.takeEarlierOutput();
	if (!outputs) {
		if (run.isStopped) return [];
		await item.connect();
		const records = await findAndRun(item, operation);
		outputs = item.output(records);
	}
	item.succeed(outputs);
	const answer = item.readToolAnswerSettings();
	return answer ? shortenToolAnswer(outputs, answer, operation) : outputs;
}

/**
 * Finds the contact of an item, and runs the operation after the earlier items that change the same
 * contact. Returns one object for each output item.
 */
async function findAndRun(item: Item, operation: Operation) {
	const { run } = item;
	try {
		await run.inOrder(() => setContactId(item, operation.endpoint));
	} catch (error) {
		return await reportOrThrow(item, operation, error);
	}
	return await run.runExclusive(contactKeys(item, operation), async () => {
		try {
			const { run: runOne, simplify } = operation;
			const records = await (runOne ? runOne(item) : callEndpoint(item, operation));
			return simplify && item.isSimplified ? await simplify(records, item) : records;
		} catch (error) {
			// Inside the queue: an error that leaves it stops the run, and then no list can be read any more
			// to say what exists.
			return await reportOrThrow(item, operation, error);
		}
	});
}

/** What a change shares with others of the same contact; nothing if the operation only reads. */
function contactKeys({ params }: Item, { endpoint }: Operation) {
	const identifier = parseIdentifier(params.identifier);
	if (!changesNamedContact(endpoint) || !identifier) return [];
	return sameContactKeys(identifier);
}

/**
 * Returns the output for an error that the operation reports; throws any other. If the item named
 * something that does not exist, the report and the error say what does.
 */
async function reportOrThrow(item: Item, operation: Operation, error: unknown) {
	const isOfRequest = error instanceof ApiError;
	const better = isOfRequest ? await addAlternatives(operation, item, error) : (error as Error);
	const report = operation.reportInvalid?.(item, better);
	if (!report) throw better;
	return [report];
}

/** Runs an operation that only calls its endpoint. */
async function callEndpoint(item: Item, { endpoint }: Operation) {
	const { params, query, body } = item;
	const parts = { params, query, body };
	if (!endpoint.response) {
		await item.request(endpoint, parts);
		return [{ success: true }];
	}
	if (endpoint.list) return await readPagedList(item, endpoint, parts, item.limit);
	return [await readRecord(item, endpoint, parts)];
}

/** Says what has become of an item that failed. Returns its error as n8n shows it. */
function endFailed(item: Item, error: Error) {
	const { run, index } = item;
	if (error instanceof ApiError) item.fail(error);
	return toNodeError(run.context.getNode(), error, {
		item: index,
		oneOfSeveral: run.items.length > 1,
		// The error output and an agent only get the message.
		isOneText: run.continuesOnFail || run.isTool,
	});
}

/**
 * The output of a failed item, if the others continue. n8n adds `json.error` to the input row for
 * the error output; with an error object, it would replace the row.
 */
function failedOutput({ index }: Item, { message }: Error): INodeExecutionData[] {
	return [{ json: { error: message }, pairedItem: { item: index } }];
}
