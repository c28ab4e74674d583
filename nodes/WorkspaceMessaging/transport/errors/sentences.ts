import type { Endpoint } from '../../contract/endpoint';

/* What several errors say. */

/** Joins sentences; skips empty ones. */
export const joinSentences = (...sentences: Array<string | undefined>) =>
	sentences.filter(Boolean).join(' ');

/** Ends a text with a full stop if it has no punctuation at its end. */
export const endSentence = (text: string) => (/[.!?…]"?$/.test(text) ? text : `${text}.`);

/** Says that nothing is like the subject: `No contact has the email a@b.c`. */
export function notFoundSentence(subject: string): string {
	const [, noun, property] = /^(.+?) with (.+)$/s.exec(subject) ?? [];
	return `No ${noun} has ${property}`;
}

/** Says that a service lacks an operation, with the documented alternative. */
export function unsupportedSentences(status: number, { undocumented }: Endpoint) {
	const what = `This service doesn't offer this operation (${status}).`;
	if (!undocumented)
		return {
			what,
			advice: 'If every operation fails like this, check the Base URL in the credential.',
		};
	return { what, advice: undocumented.instead && `Instead, ${undocumented.instead}.` };
}

/** Returns the advice to try again, unless that could do something twice. */
export const adviceToRetry = ({ method }: Endpoint) =>
	method === 'GET' ? 'Try again later.' : undefined;
