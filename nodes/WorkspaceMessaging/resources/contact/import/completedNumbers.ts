import type { Item } from '../../../run/item';
import type { FormFile } from '../../../transport/multipart';
import { counted, itemRanges } from '../../../values/labels';
import { isCompletedWrongly } from '../../../values/phone/phoneNumber';
import { getImportCountryCode } from './countryCode';
import { readColumn } from './csvText';

/**
 * Hints at the phone numbers of a CSV file that the service may make other numbers of: it puts the
 * Default Country Code before all that have no +, also if they lack a digit, or have a country code.
 *
 * @param column the header of the phone numbers, if there are any
 */
export function hintAtCompletedNumbers(item: Item, file: FormFile, column?: string): void {
	const code = getImportCountryCode(item);
	if (!code || column === undefined || file.mimeType !== 'text/csv') return;
	const csv = file.content.toString();
	const rows: number[] = [];
	for (const [row, number] of readColumn(csv, column)) {
		if (isCompletedWrongly(number, code)) rows.push(row);
	}
	if (rows.length === 0) return;
	const isOne = rows.length === 1;
	const where = `${isOne ? 'row' : 'rows'} ${itemRanges(rows)}`;
	item.hint(
		`The service puts ${code} before ${counted(rows.length, 'phone number')} of the file, which may be wrong then (${where}). Check ${isOne ? 'it' : 'them'}.`,
		{ key: 'completedNumbers', summary: '{count} files have phone numbers to check.' },
	);
}
