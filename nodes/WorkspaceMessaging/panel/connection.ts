import type { INodeProperties } from 'n8n-workflow';
import type { Transport } from '../transport/http';

/* How a node reaches the service: the part of Request Options that triggers and lists have, too. */

/** What users set, in milliseconds where it is a time. */
export interface ConnectionOptions {
	timeout?: number;
	proxy?: string;
	allowUnauthorizedCerts?: boolean;
}

/** How long an answer may take when the user has not set a timeout. */
const TIMEOUT_MS = 60_000;

export const ignoreSslIssues: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description: 'Whether to connect even if SSL certificate validation is not possible',
};

export const proxyField: INodeProperties = {
	displayName: 'Proxy',
	name: 'proxy',
	type: 'string',
	default: '',
	placeholder: 'e.g. http://user:password@myproxy:3128',
};

export const timeoutField: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	default: TIMEOUT_MS,
	typeOptions: { minValue: 1 },
	description: 'How long an answer may take, in milliseconds',
};

/** Where the Settings tab of all our nodes has them. */
export const requestOptionsField = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	options,
});

/** The Request Options of triggers, which retry as they poll. */
export const triggerRequestOptions = requestOptionsField([
	ignoreSslIssues,
	proxyField,
	timeoutField,
]);

/**
 * Returns how to connect. Throws an error if the proxy has no address of http or https.
 *
 * @param options what the user set under Request Options; a timeout that is no time is none
 * @param timeoutAtMost milliseconds after which an answer comes too late, whatever the user set
 */
export function readConnection(options: unknown, timeoutAtMost = Infinity): Transport {
	const { timeout, proxy, allowUnauthorizedCerts }: ConnectionOptions = Object(options);
	const entered = Number(timeout);
	const timeoutMs = entered > 0 ? entered : TIMEOUT_MS;
	return {
		timeout: Math.min(timeoutMs, timeoutAtMost),
		...(allowUnauthorizedCerts && { skipSslCertificateValidation: true }),
		...(proxy && { proxy: parseProxy(proxy) }),
	};
}

function parseProxy(address: string): Transport['proxy'] {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	// `myproxy:3128` is an address of the protocol "myproxy:".
	const isOfHttp = url && ['http:', 'https:'].includes(url.protocol);
	if (!isOfHttp || !canDecode(`${url.username}:${url.password}`))
		throw new Error('Proxy must be a valid URL, such as http://myproxy:3128');
	const { protocol, hostname, port, username, password } = url;
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

/** Whether each `%` in a part of an address begins an escape, such as `%40`. */
function canDecode(part: string): boolean {
	try {
		decodeURIComponent(part);
		return true;
	} catch {
		return false;
	}
}
