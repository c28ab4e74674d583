import type { IHttpRequestOptions } from 'n8n-workflow';
import { errorsIn } from './guards';

/* A proxy between n8n and the service, which fails in its own way. */

/** The proxy that a node sets; undefined if it sets none. */
type Proxy = IHttpRequestOptions['proxy'];

/** A proxy that failed, wants a password, or may have answered in place of the service. */
export interface FailedProxy {
	/** Its host and port, as far as they are known; never with its password. */
	host?: string;
	/** Whether the node sets it under Request Options; otherwise the environment of n8n does. */
	isOfNode: boolean;
	hasUser: boolean;
}

/** What a proxy answers that wants a user and a password. Services never do. */
export const PROXY_WANTS_PASSWORD = 407;

/** A proxy that the environment of n8n sets. */
export const PROXY_OF_N8N: FailedProxy = { isOfNode: false, hasUser: false };

/** Describes the proxy that a node sets. */
export const describeProxy = ({ host, port, auth }: NonNullable<Proxy>): FailedProxy => ({
	host: `${host}:${port}`,
	isOfNode: true,
	hasUser: auth !== undefined,
});

/** Codes of failures to connect to a host, or to find it. */
const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;

/**
 * Returns the proxy that could not be reached; undefined if it was the host of the address, or if
 * the error does not say.
 *
 * @param error of a request that was not sent
 * @param address of the request
 */
export function findUnreachableProxy(
	error: unknown,
	code: string | undefined,
	proxy: Proxy,
	address: string,
): FailedProxy | undefined {
	if (code === undefined || !UNREACHABLE.test(code)) return undefined;
	if (proxy) return describeProxy(proxy);
	const peer = findPeer(error);
	if (!peer) return undefined;
	const { hostname, port, protocol } = new URL(address);
	const isHost =
		peer.port === undefined
			? peer.host.toLowerCase() === hostname.toLowerCase()
			: peer.port === Number(port || (protocol === 'https:' ? 443 : 80));
	if (isHost) return undefined;
	const host = peer.port === undefined ? peer.host : `${peer.host}:${peer.port}`;
	return { ...PROXY_OF_N8N, host };
}

/** Returns what could not be reached: a name that was looked up, or an address with its port. */
function findPeer(error: unknown) {
	for (const { hostname, address, port } of errorsIn(error)) {
		if (typeof hostname === 'string') return { host: hostname };
		if (typeof address === 'string' && typeof port === 'number') return { host: address, port };
	}
	return undefined;
}
