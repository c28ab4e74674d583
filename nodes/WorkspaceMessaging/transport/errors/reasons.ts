import { isSuccessStatus, reportsFailure, type HttpResponse } from '../http';
import type { ApiRequest } from '../request';
import { findIntermediary, isWebPage } from './intermediary';
import { readCode, readIssues, readServerTexts } from './serverMessage';

/** What happened, and what to do about it. */
export interface Explanation {
	/** A sentence, without the status and the full stop. */
	what: string;
	advice?: string;
	/** See `ErrorDetails`. */
	isAboutRun?: boolean;
}

/** Why a service rejects a request. */
interface Reason<Name extends string> extends Explanation {
	name: Name;
	/** What the service writes into `code`. A code is enough, with any status. */
	code?: RegExp;
	/**
	 * The status that comes with the words; without words, the status is enough. If empty, any but
	 * 404.
	 */
	status?: number;
	/** What the service says, anywhere in the body. */
	words?: RegExp;
}

const inOrder = <Name extends string>(rows: Array<Reason<Name>>) => rows;

/**
 * The reasons that are certain. The reference doesn't show errors (part 7), and statuses differ by
 * service. The first row that matches an answer is its reason. `{scope}` and `{subject}` stand for
 * what the answer and the request name.
 */
const reasons = inOrder([
	{
		name: 'scope',
		status: 403,
		words: /not authorized for the .* scope/i,
		what: 'The access token is missing {scope}',
		advice: 'Add this scope in the workspace settings, or use a token that has it.',
		isAboutRun: true,
	},
	{
		name: 'readOnlyToken',
		status: 403,
		words: /read-only token/i,
		what: 'The access token is read-only',
		advice: 'Use one with write access.',
		isAboutRun: true,
	},
	{
		name: 'trialExpired',
		code: /^trialExpired$/,
		status: 403,
		words: /trial expired/i,
		what: "The workspace's trial has ended, so it is read-only",
		advice: 'Choose a plan in the workspace settings.',
		isAboutRun: true,
	},
	{
		name: 'contactLimit',
		code: /^macLimitReached$/,
		status: 403,
		words: /active contact limit/i,
		what: "The workspace has reached its plan's monthly limit of active contacts",
		advice: 'Choose a larger plan, or wait until next month.',
	},
	{
		name: 'broadcastLimit',
		code: /^broadcastPlanLimit$/,
		what: "The workspace's plan allows no more broadcasts at present",
		advice: 'Choose a larger plan, or wait until the last one has been sent.',
	},
	{
		name: 'deletionScheduled',
		status: 403,
		words: /deletion scheduled/i,
		what: 'The workspace is scheduled for deletion, so the service rejects all requests',
		advice:
			'Cancel the deletion in the workspace settings, or use the credential of another workspace.',
		isAboutRun: true,
	},
	{
		name: 'forPeopleOnly',
		words: /user is not associated with this workspace/i,
		what: "An access token can't read this on this service; only a logged-in user can",
		advice: 'If you need an ID from it, enter the ID yourself.',
		isAboutRun: true,
	},
	{
		name: 'token',
		code: /^INVALID_CHATBOT_TOKEN$/,
		status: 401,
		what: 'The service rejected the access token',
		advice:
			"Copy a valid token into the credential. You'll find it in the workspace settings under Integrations, API access token.",
		isAboutRun: true,
	},
	{
		name: 'phoneTaken',
		code: /^phoneExists$/,
		words: /phone number (is exists|already exists)/i,
		what: 'Another contact already has this phone number',
		advice: 'Update that contact, or use Create or Update.',
	},
	{
		name: 'contactTaken',
		words: /contact already exists on the selected inbox/i,
		what: 'This contact already exists on the channel',
		advice: 'Update that contact, or use Create or Update.',
	},
	{
		name: 'nameTaken',
		words: /name is already taken/i,
		what: 'This name is already taken',
		advice: 'Use another name, or update the record that has it.',
	},
	{
		name: 'noConversation',
		status: 404,
		words: /^Conversation not found$/,
		what: "The {subject} has no conversation on this channel, and the API can't start one",
		advice: 'Choose a channel that the contact is on, or leave the channel empty.',
	},
	{
		name: 'importRunning',
		code: /^contactImportAlreadyRunning$/,
		what: 'Another import is running in this workspace',
		advice: 'Only one can run at a time. Try again when it has finished.',
	},
	{
		name: 'stillBusy',
		code: /^idempotencyKeyConflict$/,
		what: 'The service was still working on the same request when n8n sent it again',
	},
	{
		name: 'webhookLimit',
		code: /^(webhookLimitReached|externalWebhookLimitReached)$/,
		what: 'The workspace has reached its limit of webhooks',
	},
	{
		name: 'privateAddress',
		words: /\[ssrf-guard\]/i,
		what: 'The service only calls public addresses',
	},
]);

/** The name of a reason: of a row, what a 404 says to be missing, or who answered. */
export type ErrorReason =
	| (typeof reasons)[number]['name']
	| 'operationMissing'
	| 'objectMissing'
	/** Something between n8n and the service refused the request. */
	| 'intermediary';

