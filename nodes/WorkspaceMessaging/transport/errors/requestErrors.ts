import { contactApi } from '../../contract/contact';
import type { HttpResponse } from '../http';
import { PROXY_WANTS_PASSWORD } from '../proxy';
import { nameRequestSubjects, type ApiRequest } from '../request';
import { CHECK_BASE_URL, makeApiError, type ApiError, type ErrorDetails } from './ApiError';
import { explainAskingProxy } from './connectionErrors';
import { describeSender, explainIntermediary, isWebPage, MAYBE_OTHER } from './intermediary';
import {
	adviceToRetry,
	unsupportedSentences,
	notFoundSentence,
	endSentence,
	joinSentences,
} from './sentences';
import {
	explainReason,
	findReason,
	isFailedSuccess,
	isRefusedInWords,
	type ErrorReason,
	type Explanation,
} from './reasons';
import { findLoss } from './loss';
import {
	labelServerField,
	serverIssueHasLabel,
	readIssues,
	readServerMessage,
	readServerTexts,
	type FieldIssue,
	type FieldLabel,
} from './serverMessage';

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
	label: FieldLabel = labelServerField,
): ApiError {
	const { status } = response;
	const reason = findReason(response, request.endpoint.path);
	const hasFailed = isFailedSuccess(response);
	if (status < 300 && !hasFailed && reason === undefined) {
		return makeApiError(request, true, {
			status,
			what: 'The service answered with something other than JSON, such as a web page.',
			cause: describeSender(response),
			advice: isWebPage(response) ? `${MAYBE_OTHER} ${CHECK_BASE_URL}` : CHECK_BASE_URL,
			isAboutRun: true,
		});
	}
	const loss = findLoss(response);
	const isUnclear = hasFailed ? !isRefusedInWords(response) : loss !== undefined;
	return makeApiError(request, mayHaveSucceeded || isUnclear, {
		status,
		loss,
		serverMessage: readServerMessage(response, label),
		fields: readIssues(response).map(({ path }) => String(path.at(-1))),
		reason,
		...explain(request, response, label, reason),
	});
}

/** The address of a page to log in. */
const LOGIN =
	/(?<![a-z])(log[-_]?[io]n|sign[-_]?in|sso|saml2?|adfs|oauth2?|auth|authorize|authelia|goauthentik|cloudflareaccess|okta)(?![a-z])/i;

/** Explains an answer with another address, which can be that of a page to log in. */
export function explainRedirect({ headers, status }: HttpResponse) {
	const location = String(headers.location);
	const to = URL.canParse(location) ? new URL(location).origin : 'another address';
	const login = LOGIN.test(location.replace(/\?.*/s, ''))
		? ' If that is a page to log in, ask whoever manages it to let requests for paths under /api/v1 through.'
		: '';
	return {
		what: `The service redirects to ${to} (${status}).`,
		advice: `n8n doesn't follow redirects, to protect the access token. Enter the service's real address as Base URL in the credential.${login}`,
		isAboutRun: true,
	};
}

/** Explains an answer by its reason, its request or its status. */
function explain(
	request: ApiRequest,
	response: HttpResponse,
	label: FieldLabel,
	reason?: ErrorReason,
) {
	const { status, proxy } = response;
	if (status >= 300 && status < 400) return explainRedirect(response);
	if (status === PROXY_WANTS_PASSWORD) return explainAskingProxy(proxy);
	const intermediary = explainIntermediary(response);
	if (intermediary) {
		const retry = status >= 500 ? adviceToRetry(request.endpoint) : undefined;
		return { ...intermediary, advice: joinSentences(intermediary.advice, retry) };
	}
	const certain =
		explainReason(reason, response, request.subject) ?? explainByRequest(request, response);
	if (certain) return { ...certain, what: `${certain.what} (${status}).` };
	if (status === 404 || status === 405) return explainMissing(request, response, reason);
	const usual = explainByStatus(request, response, label);
	const said = readServerMessage(response, label);
	const problem = `${usual.what} (${status})`;
	const what = said ? `${problem}: ${endSentence(said)}` : `${problem}.`;
	return { ...usual, what };
}

/** Explains what only requests with files can get, and those that create contacts. */
function explainByRequest(
	{ form, endpoint }: ApiRequest,
	response: HttpResponse,
): (Explanation & { serverMessage?: undefined }) | undefined {
	if (form && response.status === 413) {
		return {
			what: "The service, or a server in front of it, doesn't accept messages of this size",
			advice: 'Send smaller or fewer files, or raise the limit of the service.',
		};
	}
	if (form && refusesUploads(response)) {
		return {
			what: "This service doesn't accept file uploads",
			advice:
				'Put a link to the file in the text instead, or add the file under Files (JSON) in the form that the service accepts.',
			serverMessage: undefined,
		};
	}
	if (endpoint.path === contactApi.createContact.path && needsChannel(response)) {
		return {
			what: 'This service also needs a channel for new contacts',
			advice: 'Add Channel under Additional Fields.',
			serverMessage: undefined,
		};
	}
	return undefined;
}

/**
 * Whether a service that got files doesn't accept uploads (the reference has JSON bodies only;
 * difference 21): it says so, finds nothing in the body, or says nothing at all.
 */
