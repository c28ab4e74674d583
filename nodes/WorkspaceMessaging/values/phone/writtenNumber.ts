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