/**
 * Returns why the service rejected a request, if its answer is certain about that.
 *
 * @param path of the request's endpoint
 */
export function findReason(response: HttpResponse, path?: string): ErrorReason | undefined {
	const { status } = response;
	const refuser = findIntermediary(response);
	if (refuser === 'refuses' || refuser === 'asksForPassword') return 'intermediary';
	const isFailure = status >= 400 || isFailedSuccess(response);
	if (!isFailure) return undefined;
	const code = readCode(response);
	const texts = readServerTexts(response);
	for (const row of reasons) {
		// Then it is the conversation that the path names.
		if (row.name === 'noConversation' && path?.includes('{conversationId}')) continue;
		if (row.code?.test(code)) return row.name;
		if (isSaid(row, status, texts)) return row.name;
	}
	return status === 404 ? tellMissing(response, code, texts, path) : undefined;
}

/** Whether an answer has the status and the words of a reason. */
function isSaid(reason: Reason<string>, status: number, texts: string[]) {
	const { words, status: expected } = reason;
	const isSuccess = isSuccessStatus(status);
	const hasStatus = expected === undefined ? status !== 404 : status === expected;
	if (!hasStatus && !isSuccess) return false;
	if (words) return texts.some((text) => words.test(text));
	if (isSuccess) return false;
	// Without words, the status alone says it.
	return expected !== undefined;
}

/**
 * How a service without codes says that an object is missing; "Route not found" says nothing about
 * objects.
 */
const MISSING_OBJECT =
	/^(the |no )?(contact|tag|custom field|flow|channel|inbox|broadcast|sequence|member|conversation)\b.*\b(not found|not exist|n't exist)/i;

/**
 * Says what doesn't exist. Newer and older services answer in plain text if they lack the path or
 * method, and as JSON with a code if they lack the object (difference 1). Older ones take a path
 * such as `/contacts/count` for that of a contact.
 */
function tellMissing({ isText, body }: HttpResponse, code: string, texts: string[], path = '{}') {
	const isPathUnknown = isText && String(body).trim() === 'Not found';
	if (isPathUnknown) return 'operationMissing';
	if (!saysObjectMissing(code, texts)) return undefined;
	const hasParameter = path.includes('{');
	if (hasParameter) return 'objectMissing';
	const isTakenForContact = texts.some((text) => text.startsWith('Invalid identifier format'));
	return isTakenForContact ? 'operationMissing' : 'objectMissing';
}

// A code is such as `contactImportFileNotFound`.
const saysObjectMissing = (code: string, texts: string[]) =>
	/(^n|N)otFound$/.test(code) || texts.some((text) => MISSING_OBJECT.test(text));

/**
 * Returns what happened and what to do, for a reason that has words of its own.
 *
 * @param subject what the request is about
 */
export function explainReason(
	reason: ErrorReason | undefined,
	response: HttpResponse,
	subject = 'contact',
): Explanation | undefined {
	const row = reasons.find(({ name }) => name === reason);
	if (!row) return undefined;
	const { what, advice, isAboutRun } = row;
	const names: Record<string, string> = { scope: nameScope(response), subject };
	const sentence = what.replace(/\{(\w+)\}/g, (_, name: string) => names[name]);
	return { what: sentence, advice, isAboutRun };
}

/**
 * Names the scope that a rejected token lacks as the service calls it: `the scope "inbox"`, or `a
 * scope`.
 */
export function nameScope(response: HttpResponse): string {
	for (const text of readServerTexts(response)) {
		const [, scope] = /not authorized for the '([^']{1,40})' scope/i.exec(text) ?? [];
		if (scope !== undefined) return `the scope "${scope}"`;
	}
	return 'a scope';
}

/**
 * A success is JSON that reports no failure, or, if the endpoint has no response, any text but a
 * web page.
 */
export function isSuccess({ endpoint }: ApiRequest, response: HttpResponse): boolean {
	if (!isSuccessStatus(response.status) || reportsFailure(response)) return false;
	if (findIntermediary(response)) return false;
	return !response.isText || (endpoint.response === undefined && !isWebPage(response));
}

/** Whether an answer reports a failure although its status is that of a success. */
export const isFailedSuccess = (response: HttpResponse) =>
	isSuccessStatus(response.status) && reportsFailure(response);

/** Words by which a service says that it did not accept what it got. */
const REFUSING_WORDS =
	/\b(invalid|required|missing|must|forbidden|unauthori[sz]ed|denied|rejected|refused|not (valid|allowed|permitted|authori[sz]ed|accepted|supported|found|exist)|n't exist|already (exists|taken|used)|too (long|large|many)|too many requests)\b/i;

/**
 * Whether an answer that reports a failure with the status of a success says that nothing was done.
 * Any other such failure may have come after the work.
 */
export function isRefusedInWords(response: HttpResponse): boolean {
	if (findReason(response) !== undefined || readIssues(response).length > 0) return true;
	return readServerTexts(response).some((text) => REFUSING_WORDS.test(text));
}
