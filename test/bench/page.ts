import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

/** A row of a table, by the titles of its columns. */
export type Row = Record<string, string | number>;

const folder = path.resolve(__dirname, '../../docs/internals');
const page = path.join(folder, 'measurements.md');

/** Where docs/internals/measurements.md expects its plot. */
export const PLOT_FILE = path.join(folder, 'measurements.svg');

/** Returns rows as a table of Markdown. */
export function toTable(rows: Row[]): string {
	const columns = Object.keys(rows[0]);
	const line = (cells: Array<string | number>) => `| ${cells.join(' | ')} |`;
	return [
		line(columns),
		line(columns.map(() => '---')),
		...rows.map((row) => line(columns.map((column) => row[column]))),
	].join('\n');
}

/** Replaces the table below its bold title on that page; the texts around it stay. */
export async function writeTable(title: string, rows: Row[]) {
	const text = await readFile(page, 'utf8');
	const heading = `**${title}**\n\n`;
	const start = text.indexOf(heading);
	if (start === -1) throw new Error(`docs/internals/measurements.md has no table "${title}"`);
	const end = start + heading.length;
	const rest = text.slice(end).replace(/^(\|.*\n)*/, '');
	const changed = `${text.slice(0, end)}${toTable(rows)}\n${rest}`;
	const options = await resolveConfig(page);
	await writeFile(page, await format(changed, { ...options, parser: 'markdown' }));
}
