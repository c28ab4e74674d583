import {
	SEND_AND_WAIT_OPERATION,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';
import type { ClientSettings } from '../transport/client';
import { readConnection, type ConnectionOptions } from '../run/connection';
import {
	ignoreSslIssues,
	proxyField,
	requestOptionsField,
	timeoutField,
} from '../panel/connectionFields';
import { patienceIn, retryDefaults } from '../transport/retry/settings';
import { answerLength } from '../run/tool';

/** For how many seconds a request is retried when the user has not set it. */
const GIVE_UP_AFTER = retryDefaults.giveUpAfterMs / 1000;

/**
 * The Request Options of a node's settings: n8n's own and ours. Times are in milliseconds,
 * `giveUpAfter` in seconds.
 */
interface RequestOptions extends ConnectionOptions {
	batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	maxRetries?: number;
	retryWhenOutcomeUnknown?: 'always' | 'messages' | 'never';
	giveUpAfter?: number;
}

const readOptions = (context: IExecuteFunctions): RequestOptions =>
	Object(context.getNodeParameter('requestOptions', 0, {}));

/** How the requests of a run are sent and repeated. Throws when the proxy is no address. */
export function getRequestOptions(context: IExecuteFunctions): ClientSettings {
	const options = readOptions(context);
	const { maxRetries, retryWhenOutcomeUnknown, giveUpAfter } = options;
	return {
		transport: readConnection(options),
		retry: {
			maxRetries,
			retryWhenOutcomeUnknown,
			giveUpAfterMs: (giveUpAfter ?? GIVE_UP_AFTER) * 1000,
			...(giveUpAfter === undefined && patienceIn(context.getMode())),
			waitsForService: true,
		},
		signal: context.getExecutionCancelSignal(),
	};
}

/**
 * How many items are started together, and how long the next ones wait, in milliseconds; 0 for not
 * at all.
 */
export function readBatching(context: IExecuteFunctions): { size: number; intervalMs: number } {
	const { batching } = readOptions(context);
	const { batchSize = 1, batchInterval = 0 } = batching?.batch ?? {};
	// -1 turns batching off.
	if (batchSize < 0) return { size: 1, intervalMs: 0 };
	const size = Math.max(1, batchSize);
	return { size, intervalMs: batchInterval };
}

/**
 * How to send and retry requests, and how much an agent gets: n8n's own Request Options and ours.
 * n8n adds its own only to nodes without a webhook, so they are all here. Keep the texts short: n8n
 * repeats them for every operation when it describes the node to a model.
 */
export const requestOptions = requestOptionsField([
	{
		displayName: 'Batching',
		name: 'batching',
		type: 'fixedCollection',
		placeholder: 'Add Batching',
		default: { batch: {} },
		options: [
			{
				displayName: 'Batching',
				name: 'batch',
				values: [
					numberField(50, {
						displayName: 'Items per Batch',
						name: 'batchSize',
						typeOptions: { minValue: -1 },
						description: '-1 turns batching off',
					}),
					numberField(1000, {
						displayName: 'Batch Interval (ms)',
						name: 'batchInterval',
						typeOptions: { minValue: 0 },
						description: 'Time between two batches',
					}),
				],
			},
		],
	},
	numberField(GIVE_UP_AFTER, {
		displayName: 'Give Up After (Seconds)',
		name: 'giveUpAfter',
		typeOptions: { minValue: 0 },
		description: 'How long to keep retrying a request, also while the service is down',
	}),
	ignoreSslIssues,
	numberField(answerLength.preset, {
		displayName: 'Max Answer Length',
		name: 'maxAnswerLength',
		typeOptions: { minValue: answerLength.least, numberPrecision: 0 },
		// The answer of a contact is never cut.
		displayOptions: {
			show: { '@tool': [true] },
			hide: { '/operation': [SEND_AND_WAIT_OPERATION] },
		},
		description: 'In characters',
	}),
	numberField(retryDefaults.maxRetries, {
		displayName: 'Max Retries',
		name: 'maxRetries',
		typeOptions: { minValue: 0, maxValue: 20, numberPrecision: 0 },
	}),
	proxyField,
	{
		displayName: 'Retry When Outcome Is Unknown',
		name: 'retryWhenOutcomeUnknown',
		type: 'options',
		options: [
			{
				name: 'Always',
				value: 'always',
				description: 'Retry everything, including Create, Import and Trigger Flow',
			},
			{
				name: 'Messages',
				value: 'messages',
				description: 'Messages, and what the service recognizes when it gets it again',
			},
			{ name: 'Never', value: 'never', description: 'Fail, and say that the outcome is unknown' },
		],
		default: 'messages',
		description: 'What to retry if no answer came',
	},
	timeoutField,
]);

function numberField(
	preset: number,
	field: Omit<INodeProperties, 'type' | 'default'>,
): INodeProperties {
	return { ...field, type: 'number', default: preset };
}
