import { refusedError } from '../../../transport/errors/ApiError';
import { joinSentences } from '../../../transport/errors/sentences';
import { dropTrunkPrefix, getCertainty, splitNumber } from '../../../values/phone/numberingPlans';
import { describeFitting, isWestern, nameEncoding, WESTERN } from './encodings';

/* Reads the bytes of a text file: Unicode, or else an encoding of Windows. */

/** What decides how a file is read that is not in Unicode. */
export interface EncodingChoice {
	/** The encoding that the user chose; undefined if n8n has to find out. */
	encoding?: string;
	/** The country code of national phone numbers, with a +. */
	countryCode?: string;
}

/**
 * The characters of the bytes 0x80 to 0x9F. Some versions of Node.js read them as control
 * characters.
 */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * What Western European text does not have in Windows-1252, so that the file has another encoding.
 */
const NOT_WINDOWS_1252 = {
	'bytes without a character': /[\x81\x8d\x8f\x90\x9d]/,
	'four accented letters in a row, as Cyrillic and Greek have them': /[\xc0-\xff]{4}/,
	'signs inside words, as Windows-1250 and DOS have them':
		/[A-Za-z\xc0-\xff][\x82\x84\x86\x87\x94\xa3\xa5\xa7\xaf\xb3\xb9\xbf][A-Za-z\xc0-\xff]/,
	'capitals inside words, as Mac has them':
		/[a-z][\x8a\x8c\x8e\x9f][a-z]|[A-Z][\x8a\x8c\x8e\x9f][a-z]/,
	'characters of UTF-8': /\xc3[\x80-\xbf]|(?:[\xc4\xc5\xce-\xd1][\x80-\xbf]){2}/,
};

/** The first bytes of UTF-32: its byte order mark, or one character of ASCII. */
const UTF_32 = /^(?:\xff\xfe\0\0|\0\0\xfe\xff|[^\0]\0{3}|\0{3}[^\0])/;

/** The byte order marks of Unicode. */
const marks = [
	['\xef\xbb\xbf', 'utf-8'],
	['\xff\xfe', 'utf-16le'],
	['\xfe\xff', 'utf-16be'],
] as const;

/**
 * An international phone number, also inside a text. It ends with its cell: the next one can begin
 * with a digit.
 */
