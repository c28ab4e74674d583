/**
 * A table as CSV: the names of the columns in the first line, then a line for each row, with CRLF behind each. A cell with a
 * comma, a quote, a line break, or a blank at an end is quoted; every other one is written as it is, such as `+49151…` or `007`.
 */
export function toCsv(columns: string[], rows: string[][]): string {
	return [columns, ...rows].map((cells) => `${cells.map(quotedIfNeeded).join(',')}\r\n`).join('');
}

function quotedIfNeeded(cell: string): string {
	return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
