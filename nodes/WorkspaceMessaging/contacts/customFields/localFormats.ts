import { DateTime } from 'luxon';

/* Dates and numbers as people write them in their countries, and the expressions that convert them. */

/** A way to read a text in a local format. */
interface Reading {
	/** What makes it the right one, after "if". */
	condition: string;
	/** The expression that converts the text; "value" stands for its column. */
	expression: string;
}

/**
 * Says how to convert a date or a number in a local format, such as `31.01.2026` or `1.234,5`;
 * returns undefined for any other text. For one with two readings, such as `01/02/2026` or `1,234`,
 * it says which expression is for which.
 *
 * @param type of a custom field
 */
export function adviseConversion(type: string, text: string): string | undefined {
	const [one, other] = findReadings(type, text.trim());
	if (!one) return undefined;
	if (!other)
		return `Convert it with {{ ${one.expression} }} (replace "value" with your column name).`;
	const advice = [one, other].map(
		({ condition, expression }) => `If ${condition}, convert it with {{ ${expression} }}.`,
	);
	return `${advice.join(' ')} Replace "value" with your column name.`;
}

/** Returns the ways to read a text, at most two. */
function findReadings(type: string, text: string) {
	if (type === 'number') return NUMBER_FORMS.filter(({ form }) => form.test(text));
	if (type === 'date') return readDate(text, 'toISODate');
	return type === 'datetime' ? readDate(text, 'toISO') : [];
}

/** Day, month and year in some order, perhaps with a time after them. */
const LOCAL_DATE =
	/^(\d{1,4})([./-])\d{1,2}\2(\d{1,4})(?:(,? )\d{1,2}:\d{2}(:\d{2})?( ?[AP]M)?)?$/i;

/** @param method of n8n's dates; it writes the date in the form that the API takes */
function readDate(text: string, method: 'toISODate' | 'toISO') {
	const match = LOCAL_DATE.exec(text);
	if (!match) return [];
	const [, start, separator, end, ...timeParts] = match;
	const year = end.length === 4 ? 'yyyy' : 'yy';
	const [dayFirst, monthFirst] = [
		['d', 'M', year],
		['M', 'd', year],
	];
	let orders = [dayFirst, monthFirst];
	// With dots, the day always comes first.
	if (separator === '.') orders = [dayFirst];
	if (start.length === 4) orders = [['yyyy', 'M', 'd']];
	const time = getTimeFormat(timeParts);
	const readings: Reading[] = [];
	for (const order of orders) {
		const format = order.join(separator) + time;
		if (!DateTime.fromFormat(text, format).isValid) continue;
		readings.push({
			condition: `the ${order === dayFirst ? 'day' : 'month'} comes first`,
			expression: `DateTime.fromFormat($json.value, '${format}').${method}()`,
		});
	}
	return readings;
}

/** Returns the format of the time that comes after a date; empty if there is none. */
function getTimeFormat([gap, seconds, half]: Array<string | undefined>) {
	if (gap === undefined) return '';
	const hour = half ? 'h' : 'H';
	const second = seconds ? ':ss' : '';
	// `a` stands for AM and PM; the blank before them stays.
	const marker = half?.replace(/\S+/, 'a') ?? '';
	return `${gap}${hour}:mm${second}${marker}`;
}

/** The ways to write a number. */
const NUMBER_FORMS = [
	{
		// A decimal comma, and perhaps dots or blanks between thousands.
		form: /^[+-]?\d+(?:[.\s]\d{3})*,\d+$/,
		condition: 'the comma begins the decimals',
		expression: "Number($json.value.replace(/[.\\s]/g, '').replace(',', '.'))",
	},
	{
		// Commas, blanks or apostrophes between thousands.
		form: /^[+-]?[1-9]\d{0,2}(?:(?:,\d{3})+|(?:[\s'’]\d{3})+)(?:\.\d+)?$/,
		condition: 'the comma separates thousands',
		expression: "Number($json.value.replace(/[^\\d.+-]/g, ''))",
	},
];
