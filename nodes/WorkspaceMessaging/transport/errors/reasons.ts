import { contactApi } from '../../contract/contact';
import type { Endpoint } from '../../contract/endpoint';
import type { HttpResponse } from '../http';
import type { ApiRequest } from '../request';
import { sentence } from './render';
import type { ErrorDetails, ErrorReason } from './render';
import { codeOf, fieldIssuesOf, isInPanel, serverMessageOf, textsOf } from './serverMessage';
import type { FieldIssue, FieldLabel } from './serverMessage';

/** What happened, and what to do about it. */
interface Explanation extends Partial<ErrorDetails> {
	/** A sentence, without the status and the full stop. */
	what: string;
}

const explanations: Partial<Record<ErrorReason, Explanation>> = {
	token: {
		what: 'The service rejected the access token',
		advice:
			"Copy a valid token into the credential. You'll find it in the workspace settings under Integrations, API access token.",
		isAboutRun: true,
	},
	readOnlyToken: {
		what: 'The access token is read-only',
		advice: 'Use one with write access.',
		isAboutRun: true,
	},
	trialExpired: {
		what: "The workspace's trial has ended, so it is read-only",
		advice: 'Choose a plan in the workspace settings.',
		isAboutRun: true,
	},
	contactLimit: {
		what: "The workspace has reached its plan's monthly limit of active contacts",
		advice: 'Choose a larger plan, or wait until next month.',
	},
	deletionScheduled: {
		what: 'The workspace is scheduled for deletion, so the service rejects all requests',
		advice: 'Cancel the deletion in the workspace settings, or use the credential of another workspace.',
		isAboutRun: true,
	},
	importRunning: {
		what: 'Another import is running in this workspace',
		advice: 'Only one can run at a time. Try again when it has finished.',
	},
	stillBusy: { what: 'The service was still working on the same request when n8n sent it again' },
	phoneTaken: {
		what: 'Another contact already has this phone number',
		advice: 'Update that contact, or use Create or Update.',
	},
	contactTaken: {
		what: 'This contact already exists on the channel',
		advice: 'Update that contact, or use Create or Update.',
	},
	nameTaken: {
		what: 'This name is already taken',
		advice: 'Use another name, or update the record that has it.',
	},
	forPeopleOnly: {
		what: 'This service shows this to logged-in users, but not to access tokens',
		advice: 'If you need an ID from it, enter the ID yourself.',
		isAboutRun: true,
	},
	webhookLimit: { what: 'The workspace has as many webhooks as it can have' },
	privateAddress: { what: 'The service only calls public addresses' },
};

const byCode = new Map<string | undefined, ErrorReason>([
	['INVALID_CHATBOT_TOKEN', 'token'],
	['trialExpired', 'trialExpired'],
	['macLimitReached', 'contactLimit'],
	['contactImportAlreadyRunning', 'importRunning'],
	['phoneExists', 'phoneTaken'],
	['idempotencyKeyConflict', 'stillBusy'],
	['webhookLimitReached', 'webhookLimit'],
	['externalWebhookLimitReached', 'webhookLimit'],
]);

/** Texts that come with any status, and anywhere in the body. */
const byWords: Array<[RegExp, ErrorReason]> = [
	[/user is not associated with this workspace/i, 'forPeopleOnly'],
	[/phone number (is exists|already exists)/i, 'phoneTaken'],
	[/contact already exists on the selected inbox/i, 'contactTaken'],
	[/name is already taken/i, 'nameTaken'],
	[/\[ssrf-guard\]/i, 'privateAddress'],
];

const byWordsOf403: Array<[RegExp, ErrorReason]> = [
	[/not authorized for the .* scope/i, 'scope'],
	[/read-only token/i, 'readOnlyToken'],
	[/trial expired/i, 'trialExpired'],
	[/active contact limit/i, 'contactLimit'],
	[/deletion scheduled/i, 'deletionScheduled'],
];

