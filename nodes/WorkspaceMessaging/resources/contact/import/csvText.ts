import { refusedError } from '../../../transport/errors/ApiError';
import { quoted } from '../../../values/labels';
import { decodeText, lineAt, type EncodingChoice } from './decodeText';

/* Services read CSV with commas in UTF-8. In half of Europe, Excel writes semicolons. */

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Characters that separate columns in other formats, which nobody can tell apart for certain. */
const OTHER_DELIMITERS = [':', '^', '~'];

/** The first line of some of Excel's files, which names the delimiter. */
const NAMED_DELIMITER = /^"?sep=([,;\t|])"?(?:\r\n|[\r\n])/i;

/** Lines that decide about the delimiter. */
const LINES_READ = 1000;

/**
 * Brings a CSV file into the form that services read: commas between columns, UTF-8 without a byte
 * order mark. A file that has this form stays as it is. Throws an `ApiError` that says what is
 * wrong if the file cannot be read for certain.
 *
 * @returns the content, and whether its encoding is a guess
 */
export function toServiceCsv(
	bytes: Buffer,
	fileName: string,
	choice: EncodingChoice = {},
): { content: Buffer; isGuess: boolean } {
	const file = `the file ${quoted(fileName)}`;
	const { text, isGuess } = decodeText(bytes, file, choice);
	const lost = text.indexOf('\uFFFD');
	if (lost !== -1)
		throw refusedError(
			`Line ${lineAt(text, lost)} of ${file} contains \uFFFD: another program lost a letter.`,
			'Export the file again from its source.',
		);
	const [line = '', named] = NAMED_DELIMITER.exec(text) ?? [];
	const table = text.slice(line.length);
	const converted = withCommas(table, named ?? findDelimiter(table, file), file);
	return { content: Buffer.from(converted), isGuess };
}

/** A cell with the delimiter or line break after it, which is empty at the end of the text. */
interface Cell {
	value: string;
	end: string;
	/** Where a quoted cell begins that does not end. */
	openAt?: number;
}

/**
 * Reads the cells of a text in CSV. Quoted cells can contain delimiters, quotes and line breaks.
 */
function* readCells(text: string, delimiters: string): Generator<Cell> {
	const ends = new RegExp(`\r\n|[\r\n${delimiters}]`, 'g');
	for (let start = 0; start < text.length; ) {
		let quotedPart = '';
		let from = start;
		if (text[start] === '"') {
			const close = findClosingQuote(text, start);
			if (close === -1) {
				yield { value: text.slice(start), end: '', openAt: start };
				return;
			}
			const inQuotes = text.slice(start + 1, close);
			quotedPart = inQuotes.replaceAll('""', '"');
			from = close + 1;
		}
		ends.lastIndex = from;
		const { index = text.length, 0: end = '' } = ends.exec(text) ?? {};
		const rest = text.slice(from, index);
		yield { value: quotedPart + rest, end };
		start = index + end.length;
	}
}

/** The position of the quote that closes a cell; -1 if there is none. */
function findClosingQuote(text: string, start: number) {
	let at = text.indexOf('"', start + 1);
	while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
	return at;
}

/**
 * Returns a text in CSV with commas and usual line ends; one that has them stays as it is. Throws an
 * `ApiError` for a quotation mark that is not closed.
 */
function withCommas(text: string, delimiter: string, file: string) {
	const parts: string[] = [];
	for (const { value, end, openAt } of readCells(text, delimiter)) {
		if (openAt !== undefined)
			throw refusedError(
				`In line ${lineAt(text, openAt)} of ${file}, a quotation mark is not closed.`,
				'Close it, or double it if it is part of the text.',
			);
		const isLineEnd = end !== '' && end !== delimiter;
		parts.push(quoteCell(value), end === delimiter ? ',' : '', isLineEnd ? '\r\n' : '');
	}
	// Not every service reads those.
	const hasLineEndsOfOldMac = /\r(?!\n)/.test(text);
	if (delimiter === ',' && !hasLineEndsOfOldMac) return text;
	return parts.join('');
}

/**
 * Returns the cells of a column of a CSV file with commas below its header, with the numbers of
 * their rows.
 */
export function* readColumn(text: string, header: string): Generator<[row: number, cell: string]> {
	let [row, column, found] = [1, 0, -1];
	for (const { value, end } of readCells(text, ',')) {
		if (found === column) yield [row, value];
		if (found === -1 && value.trim() === header) found = column;
		column++;
		if (end !== ',') [row, column] = [row + 1, 0];
	}
}

/** A cell of a CSV file; values such as `+49151…` or `007` stay as they are. */
export function quoteCell(cell: string): string {
	if (!/[",\r\n]|^\s|\s$/.test(cell)) return cell;
	return `"${cell.replaceAll('"', '""')}"`;
}

/**
 * Finds what separates columns: the delimiter in the header that most lines have as often as the
 * header. Throws an `ApiError` if there are several of that kind, or if the file would be taken as
 * one column by mistake.
 */
function findDelimiter(text: string, file: string): string {
	const [header = {}, ...rows] = countDelimiters(text);
	const inHeader = DELIMITERS.filter((delimiter) => header[delimiter]);
	const linesAlike = inHeader.map((delimiter) => {
		const alike = rows.filter((row) => row[delimiter] === header[delimiter]);
		return alike.length;
	});
	const most = Math.max(...linesAlike);
	const [best = ',', other] = inHeader.filter((_, index) => linesAlike[index] === most);
	if (other !== undefined) {
		const both = `${describeDelimiter(best)} or ${describeDelimiter(other)}`;
		throw refusedError(
			`The columns of ${file} could be separated by ${both}.`,
			'Put texts that contain one of them in quotation marks, or export the file with commas.',
		);
	}
	if (inHeader.length === 0) refuseIfSeveralColumns(text, rows, file);
	return best;
}

const describeDelimiter = (delimiter: string) => (delimiter === '\t' ? 'tabs' : delimiter);

/** Counts the delimiters in the first lines that are not empty. */
function countDelimiters(text: string) {
	const lines: Array<Record<string, number>> = [];
	let line: Record<string, number> = {};
	let isEmpty = true;
	for (const { value, end } of readCells(text, DELIMITERS.join(''))) {
		isEmpty &&= value.trim() === '';
		if (DELIMITERS.some((delimiter) => delimiter === end)) {
			line[end] = (line[end] ?? 0) + 1;
			continue;
		}
		if (!isEmpty && lines.push(line) === LINES_READ) break;
		line = {};
		isEmpty = true;
	}
	return lines;
}

/** Throws an `ApiError` if a file has several columns, although its header has no delimiter. */
function refuseIfSeveralColumns(text: string, rows: Array<Record<string, number>>, file: string) {
	const isInRows = (delimiter: string) => rows.every((row) => row[delimiter]);
	if (rows.length > 0 && DELIMITERS.some(isInRows))
		throw refusedError(
			`The first line of ${file} has one column, but the other lines have more.`,
			'Begin the file with the names of the columns.',
		);
	const lines = text.split(/[\r\n]+/, LINES_READ);
	const [header = '', ...others] = lines.filter((line) => line.trim() !== '');
	const splitsAllAlike = (delimiter: string) => {
		if (!header.includes(delimiter)) return false;
		const parts = header.split(delimiter).length;
		return others.every((line) => line.split(delimiter).length === parts);
	};
	if (OTHER_DELIMITERS.some(splitsAllAlike))
		throw refusedError(
			`The columns of ${file} are not separated by commas.`,
			'Export it with commas, semicolons or tabs between columns.',
		);
}
