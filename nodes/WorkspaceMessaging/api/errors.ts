import { isTlsFailure } from './http';
import type { HttpFailure, HttpResponse } from './http';
import { refusedFields } from './refusedFields';
import type { ApiRequest } from './request';
import { serverMessageOf } from './serverMessage';
import type { FieldLabel } from './serverMessage';

/** Whether a request had an effect: certainly not (`refused`, `notSent`), or nobody knows (`unknown`). */
export type FailedOutcome = 'refused' | 'notSent' | 'unknown';

/** A request that failed, in words for the user. */
export class ApiError extends Error {
	constructor(
		/** What happened, whether anything was changed, and what to do; complete sentences. */
		message: string,
		readonly details: {
			outcome: FailedOutcome;
			/** HTTP status of the answer. */
			status?: number;
			/** What the service itself said. */
			serverMessage?: string;
			/** The fields of the API that the service complains about. */
			fields?: string[];
		},
	) {
		super(message);
	}
}

const UNCHANGED = 'Nothing was changed.';

/** What a failure is made of; `composed` puts it into words. */
interface Problem {
	/** What happened, in a sentence. */
	what: string;
	/** What to do, in a sentence. */
	advice?: string;
	/** Whether the request may have been carried out all the same. */
	mayHaveSucceeded: boolean;
	/** What became of it if it was not; `refused` when left out. */
	outcome?: FailedOutcome;
	status?: number;
	serverMessage?: string;
	fields?: string[];
}

/** The error for a request: what happened, what that means for the workspace, and what to do, always in this order. */
function composed(
	request: ApiRequest,
	{ what, advice, mayHaveSucceeded, outcome = 'refused', status, serverMessage, fields }: Problem,
): ApiError {
	const isRead = request.endpoint.method === 'GET';
	const isUnknown = mayHaveSucceeded && !isRead;
	const effect = isUnknown ? unknownOutcome(request) : isRead ? '' : UNCHANGED;
	return new ApiError(joined(what, effect, advice), {
		outcome: isUnknown ? 'unknown' : outcome,
		status,
		serverMessage,
		fields,
	});
}

const joined = (...sentences: Array<string | undefined>) => sentences.filter(Boolean).join(' ');

const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** A sentence with what the service said behind it. */
const quoting = (what: string, serverMessage: string) =>
	serverMessage ? `${what}: ${sentence(serverMessage)}` : `${what}.`;

/** What answers mean, by their status (part 7: not documented; these have been seen). */
const explanations: Record<number, { what: (serverMessage: string) => string; advice: string }> = {
	401: {
		what: () => 'The service refused the access token (401).',
		advice:
			'Put a current token into the credential; it is in the workspace settings under Integrations, API access token.',
	},
	403: {
		what: (said) => quoting('The access token is not allowed to do this (403)', said),
		advice: 'Use a token with more rights, or check what the plan of the workspace includes.',
	},
	409: {
		what: (said) => quoting('This conflicts with what the workspace already has (409)', said),
		advice: 'Use another name or value, or update what exists.',
	},
};

/**
 * The error for an answer that is not a success.
 *
 * @param mayHaveSucceeded whether an earlier try of the same request may have been carried out
 * @param label how a field is named that the service complains about; by its path in the API when left out
 */
export function statusError(
	request: ApiRequest,
	response: HttpResponse,
	mayHaveSucceeded: boolean,
	label?: FieldLabel,
): ApiError {
	const { status } = response;
	const serverMessage = serverMessageOf(response, label);
	const common = { status, serverMessage, mayHaveSucceeded, fields: refusedFields(response.body) };
	const isRead = request.endpoint.method === 'GET';

	if (status < 300) {
		return composed(request, {
			status,
			what: 'The service answered with something that is not JSON, such as a web page.',
			advice: 'Check the Base URL in the credential.',
			mayHaveSucceeded: true,
		});
	}
	if (status < 400) {
		const to = originOf(response.headers.location);
		return composed(request, {
			...common,
			what: `The service redirects to another address${to ? ` (${to})` : ''}, which is not followed, to keep the access token safe.`,
			advice: 'Put the address where the service really is into the Base URL of the credential.',
		});
	}
	if (status >= 500) {
		return composed(request, {
			...common,
			what: quoting(`The service failed to answer (${status})`, serverMessage),
			advice: isRead ? 'Try again later.' : '',
			mayHaveSucceeded: true,
		});
	}
	if (status === 404 || status === 405)
		return composed(request, { ...common, what: notFound(request, response, serverMessage) });
	const { what, advice } = explanations[status] ?? {
		what: (said: string) => quoting(`The service refused the request (${status})`, said),
		advice: 'Correct the value and try again.',
	};
	return composed(request, { ...common, what: what(serverMessage), advice });
}

