/**
 * At least ten digits in a row, in 10 to 20 characters: what these services call the form of a
 * phone number.
 */
export const isPhoneForm = (text: string) =>
	text.length >= 10 && text.length <= 20 && /\d{10,}/.test(text);

/**
 * Returns a phone number as E.164, or undefined if it has another form. Does not check whether such
 * a number exists.
 *
 * @param countryCode `+` and 1 to 4 digits, added to national numbers; without it, only
 * international numbers are valid
 */
export function e164(text: string, countryCode: string | undefined): string | undefined {
	const digits = text.replace(/^00/, '+').replace(/[^\d+]/g, '');
	const international =
		digits.startsWith('+') || !countryCode ? digits : countryCode + digits.replace(/^0/, '');
	return /^\+[1-9]\d{6,14}$/.test(international) ? international : undefined;
}
