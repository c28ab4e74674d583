import type { Endpoint } from '../../contract/endpoint';
import type { ApiRequest } from '../request';
import type { ErrorReason } from './reasons';
import type { Loss } from './loss';
import { endSentence, joinSentences, unsupportedSentences } from './sentences';

/** What a request that failed has changed. */
export type FailedOutcome =
	/** Nothing, because it did not leave n8n. */
	| 'notSent'
	/** Nothing, because the service or the node refused it, or because it only reads. */
	| 'refused'
	/** An earlier step of the same item succeeded; the headline says which. */
	| 'partlyDone'
	/** Nobody knows. */
	| 'unknown';

/** What is known about an error besides its headline. */
export interface ErrorDetails {
	outcome: FailedOutcome;
	/** What did not happen if nothing has changed; empty for a request that only reads. */
	nothingWas?: 'sent' | 'changed';
	/** What led to the error, in complete sentences, if the headline doesn't say it. */
	cause?: string;
	/** What to do, in complete sentences. */
	advice?: string;
	/** What the request is about: `contact with the email a@b.c`. */
	subject?: string;
	/** Where to look for its effect: `for a tag of that name`. */
	verifyHint?: string;
	/** HTTP status of the answer. */
	status?: number;
	/** What the service said. */
	serverMessage?: string;
	/** Names in the API of the fields that the service complains about. */
	fields?: string[];
	/**
	 * Whether the error is about the credential, the address or the whole run, whichever item met it.
	 */
	isAboutRun?: boolean;
	/** Why the service rejected the request, if that is certain. */
	reason?: ErrorReason;
	/** How the last answer got lost, if it did. */
	loss?: Loss;
}

/**
 * A request that failed. Its parts stay separate until they are shown; `message` is the complete
 * text.
 */
export class ApiError extends Error {
	/** @param what the headline, in one sentence */
	constructor(
		readonly what: string,
		readonly details: ErrorDetails,
	) {
		super(joinSentences(what, describeApiError({ what, details })));
	}
}

/**
 * Returns what an error says after its headline: why it happened, what it changed, and what to do.
 * Can be empty.
 *
 * @param oneOfSeveral whether other items of the same run may have had an effect
 */
export function describeApiError(
	{ what, details }: Pick<ApiError, 'what' | 'details'>,
	oneOfSeveral = false,
): string {
	const { cause, advice } = details;
	return joinSentences(
		cause,
		quoteService(what, details),
		describeEffect(details, oneOfSeveral),
		advice,
	);
}

/** Quotes the service, unless the error already says the same. */
function quoteService(what: string, { cause = '', serverMessage = '', reason }: ErrorDetails) {
	if (reason !== undefined && reason !== 'objectMissing') return '';
	const text = `${what} ${cause}`.toLowerCase();
	const [, said = serverMessage] = /^([\w ]*?) ?not found\.?$/i.exec(serverMessage) ?? [];
	if (text.includes(said.toLowerCase())) return '';
	return `The service said: ${endSentence(serverMessage)}`;
}

function describeEffect(
	{ outcome, nothingWas, subject, verifyHint }: ErrorDetails,
	oneOfSeveral: boolean,
) {
	if (outcome === 'partlyDone') return '';
	if (outcome === 'unknown') {
		const [about, where] = [subject && ` for the ${subject}`, verifyHint && ` ${verifyHint}`];
		return `This may or may not have gone through${about ?? ''}. Check the workspace${where ?? ''} before you run it again.`;
	}
	return nothingWas ? `Nothing was ${nothingWas}${oneOfSeveral ? ' for this item' : ''}.` : '';
}

/**
 * Returns the error for something that the node refuses, because it is not valid or cannot work.
 *
 * @param details with the endpoint that would have been requested; something that writes if empty
 */