/**
 * The error for a request that cannot wait for as long as the service asks everybody to.
 *
 * @param waitMs how long that is, in milliseconds
 */
export function tooManyRequestsError(
	request: ApiRequest,
	mayHaveSucceeded: boolean,
	waitMs: number,
): ApiError {
	const seconds = Math.ceil(waitMs / 1000);
	return composed(request, {
		what: `The service answers that there were too many requests (429)${seconds > 1 ? ` and has to be left alone for ${seconds} s` : ''}.`,
		advice: 'Lower Requests per Minute in the credential, or try again later.',
		mayHaveSucceeded,
		status: 429,
	});
}

/** The error for a request that was not sent, or not sent again, because its run was stopped. */
export function stoppedError(request: ApiRequest, mayHaveSucceeded: boolean): ApiError {
	if (!mayHaveSucceeded)
		return new ApiError('This was not sent, because the run was stopped before.', { outcome: 'notSent' });
	return new ApiError(`The run was stopped before this could be repeated. ${unknownOutcome(request)}`, {
		outcome: 'unknown',
	});
}

/** The error for a request that got no answer. */
export function failureError(
	request: ApiRequest,
	failure: HttpFailure,
	baseUrl: string,
	mayHaveSucceeded: boolean,
): ApiError {
	const { kind, code, message } = failure;
	const { host } = new URL(baseUrl);
	const isRead = request.endpoint.method === 'GET';
	if (kind === 'cancelled') {
		const effect = isRead ? '' : unknownOutcome(request);
		return new ApiError(joined('The execution was cancelled.', effect), { outcome: 'unknown' });
	}
	if (kind === 'notSent') {
		return composed(request, {
			what: code ? `The service at ${host} cannot be reached: ${reason(code)}.` : sentence(message),
			advice:
				code && !(mayHaveSucceeded && !isRead)
					? 'Check the Base URL in the credential, and whether the service is running.'
					: '',
			outcome: 'notSent',
			mayHaveSucceeded,
		});
	}
	return composed(request, {
		what:
			code === 'TOO_LARGE'
				? 'The answer of the service is larger than 100 MB and was not read.'
				: `The connection to ${host} broke before the answer was there: ${reason(code)}.`,
		advice: isRead ? 'Try again later.' : '',
		mayHaveSucceeded: true,
	});
}

/** The error for an answer that is JSON, but not what was asked for. */
export function unexpectedAnswer(request?: ApiRequest): ApiError {
	const writes = request && request.endpoint.method !== 'GET';
	return new ApiError(
		joined(
			'The service answered in a form that this operation does not understand.',
			writes ? unknownOutcome(request) : '',
			'Check the Base URL in the credential.',
		),
		{ outcome: 'unknown' },
	);
}

/**
 * The error for a step that failed after another was done.
 *
 * @param done what was done and what was not, in a sentence
 */
export function partiallyDone(error: ApiError, done: string): ApiError {
	const rest = error.message.replace(UNCHANGED, '').replace(/ {2,}/g, ' ');
	return new ApiError(`${done} ${rest}`.trim(), { ...error.details, outcome: 'unknown' });
}

/**
 * The error for what is not sent, because it cannot be meant.
 *
 * @param advice what to do about it
 */
export function refusedError(message: string, advice = ''): ApiError {
	return new ApiError(joined(message, UNCHANGED, advice), { outcome: 'refused' });
}

