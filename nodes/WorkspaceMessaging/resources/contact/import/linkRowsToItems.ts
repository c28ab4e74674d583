import type { IDataObject } from 'n8n-workflow';
import type { Item } from '../../../run/item';
import { isExisting } from './failedRows';
import { getValues, type Table } from './itemsToCsv';

/**
 * Adds the item and its values to rows that were not imported, if it is certain which rows they are. The API does
 * not say how it counts rows: a number beyond the last row proves that the header is row 1, unless
 * the service could also count the lines of a cell.
 */
export function linkRowsToItems(item: Item, listed: IDataObject[], { rows }: Table): IDataObject[] {
	if (listed.length === 0) return listed;
	if (!isHeaderCounted(listed, rows)) {
		if (!listed.every(isExisting)) item.hint("Row numbers in errorSample are the service's own.");
		return listed;
	}
	return listed.map((entry) => {
		const row = rows[Number(entry.row) - 2];
		if (!row) return entry;
		return { ...entry, item: row.item, values: getValues(row) };
	});
}

/** Whether it is certain that the service counts the header as row 1. */
function isHeaderCounted(listed: IDataObject[], rows: Table['rows']): boolean {
	const texts = rows.flatMap((row) => Object.values(getValues(row)));
	const hasLineBreak = texts.some((text) => /[\r\n]/.test(text));
	return !hasLineBreak && listed.some(({ row }) => row === rows.length + 1);
}