function refusesUploads(response: HttpResponse) {
	const { status } = response;
	if (status === 415) return true;
	if (status !== 400 && status !== 422) return false;
	const texts = readServerTexts(response).filter(Boolean);
	if (texts.length === 0) return true;
	const saysSo = texts.some((text) =>
		/content-type|multipart|in JSON at|Unexpected token|valid JSON/i.test(text),
	);
	if (saysSo) return true;
	const isMissed = ({ path: [field], message, isMissing }: FieldIssue) => {
		if (field !== 'text' && field !== 'files') return false;
		return isMissing || /required/i.test(message);
	};
	return readIssues(response).some(isMissed);
}

/** Whether a service only misses the channel of a new contact. */
function needsChannel(response: HttpResponse) {
	const issues = readIssues(response);
	const isChannel = ({ path, isMissing }: FieldIssue) => {
		const field = String(path.at(-1));
		return isMissing && ['channel', 'inboxId'].includes(field);
	};
	return issues.length > 0 && issues.every(isChannel);
}

/** What a web framework or a web server says in a 404 if it has no such route. */
const SAYS_NO_ROUTE =
	/^404\b|cannot (get|post|put|patch|delete)\b|route|no such (endpoint|path)|not matching|procedure/i;

/** What a 404 of a contact's path can be about besides the contact. */
const OTHER_THINGS = /\b(flow|node|tag|field|inbox|channel|file)\b/i;

/** Explains a 404 or 405: the object, the operation or the whole API is not there. */
function explainMissing(
	{ subject: first, endpoint, params }: ApiRequest,
	response: HttpResponse,
	reason?: ErrorReason,
): Partial<ErrorDetails> & { what: string } {
	const { status, isText } = response;
	const { undocumented } = endpoint;
	const said = readServerMessage(response);
	const isNamed = (each: string) => {
		const [thing] = each.split(' with ');
		return said.toLowerCase() === `${thing} not found`;
	};
	const named = nameRequestSubjects(params).find(isNamed);
	const subject = named ?? first;
	const isWebPage = isText && said === '';
	const lacksOperation =
		status === 405 || reason === 'operationMissing' || isWebPage || SAYS_NO_ROUTE.test(said);
	if (lacksOperation || (!subject && reason !== 'objectMissing'))
		return { ...unsupportedSentences(status, endpoint), serverMessage: undefined };
	const isAboutOther = !named && subject?.startsWith('contact') && OTHER_THINGS.test(said);
	if (!subject || isAboutOther) {
		return {
			what: `The flow, tag or channel in this request doesn't exist (${status}).`,
			// It says which.
			cause: said && `The service said: ${endSentence(said)}`,
		};
	}
	const missing = notFoundSentence(subject);
	if (!undocumented || reason === 'objectMissing') return { what: `${missing}.` };
	return {
		what: `${missing}, or this service doesn't offer this operation (${status}).`,
		advice: undocumented.instead && `In that case, ${undocumented.instead}.`,
	};
}

function explainByStatus(
	{ endpoint }: ApiRequest,
	response: HttpResponse,
	label: FieldLabel,
): Explanation {
	const { status } = response;
	if (status >= 500) return { what: 'The service failed', advice: adviceToRetry(endpoint) };
	if (status < 300)
		return { what: 'The service reports a failure', advice: adviceToRetry(endpoint) };
	if (status === 403) {
		return {
			what: "The access token isn't allowed to do this",
			advice: "Use a token with more rights, or check what the workspace's plan includes.",
			isAboutRun: true,
		};
	}
	if (status === 409) {
		return {
			what: 'This conflicts with a record that already exists',
			advice: 'Use another name or value, or update the existing record.',
		};
	}
	const what = 'The service rejected the request';
	const issues = readIssues(response);
	const isBeyondPanel = (issue: FieldIssue) =>
		issue.isMissing && !serverIssueHasLabel(issue, label);
	if (issues.length > 0 && issues.every(isBeyondPanel))
		return { what, advice: 'Send this request with an HTTP Request node and the same credential.' };
	return { what, advice: 'Correct the value and try again.' };
}

/**
 * Returns the error for a request that can't wait as long as the service asks.
 *
 * @param askedMs how long that is, in milliseconds; 0 if the service does not say
 * @param atMostMs how long the request can wait
 */
export function tooManyRequestsError(
	request: ApiRequest,
	mayHaveSucceeded: boolean,
	askedMs: number,
	atMostMs = Infinity,
): ApiError {
	const isAsked = askedMs > 1000;
	const isTooLong = askedMs > atMostMs && atMostMs > 1000;
	const limit = isTooLong ? `, but n8n waits for at most ${describeSpan(atMostMs)}` : '';
	return makeApiError(request, mayHaveSucceeded, {
		what: 'Rate limit reached (429).',
		cause: isAsked ? `The service asks to wait ${describeSpan(askedMs)}${limit}.` : undefined,
		advice: 'Lower Requests per Minute in the credential, or try again later.',
		isAboutRun: true,
		status: 429,
	});
}

/** Returns a time in words, in the largest unit of which it has at least two. */
function describeSpan(ms: number) {
	const seconds = Math.ceil(ms / 1000);
	if (seconds < 120) return `${seconds} seconds`;
	const minutes = Math.ceil(seconds / 60);
	if (minutes < 120) return `${minutes} minutes`;
	return `${Math.ceil(minutes / 60)} hours`;
}