/**
 * Returns why the service rejected a request, if its answer is certain about that.
 *
 * @param path of the request's endpoint
 */
export function reasonOf(response: HttpResponse, path?: string): ErrorReason | undefined {
	const { status } = response;
	if (status < 400) return undefined;
	const texts = textsOf(response);
	const byItsCode = byCode.get(codeOf(response));
	if (byItsCode) return byItsCode;
	if (status === 404) return whatIsMissing(response, texts, path);
	const table = status === 403 ? byWordsOf403 : byWords;
	const found = table.find(([words]) => texts.some((text) => words.test(text)));
	return found?.[1] ?? (status === 401 ? 'token' : undefined);
}

/**
 * Says what doesn't exist. Newer and older services answer in plain text if they lack the path or method, and as JSON with
 * a code if they lack the object. Older ones take a path such as `/contacts/count` for that of a contact.
 */
function whatIsMissing(response: HttpResponse, texts: string[], path = '{}'): ErrorReason | undefined {
	if (response.isText && String(response.body).trim() === 'Not found') return 'operationMissing';
	// Such as `contactImportFileNotFound`.
	if (!/(^n|N)otFound$/.test(codeOf(response) ?? '')) return undefined;
	if (!path.includes('{') && texts.some((text) => text.startsWith('Invalid identifier format')))
		return 'operationMissing';
	return texts.includes('Conversation not found') ? 'noConversation' : 'objectMissing';
}

/**
 * Whether a service that got files doesn't accept uploads (the reference has JSON bodies only): it says so, finds nothing
 * in the body, or says nothing at all.
 */
function refusesUploads(response: HttpResponse): boolean {
	const { status } = response;
	if (status === 415) return true;
	if (status !== 400 && status !== 422) return false;
	const texts = textsOf(response).filter(Boolean);
	const isMissed = ({ path: [field], message, isMissing }: FieldIssue) =>
		(field === 'text' || field === 'files') && (isMissing || /required/i.test(message));
	return (
		texts.length === 0 ||
		texts.some((text) => /content-type|multipart|in JSON at|Unexpected token|valid JSON/i.test(text)) ||
		fieldIssuesOf(response).some(isMissed)
	);
}

/** Returns the scope that a rejected token lacks, as the service calls it. */
export function scopeOf(response: HttpResponse): string | undefined {
	return textsOf(response)
		.map((text) => /not authorized for the '([^']{1,40})' scope/i.exec(text)?.[1])
		.find((scope) => scope !== undefined);
}

/** Whether the request may have had an effect although its answer says that it failed. */
export function mayHaveWorked(response: HttpResponse): boolean {
	return response.status >= 500 && reasonOf(response) === undefined;
}

/**
 * Explains an answer by its reason, its request or its status. The reference doesn't show errors (part 7).
 *
 * @param label names the fields that the service complains about
 */
export function explain(request: ApiRequest, response: HttpResponse, label: FieldLabel): Explanation {
	const { status } = response;
	const reason = reasonOf(response, request.endpoint.path);
	const certain = byReason(request, response, reason) ?? byRequest(request, response);
	if (!certain && (status === 404 || status === 405)) return explainMissing(request, response, reason);
	const { what, ...rest } = certain ?? byStatus(request, response, label);
	const said = certain ? '' : serverMessageOf(response, label);
	return { what: `${what} (${status})${said ? `: ${sentence(said)}` : '.'}`, ...rest };
}

function byReason(
	{ subject = 'contact' }: ApiRequest,
	response: HttpResponse,
	reason?: ErrorReason,
): Explanation | undefined {
	if (reason === 'scope') {
		const scope = scopeOf(response);
		return {
			what: `The access token is missing ${scope ? `the scope "${scope}"` : 'a scope'}`,
			advice: 'Add this scope in the workspace settings, or use a token that has it.',
			isAboutRun: true,
		};
	}
	if (reason === 'noConversation') {
		return {
			what: `The ${subject} has no conversation on this channel, and the API can't start one`,
			advice: 'Choose a channel that the contact is on, or leave the channel empty.',
		};
	}
	return reason && explanations[reason];
}

