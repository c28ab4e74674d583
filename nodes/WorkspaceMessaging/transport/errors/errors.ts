import { createContact } from '../../contract';
import type { Endpoint } from '../../contract';
import { isTlsFailure } from '../http';
import type { HttpFailure, HttpResponse } from '../http';
import { isInPanel } from './issues';
import type { FieldLabel } from './issues';
import { isCertainRefusal, reasonOf, refusesUploads, scopeOf } from './reasons';
import type { ErrorReason } from './reasons';
import type { ApiRequest } from '../request';
import { fieldIssuesOf, serverMessageOf } from './serverMessage';

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
			/** Whether something of it was done before. */
			isPartlyDone?: true;
			/** Why the service refused it, where that is certain. */
			reason?: ErrorReason;
		},
	) {
		super(message);
	}
}

const UNCHANGED = 'Nothing was changed.';
const UNSENT = 'Nothing was sent.';

/** Says that a request had no effect; nothing of a request that only reads. */
function unchanged({ endpoint }: Pick<ApiRequest, 'endpoint'>): string {
	if (endpoint.method === 'GET') return '';
	return endpoint.isMessage ? UNSENT : UNCHANGED;
}

/** A message of an `ApiError` where other items of the same run may have been carried out. */
export function forOneOfSeveral(message: string): string {
	return message
		.replace(UNCHANGED, 'Nothing was changed for this item.')
		.replace(UNSENT, 'Nothing was sent for this item.');
}

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
	reason?: ErrorReason;
}

/** The error for a request: what happened, what that means for the workspace, and what to do, always in this order. */
function composed(
	request: ApiRequest,
	{ what, advice, mayHaveSucceeded, outcome = 'refused', ...details }: Problem,
): ApiError {
	const isRead = request.endpoint.method === 'GET';
	const isUnknown = mayHaveSucceeded && !isRead;
	const effect = isUnknown ? unknownOutcome(request) : unchanged(request);
	return new ApiError(joined(what, effect, advice), {
		...details,
		outcome: isUnknown ? 'unknown' : outcome,
	});
}

const joined = (...sentences: Array<string | undefined>) => sentences.filter(Boolean).join(' ');

