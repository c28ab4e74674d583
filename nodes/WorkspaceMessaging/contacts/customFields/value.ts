import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { rejected, sentence, type ApiError } from '../../transport/errors/ApiError';
import { holdsN8nFile } from '../../transport/guards';
import { rules } from '../../contract/limits';
import { email, phoneNumber } from '../../contract/values';
import type { AnyItem } from '../../run/item';
import { trimmed } from '../../values/phoneNumber';
import type { CustomFieldDefinition } from './definitions';
import { readMoment, readTime } from '../../values/dates';

const YES = ['true', 'yes', '1'];
const NO = ['false', 'no', '0'];
const NUMBER_FORM = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Digits that a JS number holds exactly. */
const EXACT_DIGITS = 15;

/**
 * Returns an item's value as the text that the API stores for a field of this type.
 *
 * Numbers: digits; dates: `2026-01-31`; dates with time: ISO 8601; yes/no: `true` or `false`; email
 * and phone number: as for a contact (part 4.1); text: as it is. It also takes date objects of n8n
 * and of JavaScript. A time without an offset is in the time zone of the workflow; a day without a
 * time means its midnight there, and so does the day of a date object. Throws an `ApiError` that
 * names the field, the rule and the value. For a number or date in a local format it also shows the
 * expression that converts it.
 */
export function storedForm(
	item: AnyItem,
	{ name, type }: CustomFieldDefinition,
	value: unknown,
): string {
	const label = `Custom field ${name}`;
	checkValue(label, value);
	const zone = item.run.context.getTimezone();
	const isDay = value instanceof Date && type === 'date';
	const text = isDay ? getDayIn(value, zone) : valueToText(value);
	const mustBe = (rule: string, expression?: string) => notStorable(label, text, rule, expression);
	switch (type) {
		case 'number':
			if (!NUMBER_FORM.test(text.trim()))
				throw mustBe('a number, such as 1234.5', numberExpression(text));
			return text.trim();
		case 'boolean': {
			const answer = readYesOrNo(text);
			if (!answer) throw mustBe('yes or no (true or false)');
			return answer;
		}
		case 'date': {
			const date = readTime(text);
			if (!date) throw mustBe('a date, such as 2026-01-31', dateExpression(text, 'toISODate'));
			return date.day;
		}
		case 'datetime': {
			const moment = readMoment(text, zone);
			if (moment === undefined)
				throw mustBe(
					'a date with time, such as 2026-01-31T09:30:00Z',
					dateExpression(text, 'toISO'),
				);
			return new Date(moment).toISOString();
		}
		case 'email':
			if (!email.safeParse(trimmed(text)).success) throw mustBe('a valid email address');
			return trimmed(text);
		case 'phoneNumber': {
			const number = readPhoneNumber(item, text, label);
			if (!phoneNumber.safeParse(number).success) throw mustBe(rules.phoneNumber);
			return number;
		}
		default:
			return text;
	}
}

/**
 * Returns the error for a text that breaks the rule of its field, with the expression that converts
 * it, if there is one.
 */
function notStorable(label: string, text: string, rule: string, expression?: string): ApiError {
	const advice =
		expression && `Convert it with {{ ${expression} }} (replace "value" with your column name).`;
	return rejected(`${label} must be ${rule}, but is "${text}".`, advice);
}

/** Throws if no custom field can hold a value. */
function checkValue(label: string, value: unknown): void {
	if (holdsN8nFile(value)) throw rejected(`${label} can't hold binary data.`);
	if (isInvalidDate(value))
		throw rejected(
			`${label} can't hold an invalid date.`,
			"Its expression turns a text into a date that does not exist. Convert the text with DateTime.fromFormat, such as {{ DateTime.fromFormat($json.value, 'dd.MM.yyyy') }}.",
		);
}

function readPhoneNumber(item: AnyItem, text: string, label: string): string {
	try {
		return item.readPhoneNumber(text, label);
	} catch (error) {
		throw rejected(sentence((error as Error).message));
	}
}

/**
 * Whether a value that the service shows means the same as a value in its stored form; the service
 * may write it in another form. False if in doubt: n8n then writes the value.
 */
export function isStored({ type }: CustomFieldDefinition, shown: unknown, stored: string): boolean {
	if (shown === undefined || shown === null) return false;
	const text = valueToText(shown);
	if (text === stored) return true;
	switch (type) {
		case 'number':
			return isExact(text) && isExact(stored) && Number(text) === Number(stored);
		case 'boolean':
			return readYesOrNo(text) === stored;
		case 'date':
		case 'datetime': {
			// Only the service knows the time zone of a time without an offset.
			const date = readTime(text);
			return date?.hasOffset === true && date.utc === readTime(stored)?.utc;
		}
		default:
			return false;
	}
}

/**
 * Whether a value is a date that was made from a text that is not a date; n8n returns its own dates
 * as text.
 */
function isInvalidDate(value: unknown): boolean {
	return (
		(value instanceof Date || typeof value === 'string') &&
		/^Invalid Date(Time)?$/.test(String(value))
	);
}

function valueToText(value: unknown): string {
	if (value instanceof Date) return value.toISOString();
	if (typeof value !== 'object' || value === null) return String(value);
	// Dates of n8n's expressions.
	if ('toISO' in value && typeof value.toISO === 'function') return String(value.toISO());
	return JSON.stringify(value);
}

function readYesOrNo(text: string): string | undefined {
	const word = text.trim().toLowerCase();
	if (YES.includes(word)) return 'true';
	if (NO.includes(word)) return 'false';
	return undefined;
}

function isExact(text: string): boolean {
	return NUMBER_FORM.test(text) && text.replace(/\D/g, '').length <= EXACT_DIGITS;
}

/** Returns the calendar day of a moment in a time zone, such as `2026-01-31`. */
function getDayIn(date: Date, zone: string): string {
	return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(date);
}

/**
 * Returns the custom field values in a contact's record, by the fields' IDs; undefined if the
 * record does not show them.
 */
export function customFieldsById(contact: { contactCustomFields?: unknown }) {
	const { contactCustomFields: values } = contact;
	if (!Array.isArray(values)) return undefined;
	return new Map(values.map((entry: IDataObject) => [String(entry.customFieldId), entry]));
}

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
function dateExpression(text: string, method: 'toISODate' | 'toISO'): string | undefined {
	const [match, separator, gap, seconds, half] = LOCAL_DATE.exec(text.trim()) ?? [];
	if (match === undefined) return undefined;
	let time = '';
	if (gap !== undefined) {
		const hour = half ? 'h' : 'H';
		const second = seconds ? ':ss' : '';
		// `a` stands for AM and PM; the blank before them stays.
		const marker = half?.replace(/\S+/, 'a') ?? '';
		time = `${gap}${hour}:mm${second}${marker}`;
	}
	const formats = DATE_ORDERS.map((order) => `${order.join(separator)}${time}`);
	const format = formats.find((each) => DateTime.fromFormat(match, each).isValid);
	if (!format) return undefined;
	return `DateTime.fromFormat($json.value, '${format}').${method}()`;
}

/**
 * Returns the expression that converts a number in a local format, such as `1.234,5` or `1,234.5`;
 * undefined if the text is not such a number. A single comma is the decimal comma.
 */
function numberExpression(text: string): string | undefined {
	if (DECIMAL_COMMA.test(text.trim()))
		return "Number($json.value.replace(/[.\\s]/g, '').replace(',', '.'))";
	if (THOUSANDS.test(text.trim())) return "Number($json.value.replace(/[^\\d.+-]/g, ''))";
	return undefined;
}
