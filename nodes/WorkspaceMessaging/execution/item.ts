import type {
	DeclarativeRestApiSettings,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { GIVE_UP_AFTER_MS, openClient } from './client';
import { CallError } from './errors';
import type { Tally } from './client';
import { nodeErrorOf } from './nodeError';
import type { Operation } from './operation';
import type { Transport } from './request';
import { runOf } from './run';
import type { Run } from './run';
import { summary } from './summary';

/** How long an answer may take when the user has not set a timeout. */
const TIMEOUT_MS = 60_000;

/**
 * The function through which every request of the node goes. n8n calls it in place of sending the request itself, once
 * for each item, and all items at once.
 *
 * Returns the output items of one input item, each linked to it. With "On Error: Stop" the first failure stops what has
 * not been sent, waits for what has, and only then throws, with the number of the item and what became of the others.
 */
export function send(operation: Operation) {
	return async function (
		this: IExecutePaginationFunctions,
		requestData: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]> {
		const run = runOf(this);
		const item = this.getItemIndex();
		const goesOn = this.continueOnFail();

		const invalid = run.invalid.get(item);
		if (run.invalid.size > 0 && !goesOn) {
			// Only one item throws: n8n reports the first that does, and its number. Items are checked in order.
			const [first] = run.invalid.keys();
			if (first !== item) return [];
			const others = [...run.invalid.values()].slice(1, 6).map(({ message }) => message);
			invalid!.description = [
				'Nothing was sent.',
				...(others.length > 0 ? ['Other items are not valid either:', ...others] : []),
			].join('\n');
			throw invalid!;
		}
		if (invalid) {
			run.outcomes.set(item, 'notSent');
			reportAtEnd(this, run);
			return [failed(invalid, item)];
		}
		if (run.stopped) {
			run.outcomes.set(item, 'notSent');
			return [];
		}

		let ended = () => {};
		const active = new Promise<void>((resolve) => (ended = resolve));
		run.active.add(active);
		try {
			const client = await (run.client ??= openClient(
				this,
				settingsOf(this, requestData),
				this.getExecutionCancelSignal(),
			));
			const records = await operation.run(client.caller(this), run.requests.get(item)!, this);
			run.outcomes.set(item, 'done');
			reportAtEnd(this, run);
			return records.map((json) => ({ json, pairedItem: { item } }));
		} catch (error) {
			const details = error instanceof CallError ? error.details : { outcome: 'notSent' as const };
			run.outcomes.set(item, details.outcome);
			if (run.stopped && !goesOn) return [];
			const cause = error as Error;
			const nodeError = nodeErrorOf(this.getNode(), cause, `${cause.message} [item ${item}]`, item);
			if (goesOn) {
				reportAtEnd(this, run);
				return [failed(nodeError, item)];
			}
			run.stopped = true;
			run.active.delete(active);
			void run.client?.then(
				(client) => client.stop(),
				() => {},
			);
			await Promise.all(run.active);
			const tally = await run.client?.then(
				(client) => {
					client.close();
					return describeTally(client.tally);
				},
				() => '',
			);
			nodeError.description = [nodeError.description, summary(run), tally].filter(Boolean).join('\n');
			throw nodeError;
		} finally {
			ended();
		}
	};
}

/** n8n's own settings for requests, and ours beside them ("Request Options" in the node's settings). */
function settingsOf(context: IExecuteSingleFunctions, { options }: DeclarativeRestApiSettings.ResultOptions) {
	const set = context.getNodeParameter('requestOptions', {}) as {
		timeout?: number;
		maxRetries?: number;
		giveUpAfter?: number;
	};
	const { proxy, skipSslCertificateValidation, allowedDomains } = options as Transport;
	const transport: Transport = {
		timeout: set.timeout || TIMEOUT_MS,
		proxy,
		skipSslCertificateValidation,
		allowedDomains,
	};
	return {
		transport,
		retry: {
			maxRetries: set.maxRetries,
			giveUpAfterMs: set.giveUpAfter === undefined ? GIVE_UP_AFTER_MS : set.giveUpAfter * 1000,
		},
	};
}

/** The output for an item that failed while the others go on. Before 1.123, n8n puts no words into the item by itself. */
function failed(error: NodeApiError | NodeOperationError, item: number): INodeExecutionData {
	return { json: { error: error.message }, error, pairedItem: { item } };
}

/** Once all items have ended, tells what the run had to go through. */
function reportAtEnd(context: IExecuteSingleFunctions, run: Run) {
	if (run.outcomes.size < run.size) return;
	void run.client?.then(
		(client) => {
			client.close();
			const message = describeTally(client.tally);
			if (message === '') return;
			context.logger.info(`${context.getNode().name}: ${message}`);
			// n8n gives hints to whole runs, not to the items of its declarative loop.
			const { addExecutionHints } = context as unknown as Partial<IExecuteFunctions>;
			addExecutionHints?.call(context as unknown as IExecuteFunctions, { message, location: 'outputPane' });
		},
		// Each item has reported why there is no connection.
		() => {},
	);
}

function describeTally({ retries, tooManyRequests, waitedMs }: Tally): string {
	const parts: string[] = [];
	if (waitedMs >= 1000) {
		parts.push(
			`waited ${Math.round(waitedMs / 1000)} s to keep within the requests per minute of the workspace`,
		);
	}
	if (retries > 0)
		parts.push(`repeated ${retries} ${retries === 1 ? 'request' : 'requests'} that had failed`);
	if (tooManyRequests > 0) {
		parts.push(
			`was asked ${tooManyRequests} ${tooManyRequests === 1 ? 'time' : 'times'} by the service to slow down`,
		);
	}
	return parts.length === 0 ? '' : `This run ${parts.join(', ')}.`;
}
