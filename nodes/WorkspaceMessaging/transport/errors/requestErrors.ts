import { createContact } from '../../contract';
import { aboutRequest, ApiError } from './ApiError';
import { isTlsFailure } from '../http';
import type { HttpFailure, HttpResponse } from '../http';
import { isInPanel } from './issues';
import type { FieldLabel } from './issues';
import { isCertainRefusal, reasonOf, refusesUploads, scopeOf } from './reasons';
import type { ErrorReason } from './reasons';
import { sentence } from './render';
import type { ErrorDetails } from './render';
import type { ApiRequest } from '../request';
import { fieldIssuesOf, serverMessageOf } from './serverMessage';

/** The error for a request, with its outcome as the request and its earlier tries allow it. */
function composed(
	request: ApiRequest,
	{ what, mayHaveSucceeded, outcome = 'refused', ...details }: Problem,
): ApiError {
	const about = aboutRequest(request);
	const isUnknown = mayHaveSucceeded && about.kind !== 'read';
	return new ApiError(what, { ...about, ...details, outcome: isUnknown ? 'unknown' : outcome });
}

/** What a failure is made of. */
interface Problem extends Partial<ErrorDetails> {
	/** What happened, in a sentence. */
	what: string;
	/** Whether the request may have been carried out all the same. */
	mayHaveSucceeded: boolean;
}

/** A sentence with what the service said behind it. */
const quoting = (what: string, serverMessage: string) =>
	serverMessage ? `${what}: ${sentence(serverMessage)}` : `${what}.`;

/** What happened and what to do, where it is not for the request as it is. */
interface Explanation {
	what: string;
	advice?: string;
	isAboutRun?: true;
	/** Undefined where `what` says it better. */
	serverMessage?: undefined;
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

/** Reasons that are the same for every item. */
const aboutRun: ErrorReason[] = [
	'token',
	'readOnlyToken',
	'trialExpired',
	'deletionScheduled',
	'forPeopleOnly',
];

/** What answers mean, by their status (part 7: not documented; these have been seen). */
function explanationOf(request: ApiRequest, response: HttpResponse, label: FieldLabel): Explanation {
	const { status } = response;
	const refusal = reasonOf(response, isPathFixed(request));
	const said = serverMessageOf(response, label);
	if (refusal === 'scope') return missingScope(status, scopeOf(response));
	const explain = refusal && explanations[refusal];
	if (explain) return { ...explain(status), ...(aboutRun.includes(refusal) && { isAboutRun: true }) };
	if (refusal === 'noConversation' && request.subject) {
		return {
			what: `The ${request.subject} has no conversation on this channel (${status}), and the API cannot begin one.`,
			advice: 'Choose a channel that the contact is on, or none.',
		};
	}
	if (status === 404 || status === 405) return notFound(request, response, said, refusal);
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
			return { ...explanations.token!(status), isAboutRun: true };
		case 403:
			return {
				isAboutRun: true,
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
	serverMessage: undefined,
});

const refusedRequest = (status: number, said: string): Explanation => ({
	what: quoting(`The service refused the request (${status})`, said),
	advice: 'Correct the value and try again.',
});

const missingScope = (status: number, scope?: string): Explanation => ({
	isAboutRun: true,
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
			serverMessage: undefined,
		};
	}
	if (issues.some(({ path }) => isInPanel(path, label))) return undefined;
	return {
		what: `This service also needs ${list(names.map((name) => `"${name}"`))} (${response.status}), for which there is no field here.`,
		serverMessage: undefined,
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
			isAboutRun: true,
			advice: 'Check the Base URL in the credential.',
			mayHaveSucceeded: true,
		});
	}
	if (status < 400) {
		const to = originOf(response.headers.location);
		return composed(request, {
			...common,
			isAboutRun: true,
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
		isAboutRun: true,
		status: 429,
	});
}

