import {
	SEND_AND_WAIT_OPERATION,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';
import type { ClientSettings } from '../transport/client';
import type { Transport } from '../transport/http';
import { retryDefaults } from '../transport/retry';
import { answerLength } from '../run/tool';

/** How long an answer may take when the user has not set a timeout. */
const TIMEOUT_MS = 60_000;

/** For how many seconds a request is retried when the user has not set it. */
const GIVE_UP_AFTER = retryDefaults.giveUpAfterMs / 1000;

/**
 * The Request Options of a node's settings: n8n's own and ours. Times are in milliseconds,
 * `giveUpAfter` in seconds.
 */
interface RequestOptions {
	timeout?: number;
	proxy?: string;
	allowUnauthorizedCerts?: boolean;
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
	const { timeout, proxy, allowUnauthorizedCerts, maxRetries, retryWhenOutcomeUnknown } = options;
	const { giveUpAfter = GIVE_UP_AFTER } = options;
	return {
		transport: {
			timeout: timeout || TIMEOUT_MS,
			...(allowUnauthorizedCerts && { skipSslCertificateValidation: true }),
			...(proxy && { proxy: parseProxy(proxy) }),
		},
		retry: {
			maxRetries,
			retryWhenOutcomeUnknown,
			giveUpAfterMs: giveUpAfter * 1000,
			waitsForService: true,
		},
		signal: context.getExecutionCancelSignal(),
	};
}

function parseProxy(address: string): Transport['proxy'] {
	if (!URL.canParse(address))
		throw new Error('Proxy must be a valid URL, such as http://myproxy:3128');
	const { protocol, hostname, port, username, password } = new URL(address);
	const defaultPort = protocol === 'https:' ? 443 : 80;
	return {
		protocol: protocol.replace(/:$/, ''),
		host: hostname,
		port: Number(port || defaultPort),
		...(username && {
			auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
		}),
	};
}

/**
 * How many items are started together, and how long the next ones wait, in milliseconds; 0 for not
 * at all.
 */
export function readBatching(context: IExecuteFunctions): { size: number; intervalMs: number } {
	const { batching } = readOptions(context);
	const { batchSize = 1, batchInterval = 0 } = batching?.batch ?? {};
	if (batchSize < 0) return { size: 1, intervalMs: 0 };
	return { size: Math.max(1, batchSize), intervalMs: batchInterval };
}

/**
 * How to send and retry requests, and how much an agent gets: n8n's own Request Options and ours.
 * n8n adds its own only to nodes without a webhook, so they are all here. Keep the texts short: n8n
 * repeats them for every operation when it describes the node to a model.
 */
export const requestOptions: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	options: [
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
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'allowUnauthorizedCerts',
			type: 'boolean',
			default: false,
			description: 'Whether to connect even if SSL certificate validation is not possible',
		},
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
		{
			displayName: 'Proxy',
			name: 'proxy',
			type: 'string',
			default: '',
			placeholder: 'e.g. http://user:password@myproxy:3128',
		},
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
					name: 'Messages Only',
					value: 'messages',
					description: 'Messages carry an ID that the service can deduplicate',
				},
				{ name: 'Never', value: 'never', description: 'Fail, and say that the outcome is unknown' },
			],
			default: 'messages',
			description: 'What to retry if no answer came',
		},
		numberField(TIMEOUT_MS, {
			displayName: 'Timeout',
			name: 'timeout',
			typeOptions: { minValue: 1 },
			description: 'How long an answer may take, in milliseconds',
		}),
	],
};

function numberField(
	preset: number,
	field: Omit<INodeProperties, 'type' | 'default'>,
): INodeProperties {
	return { ...field, type: 'number', default: preset };
}
