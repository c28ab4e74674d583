import type { Endpoint } from '../../contract/endpoint';
import { isTlsFailure } from '../guards';
import type { HttpFailure, HttpResponse } from '../http';
import type { ApiRequest } from '../request';
import { explain, explainUnsupported, mayHaveWorked, noneSuch, reasonOf } from './reasons';
import { join, render, sentence, textOf } from './render';
import type { ErrorDetails } from './render';
import { byPath, fieldIssuesOf, serverMessageOf } from './serverMessage';
import type { FieldLabel } from './serverMessage';

const CHECK_BASE_URL = 'Check the Base URL in the credential.';

/** A request that failed. Its parts stay separate until `render` shows them; `message` is the complete text. */
export class ApiError extends Error {
	/** @param what the headline, in one sentence */
	constructor(
		readonly what: string,
		readonly details: ErrorDetails,
	) {
		super(textOf(render({ what, details })));
	}
}

/** Returns what an error says about its request. */
function aboutRequest({ endpoint, subject }: Pick<ApiRequest, 'endpoint' | 'subject'>) {
	const kind = endpoint.method === 'GET' ? 'read' : endpoint.isMessage ? 'message' : 'write';
	return { kind, subject, verifyHint: endpoint.verifyHint } as const;
}

/**
 * Returns the error for something that is not sent, because it is not valid or cannot work.
 *
 * @param endpoint what would have been requested; something that writes if empty
 * @param status what a service answers in such a case
 */
export function rejected(
	what: string,
	advice?: string,
	{ endpoint, status }: { endpoint?: Endpoint; status?: number } = {},
): ApiError {
	const { kind } = endpoint ? aboutRequest({ endpoint }) : { kind: 'write' as const };
	return new ApiError(what, { outcome: 'refused', advice, kind, status });
}

/**
 * Returns the error for a step that failed after another one succeeded.
 *
 * @param done what was done and what was not, in a sentence
 */
export function partiallyDone({ what, details }: ApiError, done: string): ApiError {
	return new ApiError(done, {
		...details,
		cause: join(what, details.cause),
		// The headline says what was done. Whether this step was, is open only after a lost answer.
		kind: details.outcome === 'unknown' ? details.kind : undefined,
		outcome: 'unknown',
		isPartlyDone: true,
		isAboutRun: false,
	});
}

/** Returns a handler for `catch()` that handles the `ApiError`s its predicate accepts, and throws all other errors again. */
export function recover<T>(isExpected: (error: ApiError) => boolean, handle: (error: ApiError) => T) {
	return async (error: unknown): Promise<Awaited<T>> => {
		if (!(error instanceof ApiError && isExpected(error))) throw error;
		return await handle(error);
	};
}

const hasStatus = (error: unknown, ...statuses: number[]): error is ApiError =>
	error instanceof ApiError && statuses.includes(error.details.status ?? 0);

/** Whether a request failed because the service doesn't have its path, or what it is about. */
export const isNotFound = (error: unknown): error is ApiError => hasStatus(error, 404);

/** Whether a request failed because the service doesn't have the operation, or what it is about. */
export const isUnsupported = (error: unknown): error is ApiError => hasStatus(error, 404, 405);

/** Whether the service rejects the request as it is, but may accept another one. */
export const isRefusal = (error: unknown): error is ApiError =>
	hasStatus(error, 400, 422) && error.details.reason === undefined;

/**
 * Whether the service already has what was to be created, or a value that must be unique, such as a phone number.
 * Services say so with 409, or with another status and in words.
 */
export function isDuplicate(error: unknown): error is ApiError {
	if (!(error instanceof ApiError)) return false;
	const { status, reason } = error.details;
	if (reason === undefined) return status === 409;
	return ['phoneTaken', 'contactTaken', 'nameTaken'].includes(reason);
}

/** Makes the error for a request; its outcome is unknown if a try of a request that writes may have gone through. */
function failed(
	request: ApiRequest,
	mayHaveSucceeded: boolean,
	{ what, ...details }: Partial<ErrorDetails> & { what: string },
): ApiError {
	const about = aboutRequest(request);
	const isUnknown = mayHaveSucceeded && about.kind !== 'read';
	const outcome = isUnknown ? 'unknown' : (details.outcome ?? 'refused');
	return new ApiError(what, { ...about, ...details, outcome });
}

/**
 * Returns the error for an answer that is not a success.
 *
 * @param mayHaveSucceeded whether an earlier try of the same request may have gone through
 * @param label names the fields that the service complains about
 */
