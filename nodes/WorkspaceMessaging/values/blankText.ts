import type { z } from 'zod/v4';
import { normalizeText } from '../transport/normalizeText';
import { isInexact } from './numbers';
import { isObjectOrList } from '../transport/guards';

/*
 * What is blank, and what is empty: the cells of people's sheets have spaces, line breaks and
 * invisible characters, alone and around a value.
 */

/**
 * What people see of a text. Besides white space, control characters and those that Unicode says to
 * ignore, it leaves out the blank cell of Braille, which people send as an empty message.
 */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether there is nothing to see in a text. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);

/** Joiners and selectors: without them, the letter or emoji before them looks different. */
const SHAPES_LETTER = /\u200c|\u200d|[\ufe00-\ufe0f]/;

function shapesLetter(text: string, at: number) {
	const before = text[at - 1];
	return SHAPES_LETTER.test(text[at]) && before > '\x7f' && !isBlank(before);
}

/** Removes what is blank at both ends of a text; people copy it along. */
export function trimText(text: string): string {
	// The loops see halves of some characters.
	if (isBlank(text)) return '';
	let start = 0;
	let end = text.length;
	while (start < end && isBlank(text[start])) start++;
	while (start < end && isBlank(text[end - 1]) && !shapesLetter(text, end - 1)) end--;
	return text.slice(start, end);
}

/** Returns a text as n8n sends new names and emails: as it looks, without blanks at its ends. */
export const cleanText = (text: string): string => trimText(normalizeText(text));

/**
 * Returns a text in plain letters: `ann＠example．com` from a Japanese keyboard, or the `ﬁ` that PDFs
 * have for two letters, is the same address as one without them.
 */
export const toPlainLetters = (text: string): string =>
	text.normalize('NFKC').replaceAll('。', '.');

/** Returns an email address as n8n sends a new one: in plain letters, without what nobody sees. */
export const readEmail = (text: string): string => cleanText(toPlainLetters(text));

/** Whether a value is nothing: none, blank text, an empty list or object. */
export function isNothing(value: unknown): boolean {
	if (typeof value === 'string') return isBlank(value);
	// A date has no keys either.
	if (isObjectOrList(value) && !(value instanceof Date)) {
		const keys = Object.keys(value);
		return keys.length === 0;
	}
	return value === undefined || value === null;
}

/**
 * Returns a value as people see it in a cell: blank text as an empty one, and a list of texts,
 * numbers and yes/no as one text, `Gold, VIP`. Anything else stays unchanged.
 */
export function readCell(value: unknown): unknown {
	if (typeof value === 'string') return isBlank(value) ? '' : value;
	if (!Array.isArray(value) || !value.every(fitsIntoCell)) return value;
	const texts = value.map((entry) => trimText(String(entry ?? '')));
	return texts.filter((text) => text !== '').join(', ');
}

const fitsIntoCell = (entry: unknown) =>
	(typeof entry !== 'object' || entry === null) && !isInexact(entry);

/** Whether a cell is empty: there is no value in it, or nothing to see. */
export function isEmptyCell(value: unknown): boolean {
	const cell = readCell(value);
	return cell === undefined || cell === null || cell === '';
}

export const isFilledCell = (value: unknown) => !isEmptyCell(value);

/** The rule for a text that people are to read. */
const NOT_BLANK = 'must not be blank, but has only spaces, line breaks or invisible characters';

/** Returns the schema of a text that must not be blank either. */
export const notBlank = <Text extends z.ZodType<string>>(schema: Text): Text =>
	schema.refine((text) => !isBlank(text), NOT_BLANK);
