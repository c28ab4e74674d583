/** The cells of a text in CSV, by lines; quoted cells may hold commas, quotes and line breaks. */
function cellsOf(text: string): string[][] {
	const lines: string[][] = [[]];
	const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n|\n|\r|$)/y;
	while (cell.lastIndex < text.length) {
		const match = cell.exec(text);
		// A quote that is not closed: the rest is one cell.
		if (!match) break;
		const [, raw, end] = match;
		lines[lines.length - 1].push(
			raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw,
		);
		if (end === '') break;
		if (end !== ',') lines.push([]);
		else if (cell.lastIndex === text.length) lines[lines.length - 1].push('');
	}
	return lines;
}

/** The most characters that a cell keeps. */
const longestCell = 1000;

/** A file of contacts: what its columns are called, and its rows. */
interface Table {
	columns: string[];
	rows: Array<Record<string, string>>;
}

/**
 * Columns and rows of lines of cells: the first has the names; cells are trimmed, empty lines left
 * out.
 */
export function tableOf(cells: string[][]): Table {
	const lines = cells
		.map((line) => line.map((cell) => cell.trim().slice(0, longestCell)))
		.filter((line) => line.some((cell) => cell !== ''));
	const [columns = [], ...rows] = lines;
	return {
		columns,
		rows: rows.map((line) =>
			Object.fromEntries(columns.map((column, index) => [column, line[index] ?? ''])),
		),
	};
}

/** Columns and rows of a CSV file. */
export const parseCsv = (text: string): Table => tableOf(cellsOf(text.replace(/^\uFEFF/, '')));
