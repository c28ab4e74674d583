import { patterns, rules } from '../contract/limits';
import { ApiError } from '../transport/errors/ApiError';
import { quoted } from './labels';
import { trimText } from './trimText';

/**
 * Reads a phone number as people write it.
 *
 * @param label the field's name in errors
 * @returns the number to send; text that is no phone number stays unchanged for validation
 */
export type ReadPhoneNumber = (input: string, label: string) => string;

/** White space, dashes, dots, slashes and invisible characters. */
const SEPARATORS = /[\s\p{Cc}\p{Cf}\p{Pd}\u2212./]/gu;
const BRACKETS = /[()[\]]/g;
/**
 * A 0 in brackets after the country code, which people only dial inside the country: `+49 (0) 151`.
 */
const TRUNK_ZERO = /^([([]?(?:\+|00)?([1-9]\d{0,2})[)\]]?)[([]0[)\]]/;
/** A word or # before a few digits at the end: `ext. 5`, `x5`, `App. 12`. */
const EXTENSION = /\d[^\p{L}#]*(?:\p{L}[\p{L}\s]*|#)[\s.:=]*\d{1,6}\s*\)?\s*$/u;
/** A long number as spreadsheets show it. */
const ROUNDED = /^\s*\+?\d+(?:[.,]\d+)?E\+?\d+\s*$/i;
/** A whole number with a decimal place, as other programs export a column of numbers. */
const WHOLE_NUMBER = /^(\d{10,15})[.,]0+$/;

/** No phone number is longer, in any notation; longer text is not examined. */
const LONGEST = 100;

/** Numbers keep their leading 0 after this country code: Italy. */
const KEEPS_ZERO = '+39';
/** National numbers have ten digits and no leading 0: North America. */
const TEN_DIGITS = '+1';
/**
 * The most digits of a national number, for countries where people write it without a leading 0,
 * and it can begin like the code.
 */
const NATIONAL_DIGITS: Record<string, number> = {
	[TEN_DIGITS]: 10,
	'+7': 10,
	[KEEPS_ZERO]: 10,
	'+52': 10,
	'+55': 11,
	'+91': 10,
};

/**
 * Brings a phone number into the form of the API (part 4.1): 10 to 20 digits, with an optional
 * leading +.
 *
 * Removes white space, dashes, dots, slashes, brackets and invisible characters; turns a leading 00
 * into +; drops (0) after a country code. Completes a national number with the country code: with a
 * leading 0, which is dropped (kept in Italy), or, for +1, with ten digits. Other digits without a
 * + stay as they are; no numbering plan is consulted. Throws an error for a number with an
 * extension, for one that a spreadsheet rounded, and for one that only has enough digits with its
 * 00 or leading 0.
 *
 * @param label the field's name in errors
 * @param countryCode returns the country code of national numbers, such as `+49`; without it, they
 * stay national
 * @returns the number; text that is no phone number stays unchanged but for white space around it
 */
export function normalizePhoneNumber(input: string, label: string, countryCode = () => ''): string {
	if (input.length > LONGEST) return trimText(input);
	if (ROUNDED.test(input))
		throw new Error(
			`${label} was rounded by a spreadsheet (${quoted(input.trim())}). Format the column as text, re-enter the numbers and export again.`,
		);
	if (EXTENSION.test(input))
		throw new Error(
			`${label} must be a phone number without an extension, but is ${quoted(input)}`,
		);
	const number = internationalForm(input);
	const isCompletable = /^\d+$/.test(number);
	const completed = isCompletable ? withCountryCode(number, countryCode()) : number;
	if (patterns.phoneNumber.test(completed)) return completed;
	const unchanged = trimText(input);
	// It would be valid and reach somebody else: a leading 00 is no part of the number.
	if (patterns.phoneNumber.test(unchanged))
		throw new Error(`${label} must be ${rules.phoneNumber}, but is ${quoted(completed)}`);
	return unchanged;
}

/** Returns the digits of a phone number, to compare it with others. */
export function comparablePhoneNumber(text: string): string {
	return internationalForm(text).replace(/^\+/, '');
}

/** Whether a phone number has a leading 0, so that its country is unknown. */
export function isNational(number: string): boolean {
	return number.startsWith('0') && patterns.phoneNumber.test(number);
}

/**
 * Whether digits without a + begin with a country code. Digits that can be a national number do not
 * count.
 */
export function hasCountryCode(number: string, countryCode: string): boolean {
	return (
		countryCode !== '' &&
		/^\d{10,20}$/.test(number) &&
		number.startsWith(countryCode.slice(1)) &&
		number.length > (NATIONAL_DIGITS[countryCode] ?? 0)
	);
}

/**
 * Reads the country code of national numbers: `+49`, `49` or `0049`. An empty value is an empty
 * text. Throws an error if it is no country code.
 *
 * @param label the field's name in errors
 */
export function readCountryCode(input: unknown, label: string): string {
	const text = String(input ?? '').replace(SEPARATORS, '');
	if (text === '') return '';
	const code = text.replace(/^(00|\+)?/, '+');
	if (patterns.countryCode.test(code)) return code;
	const entered = quoted(String(input));
	throw new Error(`${label} must be ${rules.countryCode}, but is ${entered}`);
}

/** Returns a number without separators, with + for 00. */
function internationalForm(input: string): string {
	const [, whole = input] = WHOLE_NUMBER.exec(input.trim()) ?? [];
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

/** Adds to an error about a phone number how to complete the number, if it has no country code. */
export function withCountryCodeAdvice(error: ApiError, phoneNumber?: string): ApiError {
	if (!phoneNumber || phoneNumber.startsWith('+')) return error;
	return new ApiError(error.what, {
		...error.details,
		advice:
			'The phone number has no country code. If a contact has it with one, set Default Country Code in the credential.',
	});
}
