/**
 * Characters that nobody sees and that people copy along: the soft hyphen, spaces and joints without
 * a width, the byte order mark, and marks of the direction of text. Joiners of emoji and of letters
 * are not among them, because a text looks different without those.
 */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** A text that stays as it is; a long run compares millions of them. */
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Returns a text in the form in which n8n compares names, emails and addresses: two texts that look
 * the same are the same. Each letter with its accent is one character (NFC), and invisible characters
 * are left out. New names and emails are sent in this form, too. The text of a message is not.
 *
 * It is in this folder because everything above it compares names, and the Base URL is read here.
 */
export function normalizeText(text: string): string {
	if (ASCII.test(text)) return text;
	return text.replace(INVISIBLE, '').normalize('NFC');
}
