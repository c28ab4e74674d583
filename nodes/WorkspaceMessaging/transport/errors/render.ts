import type { ErrorReason } from './reasons';

/** Whether a request had an effect: certainly not (`refused`, `notSent`), or nobody knows (`unknown`). */
export type FailedOutcome = 'refused' | 'notSent' | 'unknown';

/** What is known of an error besides its headline. */
export interface ErrorDetails {
	outcome: FailedOutcome;
	/** What to do, in complete sentences. */
	advice?: string;
	/** What led to it, in complete sentences, where the headline says something else. */
	cause?: string;
	/** What the request does. Without it, the text says nothing about an effect. */
	kind?: 'read' | 'write' | 'message';
	/** What the request is about: `contact email:a@b.c`. */
	subject?: string;
	/** Where a user sees whether the request went through: `for the message`. */
	verifyHint?: string;
	/** HTTP status of the answer. */
	status?: number;
	/** What the service itself said. */
	serverMessage?: string;
	/** The fields of the API that the service complains about. */
	fields?: string[];
	/** Whether something of it was done before. */
	isPartlyDone?: true;
	/** Whether it is about the credential, the address or the whole run, whichever item met it. */
	isAboutRun?: true;
	/** Why the service refused the request, where that is certain. */
	reason?: ErrorReason;
}

/** An error as n8n shows it. */
export interface RenderedError {
	headline: string;
	/** Cause, effect and advice; can be empty. */
	description: string;
}

/**
 * Puts an error into words: what happened, what that means for the workspace, and what to do, always in this order.
 *
 * @param oneOfSeveral whether other items of the same run may have had an effect
 */
export function render(
	{ what, details }: { what: string; details: ErrorDetails },
	{ oneOfSeveral = false } = {},
): RenderedError {
	const { cause, advice } = details;
	const effect = effectOf(details, oneOfSeveral);
	return { headline: what, description: joined(cause, quoteOf(what, details), effect, advice) };
}

/** What the service said, unless the text has it already, in the service's words or in better ones. */
function quoteOf(what: string, { cause = '', serverMessage = '', reason }: ErrorDetails): string {
	const isExplained = reason !== undefined && reason !== 'objectMissing';
	if (isExplained || what.includes(serverMessage) || cause.includes(serverMessage)) return '';
	return `The service said: ${sentence(serverMessage)}`;
}

/** A rendered error as one text. */
export const textOf = ({ headline, description }: RenderedError) => joined(headline, description);

/** Says what a failed request changed; nothing of one that only reads. */
function effectOf(
	{ kind = 'read', outcome, subject, verifyHint }: ErrorDetails,
	oneOfSeveral: boolean,
): string {
	if (kind === 'read') return '';
	if (outcome === 'unknown')
		return `It is not known whether this was carried out${subject ? ` for ${subject}` : ''}: before you run it again, look in the workspace${verifyHint ? ` ${verifyHint}` : ''}.`;
	return `Nothing was ${kind === 'message' ? 'sent' : 'changed'}${oneOfSeveral ? ' for this item' : ''}.`;
}

export const joined = (...sentences: Array<string | undefined>) => sentences.filter(Boolean).join(' ');

/** The text with a full stop at its end, where it has none. */
export const sentence = (text: string) => (/[.!?…]"?$/.test(text) ? text : `${text}.`);
