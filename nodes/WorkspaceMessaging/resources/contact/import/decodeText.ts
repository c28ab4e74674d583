import { refusedError } from '../../../transport/errors/ApiError';

/* The encodings of text files: Unicode, and in half of Europe Windows-1252, which Excel writes. */

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

/**
 * Reads a text in UTF-8 or UTF-16, or else in Windows-1252. The last is a guess: nearly all bytes
 * are characters there.
 */
export function decodeText(bytes: Buffer, file: string): { text: string; isGuess: boolean } {
	const encoding = detectUnicode(bytes);
	// XLSX files are ZIP archives.
	const isZip = bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04';
	if (encoding === undefined || isZip)
		throw refusedError(
			`${capitalized(file)} is not a text file.`,
			'Export it as CSV, or give an Excel file the extension xlsx.',
		);
	try {
		return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), isGuess: false };
	} catch {
		if (encoding !== 'utf-8' || !mayBeWindows1252(bytes))
			throw refusedError(
				`${capitalized(file)} is not valid in UTF-8, UTF-16 or Windows-1252.`,
				'Save it as "CSV UTF-8" and try again.',
			);
		return { text: decodeWindows1252(bytes), isGuess: true };
	}
}

function mayBeWindows1252(bytes: Buffer): boolean {
	const latin1 = bytes.toString('latin1');
	// A byte order mark shows that it was UTF-8.
	if (latin1.startsWith('\xef\xbb\xbf')) return false;
	return !Object.values(NOT_WINDOWS_1252).some((pattern) => pattern.test(latin1));
}

const decodeWindows1252 = (bytes: Buffer) =>
	bytes
		.toString('latin1')
		.replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80]);

/** The kind of Unicode that a file has if it is in Unicode; undefined if it is not a text. */
function detectUnicode(bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
	const length = Math.min(2, bytes.length);
	const mark = bytes.readUIntBE(0, length);
	if (mark === 0xfffe) return 'utf-16le';
	if (mark === 0xfeff) return 'utf-16be';
	// Without a mark, the zeros of letters and separators show which byte comes first.
	if (!bytes.includes(0)) return 'utf-8';
	const hasZeroAt = (parity: number) =>
		bytes.some((byte, index) => byte === 0 && index % 2 === parity);
	const hasEven = hasZeroAt(0);
	const hasOdd = hasZeroAt(1);
	// No text has them at both places.
	if (hasEven && hasOdd) return undefined;
	if (hasOdd) return 'utf-16le';
	return 'utf-16be';
}

const capitalized = (text: string) => text[0].toUpperCase() + text.slice(1);