/** The error for something that a look-up has shown not to exist. */
export function missingError(subject: string, { endpoint }: ApiRequest, { details }: ApiError): ApiError {
	return new ApiError(joined(`There is no ${subject} (404).`, endpoint.method === 'GET' ? '' : UNCHANGED), {
		...details,
		outcome: 'refused',
		status: 404,
	});
}

/** The error for an operation that the service lacks (part 4.6); names the documented way round. */
export function notOfferedError({ endpoint }: ApiRequest, { details }: ApiError): ApiError {
	return new ApiError(
		joined(notOffered(endpoint.undocumented?.instead, 404), endpoint.method === 'GET' ? '' : UNCHANGED),
		{ ...details, outcome: 'refused', status: 404 },
	);
}

/** Whether a request failed because the service does not know what was asked for, or how. */
export function isNotFound(error: unknown): error is ApiError {
	return error instanceof ApiError && error.details.status === 404;
}

/** Whether a request failed because the service does not have the operation, or what it is about. */
export function isNotOffered(error: unknown): error is ApiError {
	return isNotFound(error) || (error instanceof ApiError && error.details.status === 405);
}

/** Whether the service does not accept a request as it is, but may accept another. */
export function isRefusal(error: unknown): error is ApiError {
	return error instanceof ApiError && (error.details.status === 400 || error.details.status === 422);
}

/** Says that nobody knows whether a request was carried out, and how to find out. */
function unknownOutcome({ endpoint, subject }: ApiRequest): string {
	const check = endpoint.check ? ` ${endpoint.check}` : '';
	return `It is not known whether this was carried out${subject ? ` for ${subject}` : ''}: before you run it again, look in the workspace${check}.`;
}

const notOffered = (instead: string | undefined, status: number) =>
	`This service does not offer the operation (${status}), which is not part of the documented API.${instead ? ` Instead, ${instead}.` : ''}`;

function notFound({ endpoint, subject }: ApiRequest, { status, isText }: HttpResponse, said: string): string {
	const { undocumented } = endpoint;
	const words = said ? ` The service said: ${sentence(said)}` : '';
	if (undocumented && (status === 405 || saysNoRoute(said) || !subject))
		return notOffered(undocumented.instead, status);
	if (undocumented) {
		const instead = undocumented.instead ? ` In that case, ${undocumented.instead}.` : '';
		return `There is no ${subject}, or this service does not offer the operation, which is not part of the documented API (${status}).${instead}${words}`;
	}
	if (subject?.startsWith('contact') && /\b(flow|node|tag|field|inbox|channel|file)\b/i.test(said))
		return `Something that is named here does not exist (${status}).${words}`;
	if (status === 405 || !subject)
		return `The service does not know this address (${status}). Check the Base URL in the credential.${words}`;
	if (isText || saysNoRoute(said))
		return `There is no ${subject}, or the Base URL in the credential is not that of the API (404).${words}`;
	return `There is no ${subject} (404).${words}`;
}

/** Whether the words of a 404 are those of a web framework that has no such route. */
function saysNoRoute(said: string): boolean {
	return /cannot (get|post|put|patch|delete)\b|route|no such (endpoint|path)|not matching|procedure/i.test(
		said,
	);
}

const reasons: Record<string, string> = {
	ECONNREFUSED: 'nothing accepts connections there',
	ENOTFOUND: 'there is no such host',
	EAI_AGAIN: 'the name of the host could not be looked up',
	EHOSTUNREACH: 'there is no way to that host',
	ENETUNREACH: 'there is no way to that host',
	ETIMEDOUT: 'it took too long',
	ECONNABORTED: 'it took too long',
	ECONNRESET: 'it was closed by the other side',
	EPIPE: 'it was closed by the other side',
};

function reason(code = ''): string {
	if (isTlsFailure(code)) return 'its TLS certificate cannot be trusted';
	return reasons[code] ?? 'the network failed';
}

function originOf(location: unknown): string {
	try {
		return new URL(String(location)).origin;
	} catch {
		return '';
	}
}