/** Fields that a service calls missing if it needs the channel of a new contact. */
const CHANNEL_FIELDS = ['channel', 'inboxId'];

/** Explains rejections that only requests with files, and those that create contacts, can get. */
function byRequest({ form, endpoint }: ApiRequest, response: HttpResponse): Explanation | undefined {
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
	const issues = fieldIssuesOf(response);
	const isChannel = ({ isMissing, path }: FieldIssue) =>
		isMissing && CHANNEL_FIELDS.includes(String(path.at(-1)));
	if (endpoint.path !== contactApi.createContact.path || issues.length === 0 || !issues.every(isChannel))
		return undefined;
	return {
		what: 'This service also needs a channel for new contacts',
		advice: 'Add Channel under Additional Fields.',
		serverMessage: undefined,
	};
}

function byStatus({ endpoint }: ApiRequest, response: HttpResponse, label: FieldLabel): Explanation {
	const { status } = response;
	if (status >= 500)
		return { what: 'The service failed', advice: endpoint.method === 'GET' ? 'Try again later.' : undefined };
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
	const issues = fieldIssuesOf(response);
	const lacksField =
		issues.length > 0 && issues.every(({ path, isMissing }) => isMissing && !isInPanel(path, label));
	return {
		what: 'The service rejected the request',
		advice: lacksField
			? 'Send this request with an HTTP Request node and the same credential.'
			: 'Correct the value and try again.',
	};
}

/** Explains a 404 or 405: the object, the operation or the whole API is not there. */
function explainMissing(
	{ subject, endpoint }: ApiRequest,
	response: HttpResponse,
	reason?: ErrorReason,
): Explanation {
	const { status, isText } = response;
	const { undocumented } = endpoint;
	const said = serverMessageOf(response);
	const isWebPage = isText && said === '';
	const lacksOperation =
		status === 405 || reason === 'operationMissing' || isWebPage || SAYS_NO_ROUTE.test(said);
	if (lacksOperation || (!subject && reason !== 'objectMissing')) return explainUnsupported(status, endpoint);
	const isOtherThing = subject?.startsWith('contact') && OTHER_THINGS.test(said);
	if (isOtherThing || !subject)
		return { what: `Something that this request refers to doesn't exist (${status}).` };
	if (undocumented && reason !== 'objectMissing') {
		return {
			what: `${noneSuch(subject)}, or this service doesn't offer this operation (${status}).`,
			advice: undocumented.instead && `In that case, ${undocumented.instead}.`,
		};
	}
	return { what: `${noneSuch(subject)}.` };
}

const CHECK_BASE_URL = 'If every operation fails like this, check the Base URL in the credential.';

/** What a web framework says in a 404 if it has no such route. */
const SAYS_NO_ROUTE =
	/cannot (get|post|put|patch|delete)\b|route|no such (endpoint|path)|not matching|procedure/i;

/** What a 404 of a contact's path can be about besides the contact. */
const OTHER_THINGS = /\b(flow|node|tag|field|inbox|channel|file)\b/i;

/** Says that nothing is like the subject: `No contact has the email a@b.c`. */
export function noneSuch(subject: string): string {
	const [, noun, property] = /^(.+?) with (.+)$/s.exec(subject) ?? [];
	return `No ${noun} has ${property}`;
}

/** Explains that a service lacks an operation, with the documented alternative. */
export function explainUnsupported(status: number, { undocumented }: Endpoint): Explanation {
	const instead = undocumented?.instead && `Instead, ${undocumented.instead}.`;
	return {
		what: `This service doesn't offer this operation (${status}).`,
		advice: undocumented ? instead : CHECK_BASE_URL,
		serverMessage: undefined,
	};
}