export function refusedError(
	what: string,
	advice?: string,
	{ endpoint, ...details }: Partial<ErrorDetails> & { endpoint?: Endpoint } = {},
): ApiError {
	const nothingWas = endpoint ? getEffect(endpoint) : 'changed';
	return new ApiError(what, { outcome: 'refused', advice, nothingWas, ...details });
}

/** Returns the error for something that n8n does not send, because this service can't do it. */
export const notSentError = (what: string, advice: string) =>
	new ApiError(what, { outcome: 'notSent', advice });

function getEffect({ method, isMessage, isRead }: Endpoint) {
	if (method === 'GET' || isRead) return undefined;
	return isMessage ? 'sent' : 'changed';
}

/**
 * Returns the error for a request that failed.
 *
 * @param mayHaveSucceeded whether a try of it may have gone through; its outcome is then unknown,
 * unless it only reads
 */
export function makeApiError(
	{ endpoint, subject }: ApiRequest,
	mayHaveSucceeded: boolean,
	{ what, outcome = 'refused', ...details }: Partial<ErrorDetails> & { what: string },
): ApiError {
	const nothingWas = getEffect(endpoint);
	return new ApiError(what, {
		subject,
		verifyHint: endpoint.verifyHint,
		...details,
		nothingWas,
		outcome: mayHaveSucceeded && nothingWas ? 'unknown' : outcome,
	});
}

/** Returns an error that also says what else to do. */
export const addAdvice = ({ what, details }: ApiError, advice: string): ApiError =>
	new ApiError(what, { ...details, advice: joinSentences(details.advice, advice) });

/**
 * Returns the error for a step that failed after another one succeeded.
 *
 * @param done what was done and what was not, in a sentence
 */
export function partiallyDoneError({ what, details }: ApiError, done: string): ApiError {
	const outcome = details.outcome === 'unknown' ? 'unknown' : 'partlyDone';
	return new ApiError(done, {
		...details,
		cause: joinSentences(what, details.cause),
		outcome,
		isAboutRun: false,
	});
}

/**
 * Returns the error for one of several parts of an item that failed after others succeeded, such as
 * messages or notes.
 *
 * @param done how many parts are done, of how many
 * @param words what the parts are, and what happens to them: `['messages', 'sent']`
 */
export function firstPartsDoneError(
	error: ApiError,
	done: number,
	of: number,
	[nouns, verb]: [nouns: string, verb: string],
): ApiError {
	let first = `The first of ${of} ${nouns} was ${verb}`;
	if (done > 1) first = `The first ${done} of ${of} ${nouns} were ${verb}`;
	let rest = 'the others were not';
	if (error.details.outcome === 'unknown') rest = `the next one may have been ${verb}, ${rest}`;
	return partiallyDoneError(error, `${first}; ${rest}.`);
}

/**
 * Returns the error for a request that was not sent, or not sent again, because its run was
 * stopped.
 */
export function stoppedError(request: ApiRequest, mayHaveSucceeded: boolean): ApiError {
	if (!mayHaveSucceeded)
		return new ApiError('Not sent: the run was stopped first.', { outcome: 'notSent' });
	return makeApiError(request, true, {
		what: 'The run was stopped before n8n could retry this request.',
	});
}

/** Tells users to check the address; more than one error ends with it. */
export const CHECK_BASE_URL = 'Check the Base URL in the credential.';

/**
 * Returns the error for an answer that is JSON, but not what was requested.
 *
 * @param request a request that reads if empty
 */
export function unexpectedAnswerError(request?: ApiRequest): ApiError {
	const what = "The service answered in a form that this operation doesn't understand.";
	if (request) return makeApiError(request, true, { what, advice: CHECK_BASE_URL });
	return new ApiError(what, { outcome: 'refused', advice: CHECK_BASE_URL });
}

/**
 * Returns the error for an operation that the service lacks (part 4.6), with the documented
 * alternative.
 */