export function statusError(
	request: ApiRequest,
	response: HttpResponse,
	mayHaveSucceeded: boolean,
	label: FieldLabel = byPath,
): ApiError {
	const { status } = response;
	if (status < 300) {
		return failed(request, true, {
			status,
			what: 'The service answered with something other than JSON, such as a web page.',
			advice: CHECK_BASE_URL,
			isAboutRun: true,
		});
	}
	return failed(request, mayHaveSucceeded || mayHaveWorked(response), {
		status,
		serverMessage: serverMessageOf(response, label),
		fields: fieldIssuesOf(response).map(({ path }) => String(path.at(-1))),
		reason: reasonOf(response, request.endpoint.path),
		...(status < 400 ? redirect(response) : explain(request, response, label)),
	});
}

function redirect({ headers, status }: HttpResponse) {
	const location = String(headers.location);
	const to = URL.canParse(location) ? new URL(location).origin : 'another address';
	return {
		what: `The service redirects to ${to} (${status}).`,
		advice:
			"n8n doesn't follow redirects, to protect the access token. Enter the service's real address as Base URL in the credential.",
		isAboutRun: true,
	};
}

/**
 * Returns the error for a request that can't wait as long as the service asks.
 *
 * @param waitMs how long that is, in milliseconds
 */
export function tooManyRequestsError(
	request: ApiRequest,
	mayHaveSucceeded: boolean,
	waitMs: number,
): ApiError {
	const seconds = Math.ceil(waitMs / 1000);
	const time = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
	return failed(request, mayHaveSucceeded, {
		what: 'Rate limit reached (429).',
		cause: seconds > 1 ? `The service asks to wait ${time}.` : undefined,
		advice: 'Lower Requests per Minute in the credential, or try again later.',
		isAboutRun: true,
		status: 429,
	});
}

/** Returns the error for a request that was not sent, or not sent again, because its run was stopped. */
export function stoppedError(request: ApiRequest, mayHaveSucceeded: boolean): ApiError {
	if (!mayHaveSucceeded) return new ApiError('Not sent: the run was stopped first.', { outcome: 'notSent' });
	return failed(request, true, { what: 'The run was stopped before n8n could retry this request.' });
}

/** Returns the error for a request that got no answer. */
export function failureError(
	request: ApiRequest,
	{ kind, code, message }: HttpFailure,
	baseUrl: string,
	mayHaveSucceeded: boolean,
): ApiError {
	const { host } = new URL(baseUrl);
	const isRead = request.endpoint.method === 'GET';
	if (kind === 'cancelled') {
		const what = 'The execution was cancelled.';
		return failed(request, true, { what, isAboutRun: true, outcome: 'notSent' });
	}
	if (kind === 'notSent') {
		return failed(request, mayHaveSucceeded, {
			what: code ? unreachable(baseUrl, code) : sentence(message),
			advice:
				code && (isRead || !mayHaveSucceeded)
					? 'Check the Base URL in the credential, and that the service is running.'
					: undefined,
			isAboutRun: true,
			outcome: 'notSent',
		});
	}
	return failed(request, true, {
		what:
			code === 'TOO_LARGE'
				? "The service's answer is larger than 100 MB, so n8n didn't read it."
				: `The connection to ${host} broke before the answer arrived: ${causeOf(code)}.`,
		advice: isRead ? 'Try again later.' : undefined,
	});
}

/** Says why a service can't be reached, by the code of the network error. */
export function unreachable(baseUrl: string, code?: string): string {
	return `The service at ${new URL(baseUrl).host} can't be reached: ${causeOf(code)}.`;
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

const causeOf = (code = '') =>
	isTlsFailure(code) ? "its TLS certificate isn't trusted" : (causes[code] ?? 'the network failed');

/** Returns the error for an answer that is JSON, but not what was requested. */
export function unexpectedAnswer(request?: ApiRequest): ApiError {
	return new ApiError("The service answered in a form that this operation doesn't understand.", {
		...(request && aboutRequest(request)),
		outcome: 'unknown',
		advice: CHECK_BASE_URL,
	});
}

/**
 * Returns the error for something that a look-up has shown not to exist.
 *
 * @param subject what doesn't exist, such as `tag with the ID 12`
 */
export function missingError(subject: string, request: ApiRequest, { details }: ApiError): ApiError {
	const { fields, reason } = details;
	return failed(request, false, { what: `${noneSuch(subject)}.`, fields, reason, status: 404 });
}

/** Returns the error for an operation that the service lacks (part 4.6), with the documented alternative. */
export function unsupportedError(request: ApiRequest, { details }: ApiError): ApiError {
	const { fields, reason } = details;
	return failed(request, false, {
		...explainUnsupported(404, request.endpoint),
		fields,
		reason,
		status: 404,
	});
}
