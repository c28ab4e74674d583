import type { HttpResponse } from '../http';
import type { FieldIssue } from './issues';
import { codeOf, fieldIssuesOf, textsOf } from './serverMessage';

/** What a service refuses for, where that is certain; told apart by code and words, because statuses differ by service. */
export type ErrorReason =
	| 'token'
	| 'scope'
	| 'readOnlyToken'
	| 'trialExpired'
	| 'contactLimit'
	| 'deletionScheduled'
	| 'importRunning'
	| 'stillBusy'
	| 'phoneTaken'
	| 'contactTaken'
	| 'nameTaken'
	| 'noConversation'
	| 'forPeopleOnly'
	| 'operationMissing'
	| 'objectMissing';

const byCode = new Map<string | undefined, ErrorReason>([
	['INVALID_CHATBOT_TOKEN', 'token'],
	['trialExpired', 'trialExpired'],
	['macLimitReached', 'contactLimit'],
	['contactImportAlreadyRunning', 'importRunning'],
	['phoneExists', 'phoneTaken'],
	['idempotencyKeyConflict', 'stillBusy'],
]);

/** These arrive with any status, and in any place of the body. */
const byWords: Array<[RegExp, ErrorReason]> = [
	[/user is not associated with this workspace/i, 'forPeopleOnly'],
	[/phone number (is exists|already exists)/i, 'phoneTaken'],
	[/contact already exists on the selected inbox/i, 'contactTaken'],
	[/name is already taken/i, 'nameTaken'],
];

const byWordsOf403: Array<[RegExp, ErrorReason]> = [
	[/not authorized for the .* scope/i, 'scope'],
	[/read-only token/i, 'readOnlyToken'],
	[/trial expired/i, 'trialExpired'],
	[/active contact limit/i, 'contactLimit'],
	[/deletion scheduled/i, 'deletionScheduled'],
];

const matching = (table: Array<[RegExp, ErrorReason]>, texts: string[]) =>
	table.find(([words]) => texts.some((text) => words.test(text)))?.[1];

/**
 * Why the service refuses a request, where its answer says it for certain; undefined where it does not.
 *
 * @param isPathFixed whether the path of the request has no parameters
 */
export function reasonOf(response: HttpResponse, isPathFixed = false): ErrorReason | undefined {
	const { status } = response;
	if (status < 400) return undefined;
	const texts = textsOf(response);
	const byItsCode = byCode.get(codeOf(response));
	if (byItsCode) return byItsCode;
	if (status === 403) return matching(byWordsOf403, texts);
	if (status === 404) return missing(response, texts, isPathFixed);
	return matching(byWords, texts);
}

/**
 * What it is that does not exist: without such a path or method, newer and older services answer in plain text; without
 * such an object, as JSON with a code. Older ones take a path such as `/contacts/count` for that of a contact.
 */
function missing(response: HttpResponse, texts: string[], isPathFixed: boolean): ErrorReason | undefined {
	if (response.isText && String(response.body).trim() === 'Not found') return 'operationMissing';
	// Such as `contactImportFileNotFound`.
	if (!/(^n|N)otFound$/.test(codeOf(response) ?? '')) return undefined;
	if (isPathFixed && texts.some((text) => text.startsWith('Invalid identifier format')))
		return 'operationMissing';
	return texts.includes('Conversation not found') ? 'noConversation' : 'objectMissing';
}

/**
 * Whether a service that was sent files does not take uploads (the reference has JSON bodies only): it says so, finds
 * nothing in the body, or says nothing at all.
 */
export function refusesUploads(response: HttpResponse): boolean {
	const { status } = response;
	if (status !== 400 && status !== 415 && status !== 422) return false;
	const texts = textsOf(response).filter((text) => text !== '');
	const isMissed = ({ path: [field], message, isMissing }: FieldIssue) =>
		(field === 'text' || field === 'files') && (isMissing || /required/i.test(message));
	return (
		status === 415 ||
		texts.length === 0 ||
		texts.some((text) => /content-type|multipart|in JSON at|Unexpected token|valid JSON/i.test(text)) ||
		fieldIssuesOf(response).some(isMissed)
	);
}

/** The scope that a refused token lacks, as the service names it. */
export function scopeOf(response: HttpResponse): string | undefined {
	return textsOf(response)
		.map((text) => /not authorized for the '([^']{1,40})' scope/i.exec(text)?.[1])
		.find((scope) => scope !== undefined);
}

/** Whether an answer says for certain that nothing was done, although its status is that of a failure. */
export function isCertainRefusal(response: HttpResponse): boolean {
	return reasonOf(response) !== undefined;
}