export function unsupportedError(request: ApiRequest, { details }: ApiError): ApiError {
	const lacks = unsupportedSentences(404, request.endpoint);
	return makeApiError(request, false, { ...lacks, reason: details.reason, status: 404 });
}

/**
 * Returns a handler for `catch()` that handles the `ApiError`s its predicate accepts, and throws
 * all other errors again.
 */
export function onApiError<T>(
	isExpected: (error: ApiError) => boolean,
	handle: (error: ApiError) => T,
) {
	return async (error: unknown): Promise<Awaited<T>> => {
		if (!(error instanceof ApiError && isExpected(error))) throw error;
		return await handle(error);
	};
}

/** Returns a handler for `catch()` that takes such errors for no result. */
export const ignore = (isExpected: (error: ApiError) => boolean) =>
	onApiError(isExpected, () => undefined);

/**
 * Returns a handler for `catch()` of a read that comes before a change: the error then says that
 * nothing happened.
 */
export const errorBeforeChange = (nothingWas: ErrorDetails['nothingWas']) =>
	onApiError(
		({ details: { outcome } }) => outcome === 'refused',
		({ what, details }): never => {
			throw new ApiError(what, { ...details, nothingWas });
		},
	);

/** Returns a predicate of `onApiError`: whether the service rejected a request for such a reason. */
export const hasReason =
	(...reasons: ErrorReason[]) =>
	({ details: { reason } }: ApiError): boolean =>
		reason !== undefined && reasons.includes(reason);

/** Whether a request may have changed something although it failed. */
export const mayHaveChanged = ({ details: { outcome } }: ApiError): boolean =>
	outcome === 'unknown' || outcome === 'partlyDone';

/** Whether a request failed by an answer of the service itself. */
export function isAnswer(error: unknown): boolean {
	if (!(error instanceof ApiError)) return false;
	const { status, reason } = error.details;
	if (status === undefined || status === 429 || reason === 'intermediary') return false;
	return status < 500 || reason !== undefined;
}

/** Whether a request failed by an answer of the service with one of these statuses. */
function hasStatus(error: unknown, ...statuses: number[]): error is ApiError {
	if (!(error instanceof ApiError) || error.details.reason === 'intermediary') return false;
	return statuses.includes(error.details.status ?? 0);
}

/** Whether a request failed because the service doesn't have its path, or what it is about. */
export const isNotFound = (error: unknown): error is ApiError => hasStatus(error, 404);

/** Whether a request failed because the service doesn't have the operation, or what it is about. */
export const isUnsupported = (error: unknown): error is ApiError => hasStatus(error, 404, 405);

/** Whether the service rejects the request as it is, but may accept another one. */
export const isRefusal = (error: unknown): error is ApiError =>
	hasStatus(error, 400, 422) && error.details.reason === undefined;

/** Whether the service has no such request, or takes it for another one. */
export const isUnsupportedOrRefused = (error: unknown) => isUnsupported(error) || isRefusal(error);

/**
 * Whether the service already has what was to be created, or a value that must be unique, such as a
 * phone number. Services say so with 409, or with another status and in words.
 */
export function isDuplicate(error: unknown): error is ApiError {
	if (!(error instanceof ApiError)) return false;
	const { status, reason } = error.details;
	if (reason === undefined) return status === 409;
	return ['phoneTaken', 'contactTaken', 'nameTaken'].includes(reason);
}

/** Whether the service's limit is the reason for an error. */
export const isRateLimited = ({ details }: ApiError) => details.status === 429;

/** Whether an error is about the token, and not about what the request asked for. */
export const isAboutToken = ({ details: { status, reason, isAboutRun } }: ApiError) =>
	status === 401 || (status !== 429 && reason !== undefined && isAboutRun === true);

/**
 * Whether a list failed because the service lacks it, or shows it to logged-in users only
 * (difference 2).
 */
export const isListMissing = (error: ApiError) =>
	error.details.reason === 'forPeopleOnly' || isUnsupported(error);