/** The error for a request that was not sent, or not sent again, because its run was stopped. */
export function stoppedError(request: ApiRequest, mayHaveSucceeded: boolean): ApiError {
	if (!mayHaveSucceeded)
		return new ApiError('This was not sent, because the run was stopped before.', { outcome: 'notSent' });
	return new ApiError('The run was stopped before this could be repeated.', {
		...aboutRequest(request),
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
		return composed(request, {
			what: 'The execution was cancelled.',
			isAboutRun: true,
			outcome: 'notSent',
			mayHaveSucceeded: true,
		});
	}
	if (kind === 'notSent') {
		return composed(request, {
			what: code ? `The service at ${host} cannot be reached: ${reason(code)}.` : sentence(message),
			advice:
				code && !(mayHaveSucceeded && !isRead)
					? 'Check the Base URL in the credential, and whether the service is running.'
					: undefined,
			outcome: 'notSent',
			isAboutRun: true,
			mayHaveSucceeded,
		});
	}
	return composed(request, {
		what:
			code === 'TOO_LARGE'
				? 'The answer of the service is larger than 100 MB and was not read.'
				: `The connection to ${host} broke before the answer was there: ${reason(code)}.`,
		advice: isRead ? 'Try again later.' : undefined,
		mayHaveSucceeded: true,
	});
}

/** The error for an answer that is JSON, but not what was asked for. */
export function unexpectedAnswer(request?: ApiRequest): ApiError {
	return new ApiError('The service answered in a form that this operation does not understand.', {
		...(request && aboutRequest(request)),
		outcome: 'unknown',
		advice: 'Check the Base URL in the credential.',
	});
}

/** The error for something that a look-up has shown not to exist. */
export function missingError(subject: string, request: ApiRequest, { details }: ApiError): ApiError {
	return certain(request, details, { what: `There is no ${subject} (404).` });
}

/** The error for an operation that the service lacks (part 4.6); names the documented way round. */
export function unsupportedError(request: ApiRequest, { details }: ApiError): ApiError {
	return certain(request, details, unsupported(request.endpoint.undocumented?.instead, 404));
}

/** An error with what is known now in place of what was known at first; the service's own words go with the latter. */
function certain(request: ApiRequest, details: ErrorDetails, { what, advice }: Explanation): ApiError {
	const { serverMessage, fields, reason } = details;
	const kept = { fields, reason, ...(reason && { serverMessage }) };
	return new ApiError(what, { ...aboutRequest(request), ...kept, outcome: 'refused', status: 404, advice });
}

const unsupported = (instead: string | undefined, status: number): Explanation => ({
	what: `This service does not offer the operation (${status}), which is not part of the documented API.`,
	advice: instead && `Instead, ${instead}.`,
	serverMessage: undefined,
});

/** What a 404 or 405 means. */
function notFound(
	{ endpoint, subject }: ApiRequest,
	{ status, isText }: HttpResponse,
	said: string,
	refusal: ErrorReason | undefined,
): Explanation {
	const { undocumented } = endpoint;
	const lacksOperation = status === 405 || refusal === 'operationMissing' || saysNoRoute(said);
	if (undocumented && (lacksOperation || !subject)) return unsupported(undocumented.instead, status);
	if (refusal === 'operationMissing') {
		return {
			what: `This service does not offer the operation (${status}).`,
			advice: 'If it says so of all operations, check the Base URL in the credential.',
		};
	}
	if (undocumented && refusal !== 'objectMissing') {
		return {
			what: `There is no ${subject}, or this service does not offer the operation, which is not part of the documented API (${status}).`,
			advice: undocumented.instead && `In that case, ${undocumented.instead}.`,
		};
	}
	const isOtherThing =
		subject?.startsWith('contact') && /\b(flow|node|tag|field|inbox|channel|file)\b/i.test(said);
	if (isOtherThing || (refusal === 'objectMissing' && !subject))
		return { what: `Something that is named here does not exist (${status}).` };
	if (status === 405 || !subject) {
		return {
			what: `The service does not know this address (${status}).`,
			isAboutRun: true,
			advice: 'Check the Base URL in the credential.',
		};
	}
	if (isText || saysNoRoute(said))
		return {
			what: `There is no ${subject}, or the Base URL in the credential is not that of the API (404).`,
		};
	return { what: `There is no ${subject} (404).` };
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
