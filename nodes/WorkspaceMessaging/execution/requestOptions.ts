import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { ClientSettings } from '../transport/client';
import type { Transport } from '../transport/http';
import { retryDefaults } from '../transport/retry';
import { answerLength } from './tool';

/** How long an answer may take when the user has not set a timeout. */
const TIMEOUT_MS = 60_000;

/** The Request Options of a node's settings: n8n's own, and ours beside them. Times in milliseconds, but `giveUpAfter`. */
interface RequestOptions {
	timeout?: number;
	proxy?: string;
	allowUnauthorizedCerts?: boolean;
	batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	maxRetries?: number;
	repeatWhenUnsure?: 'always' | 'messages' | 'never';
	/** In seconds. */
	giveUpAfter?: number;
}

const optionsOf = (context: IExecuteFunctions) =>
	context.getNodeParameter('requestOptions', 0, {}) as RequestOptions;

/** How the requests of a run are sent and repeated. Throws when the proxy is no address. */
export function clientSettings(context: IExecuteFunctions): ClientSettings {
	const options = optionsOf(context);
	const { timeout, proxy, allowUnauthorizedCerts, maxRetries, giveUpAfter, repeatWhenUnsure } = options;
	return {
		transport: {
			timeout: timeout || TIMEOUT_MS,
			...(allowUnauthorizedCerts && { skipSslCertificateValidation: true }),
			...(proxy && { proxy: proxyOf(proxy) }),
		},
		retry: {
			maxRetries,
			repeatWhenUnsure,
			giveUpAfterMs: giveUpAfter === undefined ? retryDefaults.giveUpAfterMs : giveUpAfter * 1000,
		},
		signal: context.getExecutionCancelSignal(),
	};
}

function proxyOf(address: string): Transport['proxy'] {
	if (!URL.canParse(address)) throw new Error('Proxy must be a valid URL, such as http://myproxy:3128');
	const { protocol, hostname, port, username, password } = new URL(address);
	return {
		protocol: protocol.replace(/:$/, ''),
		host: hostname,
		port: Number(port || (protocol === 'https:' ? 443 : 80)),
		...(username && {
			auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
		}),
	};
}

/** How many items are started together, and how long the next ones wait, in milliseconds; 0 for not at all. */
export function batchingOf(context: IExecuteFunctions): { size: number; intervalMs: number } {
	const { batchSize = 1, batchInterval = 0 } = optionsOf(context).batching?.batch ?? {};
	return { size: Math.max(1, batchSize), intervalMs: batchSize < 0 ? 0 : batchInterval };
}

/**
 * How to retry requests, and how much an agent gets. n8n's loader merges the options into its own collection of the same
 * name in the node's settings, and ignores everything else here. It repeats them for every operation when it describes the
 * node to a model, so every word counts many times.
 */
export const requestOptions: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'hidden',
	default: {},
	options: [
		number(retryDefaults.giveUpAfterMs / 1000, {
			displayName: 'Give Up After (Seconds)',
			name: 'giveUpAfter',
			typeOptions: { minValue: 0 },
		}),
		number(retryDefaults.maxRetries, {
			displayName: 'Max Retries',
			name: 'maxRetries',
			typeOptions: { minValue: 0, maxValue: 20, numberPrecision: 0 },
		}),
		number(answerLength.preset, {
			displayName: 'Max Answer Length',
			name: 'maxAnswerLength',
			typeOptions: { minValue: answerLength.least, numberPrecision: 0 },
			displayOptions: { show: { '@tool': [true] } },
			description: 'In characters',
		}),
		{
			displayName: 'Retry When Outcome Is Unknown',
			name: 'repeatWhenUnsure',
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
	],
};

function number(preset: number, field: Omit<INodeProperties, 'type' | 'default'>): INodeProperties {
	return { ...field, type: 'number', default: preset };
}
