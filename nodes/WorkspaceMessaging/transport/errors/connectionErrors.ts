import { PROXY_OF_N8N, PROXY_WANTS_PASSWORD, type FailedProxy } from '../proxy';
import type { ApiRequest } from '../request';
import { makeApiError, type ApiError } from './ApiError';
import { findLoss } from './loss';
import { isNoTls, isTlsFailure, type HttpFailure } from './networkFailure';
import { adviceToRetry, endSentence } from './sentences';

/* What is said if the service, or a proxy before it, can't be reached or does not answer. */

/** Returns the error for a request that got no answer. */
export function failureError(
	request: ApiRequest,
	failure: HttpFailure,
	baseUrl: string,
	mayHaveSucceeded: boolean,
): ApiError {
	const { kind, code, message, proxy } = failure;
	if (kind === 'cancelled') {
		const what = 'The execution was cancelled.';
		return makeApiError(request, true, { what, isAboutRun: true, outcome: 'notSent' });
	}
	if (kind === 'notSent') {
		const isCertain = !mayHaveSucceeded || request.endpoint.method === 'GET';
		return makeApiError(request, mayHaveSucceeded, {
			what: code ? describeUnreachable(baseUrl, code, proxy) : endSentence(message),
			advice: code && isCertain ? adviseUnreachable(proxy) : undefined,
			isAboutRun: true,
			outcome: 'notSent',
		});
	}
	let what = "The service's answer is larger than 100 MB, so n8n didn't read it.";
	if (code !== 'TOO_LARGE') {
		const { host } = new URL(baseUrl);
		const cause = describeCause(code);
		what = `The connection to ${host} broke before the answer arrived: ${cause}.`;
	}
	const advice = adviceToRetry(request.endpoint);
	return makeApiError(request, true, { what, advice, loss: findLoss(failure) });
}

/** Says what to check if a service, or the proxy before it, can't be reached. */
export const adviseUnreachable = (proxy?: FailedProxy) =>
	proxy
		? `Check ${whereProxyIs(proxy)}, and that the proxy is running.`
		: 'Check the Base URL in the credential, and that the service is running.';

/** Says why a service, or the proxy before it, can't be reached, by the code of the network error. */
export function describeUnreachable(baseUrl: string, code?: string, proxy?: FailedProxy): string {
	const { host } = new URL(baseUrl);
	const cause = describeCause(code);
	if (proxy) return `The proxy at ${proxy.host} can't be reached: ${cause}.`;
	return `The service at ${host} can't be reached: ${cause}.`;
}

const causes: Record<string, string> = {
	ECONNREFUSED: 'it refuses connections',
	ENOTFOUND: "the host doesn't exist",
	EAI_AGAIN: "the host name couldn't be looked up",
	EHOSTUNREACH: 'the host is unreachable',
	ENETUNREACH: 'the host is unreachable',
	ETIMEDOUT: 'it took too long',
	ECONNABORTED: 'it took too long',
	ECONNRESET: 'the other side closed it',
	EPIPE: 'the other side closed it',
};

function describeCause(code = '') {
	if (isNoTls(code)) return 'no secure connection could be made; perhaps it only answers http';
	if (isTlsFailure(code)) return "its TLS certificate isn't trusted";
	return causes[code] ?? 'the network failed';
}

/** Where a user changes a proxy. */
const whereProxyIs = ({ isOfNode }: FailedProxy) =>
	isOfNode
		? 'Proxy under Request Options in the settings of the node'
		: 'the proxy of n8n (HTTP_PROXY and HTTPS_PROXY in its environment)';

/** Explains the answer of a proxy that wants a user and a password, or other ones. */
export function explainAskingProxy(proxy = PROXY_OF_N8N) {
	const { host, hasUser } = proxy;
	const name = host === undefined ? 'The proxy' : `The proxy at ${host}`;
	const problem = hasUser ? 'rejects the user or password' : 'asks for a user and a password';
	return {
		what: `${name} ${problem} (${PROXY_WANTS_PASSWORD}).`,
		advice: `Enter both in ${whereProxyIs(proxy)}, such as http://user:password@myproxy:3128.`,
		isAboutRun: true,
		// The text is not the service's.
		serverMessage: undefined,
	};
}
