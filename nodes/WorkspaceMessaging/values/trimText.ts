import { normalizeText } from '../transport/normalizeText';

/** Removes white space and invisible characters around a text; people copy them along. */
export function trimText(text: string): string {
	const isVisible = (character: string) => !/[\s\p{Cc}\p{Cf}]/u.test(character);
	let start = 0;
	let end = text.length;
	while (start < end && !isVisible(text[start])) start++;
	while (start < end && !isVisible(text[end - 1])) end--;
	return text.slice(start, end);
}

/** Returns an email address as n8n sends a new one: without what nobody sees. */
export const readEmail = (text: string): string => trimText(normalizeText(text));
