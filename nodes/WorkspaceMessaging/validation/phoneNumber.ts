import { patterns, rules } from '../contract';
import { quoted } from './messages';

/**
 * Reads a phone number as people write it.
 *
 * @param label what errors call it
 * @returns the number as it is to be sent; what is none stays as it was given, for the check to name
 */
export type ReadPhoneNumber = (given: string, label: string) => string;

/** Blanks, dashes, dots, slashes, and what cannot be seen. */
const SEPARATORS = /[\s\p{Cc}\p{Cf}\p{Pd}\u2212./]/gu;
const BRACKETS = /[()[\]]/g;
/** The 0 that is dialled inside of the country only, written behind the country code: `+49 (0) 151`. */
const TRUNK_ZERO = /^([([]?(?:\+|00)?([1-9]\d{0,2})[)\]]?)[([]0[)\]]/;
/** A word or # in front of a few digits at the end: `ext. 5`, `x5`, `App. 12`. */
const EXTENSION = /\d[^\p{L}#]*(?:\p{L}[\p{L}\s]*|#)[\s.:=]*\d{1,6}\s*\)?\s*$/u;
/** What spreadsheets make of long numbers. */
const ROUNDED = /^\s*\+?\d+(?:[.,]\d+)?E\+?\d+\s*$/i;
/** A whole number with a decimal place behind it, which other programs write for a column of numbers. */
const WHOLE_NUMBER = /^(\d{10,15})[.,]0+$/;

/** No number is longer, however it is written; what is longer is not looked at any closer. */
const LONGEST = 100;

/** Where numbers keep their leading 0 behind the country code: Italy. */
const KEEPS_ZERO = '+39';
/** Where a number has ten digits and no leading 0: North America. */
const TEN_DIGITS = '+1';

/**
 * Brings a phone number into the form that the API takes (part 4.1): 10 to 20 digits, with an optional leading +.
 *
 * Blanks, dashes, dots, slashes, brackets and invisible characters are left out, 00 in front becomes +, and (0) behind a
 * country code is dropped. A national number is completed with the country code: one with a leading 0, which is dropped
 * (kept in Italy), or with +1 one of ten digits. Other digits without a + stay as they are. No numbering plan is asked.
 * Throws an error that says what is wrong with a number that has an extension, was rounded by a spreadsheet, or has the
 * right number of digits only as long as 00 or a leading 0 count.
 *
 * @param label what errors call it
 * @param countryCode gives the country code of national numbers, such as `+49`; an empty text when there is none
 * @returns the number; what cannot be one stays as it was given, without white space around it
 */
export function normalizePhoneNumber(given: string, label: string, countryCode: () => string): string {
	if (given.length > LONGEST) return trimmed(given);
	if (ROUNDED.test(given))
		throw new Error(
			`${label} must have all of its digits, but a spreadsheet has rounded it to ${quoted(given.trim())}: format the column as text there, enter the numbers again, and export it anew`,
		);
	if (EXTENSION.test(given))
		throw new Error(`${label} must be a phone number without an extension, but is ${quoted(given)}`);
	const number = internationalForm(given);
	const completed = /^\d+$/.test(number) ? withCountryCode(number, countryCode()) : number;
	if (patterns.phoneNumber.test(completed)) return completed;
	// As it was given it would pass for another number: 00 in front is none of its digits.
	if (patterns.phoneNumber.test(trimmed(given)))
		throw new Error(`${label} must be ${rules.phoneNumber}, but is ${quoted(completed)}`);
	return trimmed(given);
}

/** Reads phone numbers where no country code is at hand; see `normalizePhoneNumber`. */
export const readPhoneNumberAsIs: ReadPhoneNumber = (given, label) =>
	normalizePhoneNumber(given, label, () => '');

/** The form in which phone numbers are compared: the digits alone, whatever is between and in front of them. */
export function comparablePhoneNumber(text: string): string {
	return internationalForm(text).replace(/^\+/, '');
}

/** Whether a phone number says by a leading 0 that it is one of some country, but not of which. */
export function isNational(number: string): boolean {
	return number.startsWith('0') && patterns.phoneNumber.test(number);
}

/**
 * Reads the country code of national numbers: `+49`, `49` or `0049`; an empty text when there is none.
 * Throws an error when it is none.
 *
 * @param label what the error calls it
 */
export function readCountryCode(given: unknown, label: string): string {
	const text = String(given ?? '').replace(SEPARATORS, '');
	if (text === '') return '';
	const code = text.replace(/^(00|\+)?/, '+');
	if (!patterns.countryCode.test(code))
		throw new Error(`${label} must be ${rules.countryCode}, but is ${quoted(String(given))}`);
	return code;
}

/** A text without white space and invisible characters around it, which copying brings along. */
export function trimmed(text: string): string {
	const isVisible = (character: string) => !/[\s\p{Cc}\p{Cf}]/u.test(character);
	let start = 0;
	let end = text.length;
	while (start < end && !isVisible(text[start])) start++;
	while (start < end && !isVisible(text[end - 1])) end--;
	return text.slice(start, end);
}

/** A number without what is written for the eye, and with + for 00. */
function internationalForm(given: string): string {
	const [, whole = given] = WHOLE_NUMBER.exec(given.trim()) ?? [];
	return whole
		.replace(SEPARATORS, '')
		.replace(TRUNK_ZERO, (_, front: string, code: string) =>
			`+${code}` === KEEPS_ZERO ? `${front}0` : front,
		)
		.replace(BRACKETS, '')
		.replace(/^00/, '+');
}

function withCountryCode(digits: string, code: string): string {
	if (code === '') return digits;
	if (digits.startsWith('0')) return code + (code === KEEPS_ZERO ? digits : digits.slice(1));
	return code === TEN_DIGITS && digits.length === 10 ? code + digits : digits;
}
