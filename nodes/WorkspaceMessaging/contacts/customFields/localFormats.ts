import { DateTime } from 'luxon';

/* The expressions of n8n that convert dates and numbers in local formats, for errors. */

/** Day, month and year in some order, perhaps with a time after them. */
const LOCAL_DATE = /^\d{1,4}([./-])\d{1,2}\1\d{1,4}(?:(,? )\d{1,2}:\d{2}(:\d{2})?( ?[AP]M)?)?$/i;
/** The orders of a date. If the day and the month could both come first, the day does. */
const DATE_ORDERS = [
	['yyyy', 'M', 'd'],
	['d', 'M', 'yyyy'],
	['M', 'd', 'yyyy'],
	['d', 'M', 'yy'],
	['M', 'd', 'yy'],
];
/** A number with a decimal comma, and perhaps with dots or blanks between thousands. */
const DECIMAL_COMMA = /^[+-]?\d+(?:[.\s]\d{3})*,\d+$/;
/** A number with commas, blanks or apostrophes between thousands. */
const THOUSANDS = /^[+-]?\d{1,3}(?:[,\s'’]\d{3})+(?:\.\d+)?$/;

/**
 * Returns the expression that converts a date in a local format, such as `31.01.2026` or
 * `1/31/2026`; undefined if the text is not such a date.
 *
 * @param method of n8n's dates; it writes the date in the form that the API takes
 */
export function dateExpression(text: string, method: 'toISODate' | 'toISO'): string | undefined {
	const match = LOCAL_DATE.exec(text.trim());
	if (!match) return undefined;
	const [date, separator, ...timeParts] = match;
	const time = getTimeFormat(timeParts);
	const formats = DATE_ORDERS.map((order) => order.join(separator) + time);
	const format = formats.find((each) => DateTime.fromFormat(date, each).isValid);
	if (!format) return undefined;
	return `DateTime.fromFormat($json.value, '${format}').${method}()`;
}

/** Returns the format of the time that comes after a date; empty if there is none. */
function getTimeFormat([gap, seconds, half]: Array<string | undefined>): string {
	if (gap === undefined) return '';
	const hour = half ? 'h' : 'H';
	const second = seconds ? ':ss' : '';
	// `a` stands for AM and PM; the blank before them stays.
	const marker = half?.replace(/\S+/, 'a') ?? '';
	return `${gap}${hour}:mm${second}${marker}`;
}

/**
 * Returns the expression that converts a number in a local format, such as `1.234,5` or `1,234.5`;
 * undefined if the text is not such a number. A single comma is the decimal comma.
 */
export function numberExpression(text: string): string | undefined {
	if (DECIMAL_COMMA.test(text.trim()))
		return "Number($json.value.replace(/[.\\s]/g, '').replace(',', '.'))";
	if (THOUSANDS.test(text.trim())) return "Number($json.value.replace(/[^\\d.+-]/g, ''))";
	return undefined;
}
