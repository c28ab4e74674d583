import { errorsIn } from '../guards';
import type { FailedProxy } from '../proxy';

/** Why a request got no answer. */
export interface HttpFailure {
	status?: undefined;
	/**
	 * `notSent`: it never reached the service. `broken`: it may have, the answer is missing.
	 * `cancelled`: n8n stopped it.
	 */
	kind: 'notSent' | 'broken' | 'cancelled';
	/** Code of the system, such as `ECONNREFUSED`, if there is one. */
	code?: string;
	/** Whether another try can help. */
	isTransient: boolean;
	message: string;
	/** The proxy, if that is what could not be reached. */
	proxy?: FailedProxy;
}

/** Failures that certainly happened before the request reached the service, and that may pass. */
const NOT_REACHED =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EMFILE)$/;

/**
 * Whether Node.js or OpenSSL could not make the secure connection, by its code; nothing was sent
 * then.
 */
export function isTlsFailure(code = ''): boolean {
	return /CERT|SELF_SIGNED|SSL|EPROTO|ERR_TLS|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA/.test(code);
}

/**
 * Whether no secure connection could be made at all: the other side may answer http only, or the two
 * have no version of TLS in common.
 */
export const isNoTls = (code = '') =>
	/^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/.test(code);

/** Says why a request got no answer, by the error of n8n. */
export function classifyFailure(error: unknown): HttpFailure {
	const { code, isConnecting, hasAnswer } = findNetworkError(error);
	const message = error instanceof Error ? error.message : String(error);
	const failure = (kind: HttpFailure['kind'], isTransient: boolean) => ({
		kind,
		code,
		isTransient,
		message,
	});
	if (code === 'ERR_CANCELED') return failure('cancelled', false);
	if (code === 'TOO_LARGE') return failure('broken', false);
	const isUnreachable = isConnecting || (code && NOT_REACHED.test(code));
	if (isUnreachable) return failure('notSent', true);
	if (isTlsFailure(code)) return failure('notSent', false);
	// Without a code of the network nothing was sent: the credential or n8n itself refused the
	// request.
	if (!code && !hasAnswer) return failure('notSent', false);
	return failure('broken', true);
}

/** What errors say about the network. */
interface NetworkError {
	code?: string;
	/** Whether there was no connection yet. */
	isConnecting?: boolean;
	hasAnswer?: boolean;
}

/** Finds the network's own error inside those that n8n wraps around it. */
export function findNetworkError(error: unknown): NetworkError {
	const found = errorsIn(error).find(({ code }) => typeof code === 'string');
	if (!found) return {};
	const isConnecting = errorsIn(found).some(({ syscall }) => syscall === 'connect');
	return { code: String(found.code), isConnecting, hasAnswer: found.response !== undefined };
}