/** The text with a full stop at its end, where it has none. */
export const sentence = (text: string) => (/[.!?…]"?$/.test(text) ? text : `${text}.`);

/** A sentence with what the service said behind it. */
const quoting = (what: string, serverMessage: string) =>
	serverMessage ? `${what}: ${sentence(serverMessage)}` : `${what}.`;

/** What happened and what to do, where it is not for the request as it is. */
interface Explanation {
	what: string;
	advice?: string;
}

/** What a service refuses for certain, by why. The words name the status, which differs by service. */
const explanations: Partial<Record<ErrorReason, (status: number) => Explanation>> = {
	token: (status) => ({
		what: `The service refused the access token (${status}).`,
		advice:
			'Put a current token into the credential; it is in the workspace settings under Integrations, API access token.',
	}),
	readOnlyToken: (status) => ({
		what: `The access token may only read (${status}).`,
		advice: 'Use a token that may write, too.',
	}),
	trialExpired: (status) => ({
		what: `The trial of the workspace has ended (${status}): it can be read, but not changed.`,
		advice: 'Choose a plan in the settings of the workspace.',
	}),
	contactLimit: (status) => ({
		what: `The workspace has reached the number of active contacts that its plan includes for a month (${status}).`,
		advice: 'Choose a larger plan, or wait until the next month begins.',
	}),
	deletionScheduled: (status) => ({
		what: `The workspace is going to be deleted (${status}), so the service does nothing in it any more.`,
		advice: 'Call off the deletion in the settings of the workspace, or use the credential of another one.',
	}),
	forPeopleOnly: (status) => ({
		what: `This service shows this to people who are logged in, but not to access tokens (${status}).`,
		advice: 'Where an ID is asked for, enter it yourself.',
	}),
	importRunning: (status) => ({
		what: `Another import is running in the workspace (${status}).`,
		advice: 'Try again when it has ended; there can be one at a time.',
	}),
	stillBusy: (status) => ({
		what: `The service was still busy with the same request when it was asked again (${status}).`,
	}),
	phoneTaken: (status) => ({
		what: `Another contact already has this phone number (${status}).`,
		advice: 'Update that contact, or use Create or Update.',
	}),
	contactTaken: (status) => ({
		what: `This contact already exists on the channel (${status}).`,
		advice: 'Update that contact, or use Create or Update.',
	}),
	nameTaken: (status) => ({
		what: `The name is already taken (${status}).`,
		advice: 'Use another name, or update what has it.',
	}),
};

/** What answers mean, by their status (part 7: not documented; these have been seen). */
function explanationOf(request: ApiRequest, response: HttpResponse, label: FieldLabel): Explanation {
	const { status } = response;
	const refusal = reasonOf(response, isPathFixed(request));
	const said = serverMessageOf(response, label);
	if (refusal === 'scope') return missingScope(status, scopeOf(response));
	const explain = refusal && explanations[refusal];
	if (explain) return explain(status);
	if (refusal === 'noConversation' && request.subject) {
		return {
			what: `The ${request.subject} has no conversation on this channel (${status}), and the API cannot begin one.`,
			advice: 'Choose a channel that the contact is on, or none.',
		};
	}
	if (status === 404 || status === 405) return { what: notFound(request, response, said, refusal) };
	if (request.form && status === 413) return tooLarge;
	if (request.form && refusesUploads(response)) return noUploads(status);
	if (status >= 500) {
		return {
			what: quoting(`The service failed to answer (${status})`, said),
			advice: request.endpoint.method === 'GET' ? 'Try again later.' : '',
		};
	}
	switch (status) {
		case 401:
			return explanations.token!(status);
		case 403:
			return {
				what: quoting('The access token is not allowed to do this (403)', said),
				advice: 'Use a token with more rights, or check what the plan of the workspace includes.',
			};
		case 409:
			return {
				what: quoting('This conflicts with what the workspace already has (409)', said),
				advice: 'Use another name or value, or update what exists.',
			};
		default:
			return missingField(request, response, label) ?? refusedRequest(status, said);
	}
}

const tooLarge: Explanation = {
	what: 'The service, or a server in front of it, does not take that many bytes in one message (413).',
	advice: 'Send smaller or fewer files, or have its limit raised.',
};

const noUploads = (status: number): Explanation => ({
	what: `This service takes no uploads of files (${status}), which the documented API does not have.`,
	advice:
		'Put a link to the file into the text, or give the file under Files (JSON) in the form that the service takes.',
});

const refusedRequest = (status: number, said: string): Explanation => ({
	what: quoting(`The service refused the request (${status})`, said),
	advice: 'Correct the value and try again.',
});

const missingScope = (status: number, scope?: string): Explanation => ({
	what: `The access token lacks ${scope ? `the scope "${scope}"` : 'a scope'}, without which it may not do this (${status}).`,
	advice: 'Give it this scope in the settings of the workspace, or use a token that has it.',
});

/** Fields by which a service says that it wants to know on which channel a new contact is. */
const CHANNEL_FIELDS = ['channel', 'inboxId'];

/** Where a service wants fields that the reference does not have, and nothing else is wrong: what to do. */
function missingField(
	{ endpoint }: ApiRequest,
	response: HttpResponse,
	label: FieldLabel,
): Explanation | undefined {
	const issues = fieldIssuesOf(response);
	if (issues.length === 0 || !issues.every(({ isMissing }) => isMissing)) return undefined;
	const names = issues.map(({ path }) => String(path.at(-1)));
	if (endpoint.path === createContact.path && names.every((name) => CHANNEL_FIELDS.includes(name))) {
		return {
			what: `This service also needs a channel for new contacts (${response.status}): add Channel under Additional Fields.`,
		};
	}
	if (issues.some(({ path }) => isInPanel(path, label))) return undefined;
	return {
		what: `This service also needs ${list(names.map((name) => `"${name}"`))} (${response.status}), for which there is no field here.`,
		advice: 'The HTTP Request node can send it, with the same credential.',
	};
}

const list = (names: string[]) =>
	names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}` : names[0];

const isPathFixed = ({ endpoint }: ApiRequest) => !endpoint.path.includes('{');

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
	label: FieldLabel = (path) => path.join('.'),
): ApiError {
	const { status } = response;
	const common = {
		status,
		serverMessage: serverMessageOf(response, label),
		fields: fieldIssuesOf(response).map(({ path }) => String(path.at(-1))),
		reason: reasonOf(response, isPathFixed(request)),
		mayHaveSucceeded: mayHaveSucceeded || (status >= 500 && !isCertainRefusal(response)),
	};
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
	return composed(request, { ...common, ...explanationOf(request, response, label) });
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
		what: `The service has had too many requests (429)${seconds > 1 ? ` and asks to wait for ${seconds} s` : ''}.`,
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
		return new ApiError(joined('The execution was cancelled.', effect), {
			outcome: isRead ? 'notSent' : 'unknown',
		});
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
	const rest = error.message.replace(UNCHANGED, '').replace(UNSENT, '').replace(/ {2,}/g, ' ');
	return new ApiError(`${done} ${rest}`.trim(), {
		...error.details,
		outcome: 'unknown',
		isPartlyDone: true,
	});
}

/**
 * The error for what is not sent, because it cannot be meant.
 *
 * @param advice what to do about it
 * @param endpoint what was going to be asked for, where that may be nothing that changes anything
 * @param status what a service answers in such a case
 */
export function rejected(
	message: string,
	advice = '',
	{ endpoint, status }: { endpoint?: Endpoint; status?: number } = {},
): ApiError {
	const effect = endpoint ? unchanged({ endpoint }) : UNCHANGED;
	return new ApiError(joined(message, effect, advice), { outcome: 'refused', status });
}

/** The error for something that a look-up has shown not to exist. */
export function missingError(subject: string, request: ApiRequest, { details }: ApiError): ApiError {
	return new ApiError(joined(`There is no ${subject} (404).`, unchanged(request)), {
		...details,
		outcome: 'refused',
		status: 404,
	});
}

/** The error for an operation that the service lacks (part 4.6); names the documented way round. */
export function unsupportedError(request: ApiRequest, { details }: ApiError): ApiError {
	const what = unsupportedMessage(request.endpoint.undocumented?.instead, 404);
	return new ApiError(joined(what, unchanged(request)), { ...details, outcome: 'refused', status: 404 });
}

/** Whether a request failed because the service does not know what was asked for, or how. */
export function isNotFound(error: unknown): error is ApiError {
	return error instanceof ApiError && error.details.status === 404;
}

/** Whether a request failed because the service does not have the operation, or what it is about. */
export function isUnsupported(error: unknown): error is ApiError {
	return isNotFound(error) || (error instanceof ApiError && error.details.status === 405);
}

/**
 * Whether the service already has what was to be created, or something that only one may have, such as a phone number.
 * Services say it with 409, or with another status and in words.
 */
export function isDuplicate(error: unknown): error is ApiError {
	if (!(error instanceof ApiError)) return false;
	const { status, reason: refusal } = error.details;
	if (refusal === undefined) return status === 409;
	return ['phoneTaken', 'contactTaken', 'nameTaken'].includes(refusal);
}

/** Whether the service does not accept a request as it is, but may accept another. */
export function isRefusal(error: unknown): error is ApiError {
	if (!(error instanceof ApiError) || error.details.reason !== undefined) return false;
	return error.details.status === 400 || error.details.status === 422;
}

/** Says that nobody knows whether a request was carried out, and how to find out. */
function unknownOutcome({ endpoint, subject }: ApiRequest): string {
	const check = endpoint.verifyHint ? ` ${endpoint.verifyHint}` : '';
	return `It is not known whether this was carried out${subject ? ` for ${subject}` : ''}: before you run it again, look in the workspace${check}.`;
}

const unsupportedMessage = (instead: string | undefined, status: number) =>
	`This service does not offer the operation (${status}), which is not part of the documented API.${instead ? ` Instead, ${instead}.` : ''}`;

/** What a 404 or 405 means, in sentences. */
function notFound(
	{ endpoint, subject }: ApiRequest,
	{ status, isText }: HttpResponse,
	said: string,
	refusal: ErrorReason | undefined,
): string {
	const { undocumented } = endpoint;
	const lacksOperation = status === 405 || refusal === 'operationMissing' || saysNoRoute(said);
	if (undocumented && (lacksOperation || !subject)) return unsupportedMessage(undocumented.instead, status);
	if (refusal === 'operationMissing')
		return `This service does not offer the operation (${status}). If it says so of all operations, check the Base URL in the credential.`;
	const words = said ? ` The service said: ${sentence(said)}` : '';
	if (undocumented && refusal !== 'objectMissing') {
		const instead = undocumented.instead ? ` In that case, ${undocumented.instead}.` : '';
		return `There is no ${subject}, or this service does not offer the operation, which is not part of the documented API (${status}).${instead}${words}`;
	}
	if (subject?.startsWith('contact') && /\b(flow|node|tag|field|inbox|channel|file)\b/i.test(said))
		return `Something that is named here does not exist (${status}).${words}`;
	if (refusal === 'objectMissing' && !subject)
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
