import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { rejected } from '../../transport/errors/ApiError';
import { sentence } from '../../transport/errors/render';
import { holdsN8nFile } from '../../transport/n8nFiles';
import { rules } from '../../contract/limits';
import { email, phoneNumber } from '../../contract/values';
import type { AnyItem } from '../../execution/item';
import { trimmed } from '../../validation/phoneNumber';
import type { CustomFieldDefinition } from './definitions';
import { momentOf, readTime } from '../conditions/dates';

const YES = ['true', 'yes', '1'];
const NO = ['false', 'no', '0'];
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Digits that a JS number holds exactly. */
const EXACT_DIGITS = 15;

/**
 * Returns an item's value as the text that the API stores for a field of this type.
 *
 * Numbers: digits; dates: `2026-01-31`; dates with time: ISO 8601; yes/no: `true` or `false`; email and phone number: as for
 * a contact (part 4.1); text: as it is. It also takes date objects of n8n and of JavaScript. A time without an offset is in
 * the time zone of the workflow; a day without a time means its midnight there, and so does the day of a date object.
 * Throws an `ApiError` that names the field, the rule and the value. For a number or date in a local format it also shows
 * the expression that converts it.
 */
export function storedForm(item: AnyItem, { name, type }: CustomFieldDefinition, value: unknown): string {
	const label = `Custom field ${name}`;
	if (holdsN8nFile(value)) throw rejected(`${label} can't hold binary data.`);
	if (isInvalidDate(value))
		throw rejected(
			`${label} can't hold an invalid date.`,
			"Its expression turns a text into a date that does not exist. Convert the text with DateTime.fromFormat, such as {{ DateTime.fromFormat($json.value, 'dd.MM.yyyy') }}.",
		);
	const zone = item.run.context.getTimezone();
	const text = value instanceof Date && type === 'date' ? dayIn(value, zone) : textOf(value);
	const refuse = (rule: string, expression?: string): never => {
		const advice =
			expression && `Convert it with {{ ${expression} }} (replace "value" with your column name).`;
		throw rejected(`${label} must be ${rule}, but is "${text}".`, advice);
	};
	switch (type) {
		case 'number':
			return NUMBER.test(text.trim())
				? text.trim()
				: refuse('a number, such as 1234.5', numberExpression(text));
		case 'boolean':
			return yesOrNo(text) ?? refuse('yes or no (true or false)');
		case 'date':
			return (readTime(text) ?? refuse('a date, such as 2026-01-31', dateExpression(text, 'toISODate'))).day;
		case 'datetime': {
			const moment =
				momentOf(text, zone) ??
				refuse('a date with time, such as 2026-01-31T09:30:00Z', dateExpression(text, 'toISO'));
			return new Date(moment).toISOString();
		}
		case 'email':
			return email.safeParse(trimmed(text)).success ? trimmed(text) : refuse('a valid email address');
		case 'phoneNumber': {
			const number = readPhoneNumber(item, text, label);
			return phoneNumber.safeParse(number).success ? number : refuse(rules.phoneNumber);
		}
		default:
			return text;
	}
}

function readPhoneNumber(item: AnyItem, text: string, label: string): string {
	try {
		return item.readPhoneNumber(text, label);
	} catch (error) {
		throw rejected(sentence((error as Error).message));
	}
}

/**
 * Whether a value that the service shows for a field of this type means the same as one in its stored form, in whatever form
 * the service writes it. If in doubt it does not: n8n then writes the value.
 */
export function isStored({ type }: CustomFieldDefinition, shown: unknown, stored: string): boolean {
	if (shown === undefined || shown === null) return false;
	const text = textOf(shown);
	if (text === stored) return true;
	switch (type) {
		case 'number':
			return isExact(text) && isExact(stored) && Number(text) === Number(stored);
		case 'boolean':
			return yesOrNo(text) === stored;
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

/** Whether a value is a date that was made from a text that is not a date; n8n returns its own dates as text. */
function isInvalidDate(value: unknown): boolean {
	return (value instanceof Date || typeof value === 'string') && /^Invalid Date(Time)?$/.test(String(value));
}

function textOf(value: unknown): string {
	if (value instanceof Date) return value.toISOString();
	if (typeof value !== 'object' || value === null) return String(value);
	// Dates of n8n's expressions.
	if ('toISO' in value && typeof value.toISO === 'function') return String(value.toISO());
	return JSON.stringify(value);
}

function yesOrNo(text: string): string | undefined {
	const word = text.trim().toLowerCase();
	if (YES.includes(word)) return 'true';
	return NO.includes(word) ? 'false' : undefined;
}

function isExact(text: string): boolean {
	return NUMBER.test(text) && text.replace(/\D/g, '').length <= EXACT_DIGITS;
}

/** Returns the calendar day of a moment in a time zone, such as `2026-01-31`. */
function dayIn(date: Date, zone: string): string {
	return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(date);
}

/** Returns the custom field values in a contact's record, by the fields' IDs; undefined if the record does not show them. */
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
 * Returns the expression that converts a date in a local format, such as `31.01.2026` or `1/31/2026`; undefined if the text
 * is not such a date.
 *
 * @param method of n8n's dates; it writes the date in the form that the API takes
 */
function dateExpression(text: string, method: 'toISODate' | 'toISO'): string | undefined {
	const [match, separator, gap, seconds, half] = LOCAL_DATE.exec(text.trim()) ?? [];
	if (match === undefined) return undefined;
	const marker = half === undefined ? '' : half.startsWith(' ') ? ' a' : 'a';
	const time = gap === undefined ? '' : `${gap}${half ? 'h' : 'H'}:mm${seconds ? ':ss' : ''}${marker}`;
	const format = DATE_ORDERS.map((order) => `${order.join(separator)}${time}`).find(
		(each) => DateTime.fromFormat(match, each).isValid,
	);
	return format && `DateTime.fromFormat($json.value, '${format}').${method}()`;
}

/**
 * Returns the expression that converts a number in a local format, such as `1.234,5` or `1,234.5`; undefined if the text is
 * not such a number. A single comma counts as the decimal comma.
 */
function numberExpression(text: string): string | undefined {
	if (DECIMAL_COMMA.test(text.trim())) return "Number($json.value.replace(/[.\\s]/g, '').replace(',', '.'))";
	return THOUSANDS.test(text.trim()) ? "Number($json.value.replace(/[^\\d.+-]/g, ''))" : undefined;
}
