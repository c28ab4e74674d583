/** Whether a request had an effect: certainly not (`refused`, `notSent`), or nobody knows (`unknown`). */
export type FailedOutcome = 'refused' | 'notSent' | 'unknown';

/** Why a service rejects a request, if that is certain. Recognized by code and words, because statuses differ by service. */
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
	| 'webhookLimit'
	| 'privateAddress'
	| 'operationMissing'
	| 'objectMissing';

/** What is known about an error besides its headline. */
export interface ErrorDetails {
	outcome: FailedOutcome;
	/** What led to the error, in complete sentences, if the headline doesn't say it. */
	cause?: string;
	/** What to do, in complete sentences. */
	advice?: string;
	/** What the request does. If empty, the text says nothing about an effect. */
	kind?: 'read' | 'write' | 'message';
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
	/** Whether an earlier step of the item had an effect. */
	isPartlyDone?: true;
	/** Whether the error is about the credential, the address or the whole run, whichever item met it. */
	isAboutRun?: boolean;
	/** Why the service rejected the request, if that is certain. */
	reason?: ErrorReason;
}

/** An error as n8n shows it. */
interface RenderedError {
	headline: string;
	/** Cause, effect and advice; can be empty. */
	description: string;
}

/**
 * Puts an error into words: what happened, what that changed, and what to do, always in this order.
 *
 * @param oneOfSeveral whether other items of the same run may have had an effect
 */
export function render(
	{ what, details }: { what: string; details: ErrorDetails },
	{ oneOfSeveral = false } = {},
): RenderedError {
	const { cause, advice } = details;
	const effect = effectOf(details, oneOfSeveral);
	return { headline: what, description: join(cause, quoteOf(what, details), effect, advice) };
}

/** Returns a rendered error as one text. */
export const textOf = ({ headline, description }: RenderedError) => join(headline, description);

/** Joins sentences; skips empty ones. */
export const join = (...sentences: Array<string | undefined>) => sentences.filter(Boolean).join(' ');

/** Ends a text with a full stop if it has no punctuation at its end. */
export const sentence = (text: string) => (/[.!?…]"?$/.test(text) ? text : `${text}.`);

/** Quotes the service, unless the error already says the same. */
function quoteOf(what: string, { cause = '', serverMessage = '', reason }: ErrorDetails): string {
	if (reason !== undefined && reason !== 'objectMissing') return '';
	const text = `${what} ${cause}`.toLowerCase();
	const [, said = serverMessage] = /^([\w ]*?) ?not found\.?$/i.exec(serverMessage) ?? [];
	if (text.includes(said.toLowerCase())) return '';
	return `The service said: ${sentence(serverMessage)}`;
}

/** Says what a failed request changed; nothing for one that only reads. */
function effectOf(
	{ kind = 'read', outcome, subject, verifyHint }: ErrorDetails,
	oneOfSeveral: boolean,
): string {
	if (kind === 'read') return '';
	if (outcome === 'unknown') {
		const [about, where] = [subject && ` for the ${subject}`, verifyHint && ` ${verifyHint}`];
		return `This may or may not have gone through${about ?? ''}. Check the workspace${where ?? ''} before you run it again.`;
	}
	return `Nothing was ${kind === 'message' ? 'sent' : 'changed'}${oneOfSeveral ? ' for this item' : ''}.`;
}
