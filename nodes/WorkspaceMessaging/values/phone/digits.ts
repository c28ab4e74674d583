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
