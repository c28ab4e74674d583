import { patterns, rules } from '../../contract/limits';
import { ApiError } from '../../transport/errors/ApiError';
import { quoted } from '../labels';
import {
	dropExitCode,
	dropTrunkPrefix,
	getCertainty,
	hasPossibleLength,
	IN_USE,
	readNationalNumber,
	splitNumber,
} from './numberingPlans';
import { trimText } from '../blankText';
import { hasTwoNumbers } from './twoNumbers';
import { readWhatsAppNumber } from './whatsappAddress';
import { internationalForm, SEPARATORS, toAsciiDigits } from './writtenNumber';

/**
 * Reads a phone number as people write it.
 *
 * @param label the field's name in errors
 * @returns the number to send; text that is no phone number stays unchanged for validation
 */
export type ReadPhoneNumber = (input: string, label: string) => string;

/** A word or # before a few digits at the end: `ext. 5`, `x5`, `App. 12`. */
const EXTENSION =
	/\d[^\p{L}\d#]*(?:\p{L}[\p{L}\s]*(?:[.:=][\s.:=]*)?|#[\s.:=]*)\d{1,6}\s*(?:\)\s*)?$/u;
/** A long number as spreadsheets show it. */
const ROUNDED = /^\s*\+?\d+(?:[.,]\d+)?E\+?\d+\s*$/i;
/** A country code behind two signs for it. */
const TWO_PREFIXES = /^\+00/;

/** No phone number is longer, in any notation; longer text is not examined. */
const LONGEST = 100;
/** National numbers have ten digits, and everybody writes them without a prefix: North America. */
const TEN_DIGITS = '1';

/**
 * Brings a phone number into the form of the API (part 4.1): 10 to 20 digits, with an optional
 * leading +.
 *
 * - Reads the digits of all scripts, and the phone number in an address of WhatsApp.
 * - Removes white space, dashes, dots, slashes, brackets and invisible characters, and turns a
 *   leading 00 into +.
 * - After a country code, drops the trunk prefix that people only dial inside the country, if only
 *   that makes the number possible in its country.
 * - Completes digits without a + with the country code if they are certainly a number of that
 *   country, or adds the + if they begin with the code; see `complete`.
 *
 * The numbering plans never refuse a number. It throws an error for two numbers, a number with an
 * extension, one that a spreadsheet rounded, one that begins with +00, and one that only has enough
 * digits with its 00 or leading 0.
 *
 * @param label the field's name in errors
 * @param countryCode returns the country code of national numbers, such as `+49`; without it, they
 * stay national
 * @returns the number; text that is no phone number stays unchanged but for white space around it
 */
export function normalizePhoneNumber(input: string, label: string, countryCode = () => ''): string {
	if (input.length > LONGEST) return trimText(input);
	const text = toAsciiDigits(input);
	const number = readWhatsAppNumber(trimText(text), label);
	if (number !== undefined) return number;
	if (ROUNDED.test(text))
		throw new Error(
			`${label} was rounded by a spreadsheet (${quoted(input.trim())}). Format the column as text, re-enter the numbers and export again.`,
		);
	if (EXTENSION.test(text))
		throw new Error(
			`${label} must be a phone number without an extension, but is ${quoted(input)}`,
		);
	const readOne = (one: string) => readNumber(one, countryCode);
	if (hasTwoNumbers(text, readOne))
		throw new Error(`${label} must be one phone number, but is ${quoted(input)}`);
	const completed = readOne(text);
	if (TWO_PREFIXES.test(completed) && patterns.phoneNumber.test(completed))
		throw new Error(
			`${label} must begin with + and a country code, or with 00, but is ${quoted(input)}`,
		);
	if (patterns.phoneNumber.test(completed)) return completed;
	const unchanged = trimText(input);
	// It would be valid and reach somebody else: a leading 00 is no part of the number.
	if (patterns.phoneNumber.test(unchanged))
		throw new Error(`${label} must be ${rules.phoneNumber}, but is ${quoted(completed)}`);
	return unchanged;
}

/** Returns the digits of a phone number, to compare it with others. */
export function comparablePhoneNumber(text: string): string {
	return internationalForm(toAsciiDigits(text)).replace(/^\+/, '');
}

/** Why a phone number may not reach anybody. */
export type PhoneNumberDoubt = 'noCountryCode' | 'notCompletable' | 'unusualDigits';

/**
 * Says why a number may not reach anybody although the API takes it; undefined if there is no
 * doubt, and for text that is no number.
 *
 * @param hasDefaultCode whether there is a country code for national numbers
 * @param entered the number as it was typed
 */
export function findDoubt(
	number: string,
	hasDefaultCode: boolean,
	entered = number,
): PhoneNumberDoubt | undefined {
	if (!patterns.phoneNumber.test(number)) return undefined;
	if (!number.startsWith('+')) {
		if (hasDefaultCode) return 'notCompletable';
		const lacksCode = number.startsWith('0') || getCertainty(number) === 0;
		return lacksCode ? 'noCountryCode' : undefined;
	}
	const digits = number.slice(1);
	// Digits were taken for a number of the country, but the plan may have none of that length. What
	// is left of an international number without its 0 may be in no plan.
	const written = internationalForm(toAsciiDigits(entered));
	const isShortened = written.startsWith('+') && written !== number;
	const certainty = getCertainty(digits);
	const isUnusual = (isNational(entered) && certainty < IN_USE) || (isShortened && certainty === 0);
	return isUnusual || !hasPossibleLength(digits) ? 'unusualDigits' : undefined;
}

/** Whether a phone number was written without a country code. */
const isNational = (text: string) => /^\d+$/.test(internationalForm(toAsciiDigits(text)));

/**
 * Whether a national number may be wrong once a service has put a country code before it: it is in
 * no plan then, or n8n would have read another number.
 *
 * @param countryCode with a +
 */
export function isCompletedWrongly(entered: string, countryCode: string): boolean {
	if (!isNational(entered)) return false;
	const text = toAsciiDigits(entered);
	const digits = countryCode.slice(1) + internationalForm(text).replace(/^0/, '');
	const own = readNumber(text, () => countryCode);
	const isOther = own.startsWith('+') && own !== `+${digits}`;
	return isOther || getCertainty(digits) < IN_USE;
}

/**
 * Reads the country code of national numbers: `+49`, `49` or `0049`. An empty value is an empty
 * text. Throws an error if it is no country code.
 *
 * @param label the field's name in errors
 */
export function readCountryCode(input: unknown, label: string): string {
	const text = toAsciiDigits(String(input ?? '')).replace(SEPARATORS, '');
	if (text === '') return '';
	const code = text.replace(/^(00|\+)?/, '+');
	if (patterns.countryCode.test(code)) return code;
	const entered = quoted(String(input));
	throw new Error(`${label} must be ${rules.countryCode}, but is ${entered}`);
}

/** Returns a number of one person, as certainly as the numbering plans allow. */
function readNumber(text: string, countryCode: () => string): string {
	const number = internationalForm(text);
	if (/^\+[1-9]\d*$/.test(number)) {
		const digits = dropTrunkPrefix(number.slice(1));
		const isCertain = text.includes('+') || getCertainty(digits) > 0;
		return `+${isCertain ? digits : (readDoubleZero(number.slice(1), countryCode) ?? digits)}`;
	}
	if (!/^\d+$/.test(number)) return number;
	const code = countryCode();
	return code === '' ? number : complete(number, code, text);
}

/**
 * Reads a number with a 00 that stands before no country code. In some countries people dial more
 * than 00 to call abroad, such as the code of a carrier; in some, numbers begin with 00.
 *
 * @param rest what follows the 00
 */
function readDoubleZero(rest: string, countryCode: () => string): string | undefined {
	const code = countryCode().slice(1);
	const dialed = dropExitCode(`00${rest}`, code);
	return dialed ?? readNationalNumber(`00${rest}`, code)?.digits;
}

/**
 * Completes digits without a + with the default country code. They can be a national number, with
 * or without its trunk prefix, or an international one, of this or of another country. Only one
 * that is certain is completed; of two, the one that can be a mobile is. What is not certain stays
 * as it is.
 *
 * @param text as it was written
 */
function complete(digits: string, countryCode: string, text: string): string {
	const code = countryCode.slice(1);
	const own = splitNumber(code)?.code;
	if (own === undefined) return digits.startsWith('0') ? countryCode + digits.slice(1) : digits;
	const national = readNationalNumber(digits, code);
	const international = dropTrunkPrefix(digits);
	// The API does not take shorter numbers.
	const isLongEnough = patterns.phoneNumber.test(digits);
	const certainty = isLongEnough ? getCertainty(international) : 0;
	const isOwn = splitNumber(digits)?.code === own;
	if (!national) {
		if (certainty > 0) return isOwn ? `+${international}` : digits;
		const dialed = dropExitCode(digits, code);
		if (dialed !== undefined) return `+${dialed}`;
		return withinLength(digits, countryCode);
	}
	const isTenDigits = own === TEN_DIGITS && digits.length === 10 && national.certainty >= IN_USE;
	const isWrittenNationally =
		isTenDigits || !isWrittenInternationally(text, splitNumber(digits)?.code);
	if (!isOwn && isWrittenNationally) return `+${national.digits}`;
	if (national.digits === international || national.certainty > certainty)
		return `+${national.digits}`;
	const isInternational = isOwn && certainty > national.certainty;
	return isInternational ? `+${international}` : digits;
}

/**
 * Returns a national number unchanged, but with its country code if that makes it longer than a
 * number can be, so that it is refused as before.
 */
function withinLength(digits: string, countryCode: string): string {
	const isNational = digits.startsWith('0') && patterns.phoneNumber.test(digits);
	const completed = countryCode + digits.slice(1);
	return isNational && !patterns.phoneNumber.test(completed) ? completed : digits;
}

/**
 * Whether digits can be an international number as they are written: nobody writes `328 123 4567`
 * for +32 81 23 45 67.
 */
function isWrittenInternationally(text: string, code = ''): boolean {
	const groups = text.match(/\d+/g) ?? [];
	const [first = ''] = groups;
	return groups.length === 1 || first === code || first.length > 3;
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
