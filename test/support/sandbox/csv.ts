/** The cells of a text in CSV, by lines; quoted cells may hold commas, quotes and line breaks. */
function cellsOf(text: string): string[][] {
	const lines: string[][] = [[]];
	const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n|\n|\r|$)/y;
	while (cell.lastIndex < text.length) {
		const match = cell.exec(text);
		// A quote that is not closed: the rest is one cell.
		if (!match) break;
		const [, raw, end] = match;
		lines[lines.length - 1].push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
		if (end === '') break;
		if (end !== ',') lines.push([]);
		else if (cell.lastIndex === text.length) lines[lines.length - 1].push('');
	}
	return lines;
}

/** The most characters that a cell keeps. */
const longestCell = 1000;

/** Columns and rows of a CSV file: the first line has the names; cells are trimmed, empty lines left out. */
export function parseCsv(text: string): { columns: string[]; rows: Array<Record<string, string>> } {
	const lines = cellsOf(text.replace(/^\uFEFF/, ''))
		.map((cells) => cells.map((cell) => cell.trim().slice(0, longestCell)))
		.filter((cells) => cells.some((cell) => cell !== ''));
	const [columns = [], ...rows] = lines;
	return {
		columns,
		rows: rows.map((cells) =>
			Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
		),
	};
}
