import { cleanText } from './blankText';

/**
 * Returns a text in plain letters: `ann＠example．com` from a Japanese keyboard, or the `ﬁ` that PDFs
 * have for two letters, is the same address as one without them.
 */
export const toPlainLetters = (text: string): string =>
	text.normalize('NFKC').replaceAll('。', '.');

/** Returns an email address as n8n sends a new one: in plain letters, without what nobody sees. */
export const readEmail = (text: string): string => cleanText(toPlainLetters(text));
