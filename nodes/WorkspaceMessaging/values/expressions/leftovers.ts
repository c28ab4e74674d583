import { splitExpressions } from './expression';
import { isObjectOrList } from '../../transport/guards';
import { isFailedNumber } from '../numbers';

/* What expressions of n8n return, or leave behind in a text, if they fail. */

/** Says what makes an invalid date, and what to write instead. */
export const INVALID_DATE_ADVICE =
	"Its expression turns a text into a date that does not exist. Convert the text with DateTime.fromFormat, such as {{ DateTime.fromFormat($json.value, 'dd.MM.yyyy') }}.";

/** Whether a value is a date that was made from a text that is not a date, or the text of one. */
export function isInvalidDate(value: unknown): boolean {
	// n8n's own dates are objects in some fields, and texts in others.
	const isOfN8n = isObjectOrList(value) && 'toISO' in value;
	if (!isOfN8n && !(value instanceof Date) && typeof value !== 'string') return false;
	return /^\s*Invalid (?:Date(?:Time)?|Duration|Interval)\s*$/.test(String(value));
}

/**
 * Describes true, false, NaN, Infinity and invalid dates, after "must be text, but"; undefined for other
 * values. Nobody means to send them: `{{ $json.isNew && "Hi" }}` is false for some items.
 */
export function describeNoText(value: unknown): string | undefined {
	if (typeof value === 'boolean')
		return `is ${value}. To choose a text by a condition, use {{ condition ? "one" : "other" }}.`;
	if (Number.isNaN(value)) return 'is NaN. Its expression calculates with what is not a number.';
	if (isFailedNumber(value)) return `is ${String(value)}. Its expression divides by zero.`;
	return isInvalidDate(value) ? `is an invalid date. ${INVALID_DATE_ADVICE}` : undefined;
}

/** Throws an error if a text is what an expression returns that fails; see `describeNoText`. */
export function refuseNoText(label: string, value: unknown): void {
	const noText = describeNoText(value);
	if (noText) throw new Error(`${label} must be text, but ${noText}`);
}

/**
 * Words that JavaScript writes in place of a value; letters of another script are no part of them.
 * Not in quotation marks, where somebody writes about the word, and not the null of JSON.
 */
const LEFTOVER =
	/(?<![\p{Script=Latin}\p{N}"'`“„«»‘’])(?:undefined|(?<![[,]|"\s?:\s?)null|NaN|Infinity|Invalid (?:Date(?:Time)?|Duration|Interval))(?![\p{Script=Latin}\p{N}])/gu;

/** A list of JSON without lists inside; as long as its end is missing, it has no other start. */
const JSON_LIST = /\[[^[\]]*\]/g;

/** A text in the code of an expression; a quotation mark behind a backslash begins none. */
const TEXT_IN_CODE = /\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

/**
 * Returns the first word of a text that a failing expression has left there, such as the one in
 * `Hi undefined`; undefined if there is none.
 *
 * @param entered the text as the user entered it, with its expressions; words in it are intended
 */
export function findLeftover(text: string, entered: string): string | undefined {
	const words = text.replace(JSON_LIST, (list) => list.replaceAll('null', '0')).match(LEFTOVER);
	if (!words) return undefined;
	const { literals, codes } = splitExpressions(entered);
	const textsInCode = codes.flatMap((code) => code.match(TEXT_IN_CODE) ?? []);
	const meant = [...literals, ...textsInCode].join('\n');
	// Products are called Infinity, too.
	const divides = codes.some((code) => code.includes('/'));
	return words.find((word) => !meant.includes(word) && (divides || word !== 'Infinity'));
}
