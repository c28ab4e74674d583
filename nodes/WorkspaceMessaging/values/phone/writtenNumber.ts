import { getCertainty } from './numberingPlans';

/** White space, dashes, dots, slashes and invisible characters. */
export const SEPARATORS = /[\s\p{Cc}\p{Cf}\p{Pd}\u2212./]/gu;
const BRACKETS = /[()[\]]/g;
/**
 * A 0 in brackets after the country code, which people only dial inside the country: `+49 (0) 151`.
 */
const TRUNK_ZERO = /^([([]?(?:\+|00)?([1-9]\d{0,2})[)\]]?)[([]0[)\]]/;
/** A whole number with a decimal place, as other programs export a column of numbers. */
const WHOLE_NUMBER = /^(\+?\d{7,15})[.,]0+$/;

/** Returns a phone number without separators, with + for 00; other text stays text. */
export function internationalForm(text: string): string {
	const [, whole = text] = WHOLE_NUMBER.exec(text.trim()) ?? [];
	const joined = whole.replace(SEPARATORS, '');
	const number = withoutBrackets(joined);
	if (!TRUNK_ZERO.test(joined)) return number;
	// In Italy, the 0 in brackets is a part of the number.
	const keepsZero = getCertainty(number.replace(/^\+/, '')) > 0;
	return keepsZero ? number : withoutBrackets(joined.replace(TRUNK_ZERO, '$1'));
}

const withoutBrackets = (text: string) => text.replace(BRACKETS, '').replace(/^00/, '+');

const DIGIT = /\p{Nd}/u;
/** Letters, digits and signs as wide as those of East Asia. */
const FULL_WIDTH = /[\uFF01-\uFF5E]/g;
const FULL_WIDTH_OFFSET = 0xfee0;
/** The digits of other scripts; each script has its ten digits in a row. */
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;

/**
 * Turns the digits of all scripts, such as Arabic and full-width ones, into 0 to 9, and full-width
 * signs, such as ＋ and －, into the usual ones.
 */
export function toAsciiDigits(text: string): string {
	return text
		.replace(FULL_WIDTH, (sign) => String.fromCodePoint(sign.codePointAt(0)! - FULL_WIDTH_OFFSET))
		.replace(OTHER_DIGITS, (digit) => String(getDigitValue(digit.codePointAt(0)!)));
}

function getDigitValue(code: number): number {
	let value = 0;
	while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++;
	return value;
}
