import type { Transport } from '../transport/http';

/* How a node reaches the service: what users set under Request Options of any node. */

/** What users set, in milliseconds where it is a time. */
export interface ConnectionOptions {
	timeout?: number;
	proxy?: string;
	allowUnauthorizedCerts?: boolean;
}

/** How long an answer may take when the user has not set a timeout. */
export const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Returns how to connect. Throws an error if the proxy has no address of http or https.
 *
 * @param options what the user set under Request Options; a timeout that is no time is none
 * @param timeoutAtMost milliseconds after which an answer comes too late, whatever the user set
 */
export function readConnection(options: unknown, timeoutAtMost = Infinity): Transport {
	const { timeout, proxy, allowUnauthorizedCerts }: ConnectionOptions = Object(options);
	const entered = Number(timeout);
	const timeoutMs = entered > 0 ? entered : DEFAULT_TIMEOUT_MS;
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