const INTERNATIONAL_NUMBER =
	/(?:\+|(?<![\d.])00)[ \xa0(]{0,2}([1-9](?:[ \xa0()./\x96-]{0,3}\d){6,14})/g;

/** A letter of Thai, Japanese, Chinese or Korean. */
const ASIAN_LETTER = /[\u0E00-\u0E7F\u3040-\u9FFF\uAC00-\uD7A3]/;

/** What bytes become that have no character; those of private use look different on each computer. */
const UNREADABLE = /[\0\x80-\x9f\uE000-\uF8FF\uFFFD]/;

const CHOOSE = 'Choose its encoding under Encoding, or save it as "CSV UTF-8".';

/**
 * Reads a text in UTF-8 or UTF-16, or else in the encoding that the user chose. Without a choice, a
 * file from a country where Excel writes Windows-1252 is read so, and so is one from nobody knows
 * where: the last is a guess. The country code decides, or else the phone numbers in the file.
 * Throws an `ApiError` if the file cannot be read for certain.
 */
export function decodeText(
	bytes: Buffer,
	file: string,
	{ encoding, countryCode }: EncodingChoice,
): { text: string; isGuess: boolean } {
	const start = bytes.toString('latin1', 0, 4);
	if (UTF_32.test(start))
		throw refusedError(`${capitalized(file)} is in UTF-32.`, 'Save it as "CSV UTF-8".');
	const mark = marks.find(([bytesOfMark]) => start.startsWith(bytesOfMark))?.[1];
	if (encoding !== undefined && !mark)
		return { text: decodeChosen(bytes, file, encoding), isGuess: false };
	// XLSX files are ZIP archives.
	const unicode = start === 'PK\x03\x04' ? undefined : (mark ?? guessUnicode(bytes));
	const text = unicode && decodeUnicode(bytes, unicode);
	if (unicode === undefined)
		throw refusedError(
			`${capitalized(file)} is not a text file.`,
			'Export it as CSV, or give an Excel file the extension xlsx.',
		);
	if (text !== undefined) return { text, isGuess: false };
	const latin1 = bytes.toString('latin1');
	refuseOtherCountries(latin1, file, countryCode);
	const mayBeWestern =
		unicode === 'utf-8' &&
		!mark &&
		!Object.values(NOT_WINDOWS_1252).some((pattern) => pattern.test(latin1));
	if (!mayBeWestern)
		throw refusedError(
			`${capitalized(file)} is not valid in UTF-8, UTF-16 or Windows-1252.`,
			CHOOSE,
		);
	return { text: decodeWindows1252(bytes), isGuess: true };
}

/**
 * Reads a file in an encoding that the user chose. Throws an `ApiError` that names the line if it
 * has another one.
 */
function decodeChosen(bytes: Buffer, file: string, encoding: string) {
	// What is valid in UTF-8 is no text where each letter is one byte: somebody saved it in UTF-8. Short
	// texts of Asia can be valid, but never with letters of Asia.
	const utf8 = decodeUnicode(bytes, 'utf-8');
	const isUtf8 =
		utf8 !== undefined && (encoding.startsWith('windows-125') || ASIAN_LETTER.test(utf8));
	if (isUtf8) return utf8;
	const text =
		encoding === WESTERN ? decodeWindows1252(bytes) : new TextDecoder(encoding).decode(bytes);
	const position = text.search(UNREADABLE);
	if (position !== -1)
		throw refusedError(
			`Line ${lineAt(text, position)} of ${file} has letters that n8n can't read as ${nameEncoding(encoding)}.`,
			'Choose another encoding under Encoding, or save the file as "CSV UTF-8".',
		);
	// Vietnamese has accents as characters of their own. In names of East Asia, NFC would replace rare
	// forms of characters.
	return encoding.startsWith('windows') ? text.normalize('NFC') : text;
}

/** Reads a text in Unicode; undefined if it is not valid, or has zeros. */
function decodeUnicode(bytes: Buffer, encoding: string) {
	try {
		const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
		return text.includes('\0') ? undefined : text;
	} catch {
		return undefined;
	}
}

const decodeWindows1252 = (bytes: Buffer) =>
	bytes
		.toString('latin1')
		.replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80]);

/** Throws an `ApiError` that names the fitting encodings if not all countries use Windows-1252. */
function refuseOtherCountries(text: string, file: string, countryCode = '') {
	const ownCode = splitNumber(countryCode.slice(1))?.code;
	const codes = ownCode === undefined ? findCountryCodes(text) : [ownCode];
	if (codes.every(isWestern)) return;
	throw refusedError(
		`${capitalized(file)} is not in UTF-8.`,
		joinSentences(describeFitting(codes), CHOOSE),
	);
}

/** Returns the country codes of the international phone numbers in a text, most frequent first. */
function findCountryCodes(text: string) {
	const counts = new Map<string, number>();
	for (const [, number] of text.matchAll(INTERNATIONAL_NUMBER)) {
		const digits = dropTrunkPrefix(number.replace(/\D/g, ''));
		if (getCertainty(digits) === 0) continue;
		const { code } = splitNumber(digits)!;
		counts.set(code, (counts.get(code) ?? 0) + 1);
	}
	return [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!);
}

/** The kind of Unicode of a text without a byte order mark; undefined if it is not a text. */
function guessUnicode(bytes: Buffer) {
	// The zeros of letters and separators show which byte comes first.
	if (!bytes.includes(0)) return 'utf-8';
	const zeros = [0, 0];
	for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) zeros[at % 2]++;
	const [even, odd] = zeros;
	// Few characters, such as Ā and 一, have them at the other place.
	if (odd > 4 * even) return 'utf-16le';
	return even > 4 * odd ? 'utf-16be' : undefined;
}

/** The number of the line at a position of a text. */
export const lineAt = (text: string, position: number) =>
	text.slice(0, position).split(/\r\n|[\r\n]/).length;

const capitalized = (text: string) => text[0].toUpperCase() + text.slice(1);
