/** Day, month and year in some order, perhaps with a time behind them. */
const DATE = /^(\d{1,4})([./-])(\d{1,2})\2(\d{4}|\d{1,2})(?:(,? )(\d{1,2}:\d{2})(:\d{2})?( ?[AP]M)?)?$/i;
/** A number with a decimal comma, and perhaps with dots or blanks between thousands. */
const DECIMAL_COMMA = /^[+-]?\d+(?:[.\s]\d{3})*,\d+$/;
/** A number with commas, blanks or apostrophes between thousands. */
const THOUSANDS = /^[+-]?\d{1,3}(?:[,\s'’]\d{3})+(?:\.\d+)?$/;

/**
 * The expression of n8n that makes a date of one as people write it in their country, such as `31.01.2026` or `1/31/2026`.
 * Where both day and month could come first, it is the day.
 *
 * @param method the one of n8n's dates that writes it in the form that is wanted
 * @returns undefined when the text is no date that can be told
 */
export function dateExpression(text: string, method: 'toISODate' | 'toISO'): string | undefined {
	const [match, first, separator, second, third, gap = '', time, seconds, half] =
		DATE.exec(text.trim()) ?? [];
	if (match === undefined) return undefined;
	const order = orderOf(first, second, third);
	if (order === undefined) return undefined;
	const clock = time === undefined ? '' : `${half ? 'h:mm' : 'H:mm'}${seconds ? ':ss' : ''}`;
	const marker = half === undefined ? '' : half.startsWith(' ') ? ' a' : 'a';
	const format = `${order.join(separator)}${gap}${clock}${marker}`;
	return `DateTime.fromFormat($json.value, '${format}').${method}()`;
}

/** What the three numbers of a date are, as formats of n8n's dates name them. */
function orderOf(first: string, second: string, third: string): string[] | undefined {
	if (first.length > 2) return isDate(third, second, first) ? ['yyyy', 'M', 'd'] : undefined;
	const year = third.length > 2 ? 'yyyy' : 'yy';
	if (isDate(first, second, third)) return ['d', 'M', year];
	return isDate(second, first, third) ? ['M', 'd', year] : undefined;
}

/** Whether there is such a day; of a year in two digits it is that of this century. */
function isDate(day: string, month: string, year: string): boolean {
	const time = new Date(
		Date.UTC(Number(year) + (year.length > 2 ? 0 : 2000), Number(month) - 1, Number(day)),
	);
	return time.getUTCMonth() === Number(month) - 1 && time.getUTCDate() === Number(day);
}

/**
 * The expression of n8n that makes a number of one as people write it in their country, such as `1.234,5` or `1,234.5`.
 * Of one comma it is not known which of the two it is: then it is the decimal one.
 *
 * @returns undefined when the text is no such number
 */
export function numberExpression(text: string): string | undefined {
	if (DECIMAL_COMMA.test(text.trim())) return "Number($json.value.replace(/[.\\s]/g, '').replace(',', '.'))";
	return THOUSANDS.test(text.trim()) ? "Number($json.value.replace(/[^\\d.+-]/g, ''))" : undefined;
}
