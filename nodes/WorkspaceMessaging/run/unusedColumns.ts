import { isObject } from '../transport/guards';
import { isEmptyCell } from '../values/blankText';
import { hasExpression } from '../values/expressions/expression';
import { joinNames } from '../values/names';
import type { AnyItem } from './item';
import { oncePerRun, type Run } from './run';

/* The columns that an automatic mapping leaves out. A hint names them, once a run. */

/** The columns that the mapping has used for any item of the run. */
const usedColumns = oncePerRun((item: AnyItem, done: string) => {
	const used = new Set<string>();
	item.hint(() => describeUnused(findUnused(item.run, used), done));
	return used;
});

/**
 * Notes which columns of an item an automatic mapping has used. When the run has ended, a hint names
 * those with a value that it has used for no item, if it has used others.
 *
 * @param done what happens to the values of used columns, such as `saved`
 */
export function noteUsedColumns(item: AnyItem, columns: Iterable<string>, done: string): void {
	const used = usedColumns(item, done);
	for (const column of columns) used.add(column);
}

/** Says which columns were not used: `Not saved: column Plan.` An empty text if there are none. */
export function describeUnused(columns: string[], done: string): string {
	if (columns.length === 0) return '';
	return `Not ${done}: ${columns.length === 1 ? 'column' : 'columns'} ${joinNames(columns)}.`;
}

function findUnused(run: Run, used: ReadonlySet<string>): string[] {
	if (used.size === 0) return [];
	const expressions = findExpressions(run.entered).join(' ');
	const columns = [...findFilledColumns(run)];
	return columns.filter((column) => !used.has(column) && !isMentioned(column, expressions));
}

/** The columns in which at least one item has a value. */
function findFilledColumns({ items }: Run): Set<string> {
	const columns = new Set<string>();
	for (const { input } of items) {
		for (const [column, value] of Object.entries(input.json)) {
			if (!isEmptyCell(value)) columns.add(column);
		}
	}
	return columns;
}

/** Returns the expressions in parameters, also in those inside collections. */
function findExpressions(value: unknown): string[] {
	if (hasExpression(value) && typeof value === 'string') return [value];
	return isObject(value) || Array.isArray(value)
		? Object.values(value).flatMap(findExpressions)
		: [];
}

/** Whether an expression reads a column: `$json.plan`, `$json["Plan A"]`. */
function isMentioned(column: string, expressions: string): boolean {
	const name = column.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
	return new RegExp(`(?:\\.|\\[\\s*["'\`])${name}(?![\\p{L}\\p{N}_$])`, 'u').test(expressions);
}
