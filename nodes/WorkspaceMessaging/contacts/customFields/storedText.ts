import { DateTime } from 'luxon';
import { refusedError, type ApiError } from '../../transport/errors/ApiError';
import { endSentence } from '../../transport/errors/sentences';
import { holdsN8nFile } from '../../transport/guards';
import { rules } from '../../contract/limits';
import { email, phoneNumber } from '../../contract/values';
import type { AnyItem } from '../../run/item';
import { readEmail } from '../../values/trimText';
import { refuseWhatsAppAddress } from '../../values/phone/whatsappAddress';
import { readDay, readMoment, readTime } from '../../values/dates';
import type { CustomFieldDefinition } from './definitions';

/* Values of custom fields as the API stores them: as text, in one form for each type of field. */

const YES = ['true', 'yes', '1'];
const NO = ['false', 'no', '0'];
const NUMBER_FORM = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** Digits that a JS number holds exactly. */
const EXACT_DIGITS = 15;

/** What a text must be for a field of a type; fields of the other types take any text. */
interface TypeRule {
	rule: string;
	/** Returns the expression that converts a text in a local format. */
	findExpression?: (text: string) => string | undefined;
}

const typeRules: Record<string, TypeRule> = {
	number: { rule: 'a number, such as 1234.5', findExpression: numberExpression },
	boolean: { rule: 'yes or no (true or false)' },
	date: {
		rule: 'a date, such as 2026-01-31',
		findExpression: (text) => dateExpression(text, 'toISODate'),
	},
	datetime: {
		rule: 'a date with time, such as 2026-01-31T09:30:00Z',
		findExpression: (text) => dateExpression(text, 'toISO'),
	},
	email: { rule: 'a valid email address' },
	phoneNumber: { rule: rules.phoneNumber },
};

/**
 * Returns an item's value as the text that the API stores for a field of this type.
 *
 * Numbers: digits; dates: `2026-01-31`; dates with time: ISO 8601; yes/no: `true` or `false`; email
 * and phone number: as for a contact (part 4.1); text: as it is. It also takes date objects of n8n
 * and of JavaScript. A time without an offset is in the time zone of the workflow, a day without a
 * time means its midnight there, and a moment in UTC is on the day that it has there; see `readDay`.
 * Throws an `ApiError` that names the field, the rule and the value. For a number or date in a local
 * format it also shows the expression that converts it.
 */
export function toStoredText(
	item: AnyItem,
	{ name, type }: CustomFieldDefinition,
	value: unknown,
): string {
	const label = `Custom field ${name}`;
	refuseFilesAndInvalidDates(label, value);
	const inexact = item.findInexactProblem(value);
	if (inexact) throw refusedError(endSentence(`${label} ${inexact}`));
	const text = valueToText(value);
	const stored = toStoredForm(item, type, text, label);
	if (stored === undefined) throw ruleError(label, type, text);
	return stored;
}

/**
 * Returns a text in the form of a type of custom field; undefined if it breaks the rule of the type.
 * Throws an `ApiError` for a phone number that cannot be sent, and an email that is none but an
 * address of WhatsApp.
 *
 * @param label what an error calls the text
 */
export function toStoredForm(
	item: AnyItem,
	type: string,
	text: string,
	label: string,
): string | undefined {
	switch (type) {
		case 'number': {
			const number = text.trim();
			return NUMBER_FORM.test(number) ? number : undefined;
		}
		case 'boolean':
			return readYesOrNo(text);
		case 'date':
			return readDay(text, item.run.context.getTimezone());
		case 'datetime': {
			const timezone = item.run.context.getTimezone();
			const moment = readMoment(text, timezone);
			return moment === undefined ? undefined : new Date(moment).toISOString();
		}
		case 'email': {
			const address = readEmail(text);
			orReject(() => refuseWhatsAppAddress(address, label));
			return email.safeParse(address).data;
		}
		case 'phoneNumber': {
			const number = orReject(() => item.readPhoneNumber(text, label));
			return phoneNumber.safeParse(number).data;
		}
		default:
			return text;
	}
}

/**
 * Returns the error for a text that breaks the rule of a type, with the expression that converts
 * it, if there is one.
 */
function ruleError(label: string, type: string, text: string): ApiError {
	const { rule, findExpression } = typeRules[type];
	const expression = findExpression?.(text);
	const advice =
		expression && `Convert it with {{ ${expression} }} (replace "value" with your column name).`;
	return refusedError(`${label} must be ${rule}, but is "${text}".`, advice);
}

/** Throws if no custom field can hold a value. */
function refuseFilesAndInvalidDates(label: string, value: unknown): void {
	if (holdsN8nFile(value)) throw refusedError(`${label} can't hold binary data.`);
	if (isInvalidDate(value))
		throw refusedError(
			`${label} can't hold an invalid date.`,
			"Its expression turns a text into a date that does not exist. Convert the text with DateTime.fromFormat, such as {{ DateTime.fromFormat($json.value, 'dd.MM.yyyy') }}.",
		);
}

/** Reads a value; an error becomes an `ApiError`. */
function orReject<Value>(read: () => Value): Value {
	try {
		return read();
	} catch (error) {
		throw refusedError(endSentence((error as Error).message));
	}
}

/**
 * Whether a value that the service shows means the same as a stored text; the service may write it
 * in another form. False if in doubt: n8n then writes the value.
 */
export function isSameAsStoredText(
	{ type }: CustomFieldDefinition,
	shown: unknown,
	stored: string,
): boolean {
	if (shown === undefined || shown === null) return false;
	const text = valueToText(shown);
	if (text === stored) return true;
	switch (type) {
		case 'number':
			if (!isExact(text) || !isExact(stored)) return false;
			return Number(text) === Number(stored);
		case 'boolean':
			return readYesOrNo(text) === stored;
		case 'date':
		case 'datetime': {
			// Only the service knows the time zone of a time without an offset.
			const date = readTime(text);
			if (date?.hasOffset !== true) return false;
			return date.utc === readTime(stored)?.utc;
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
	if (!(value instanceof Date) && typeof value !== 'string') return false;
	return /^Invalid Date(Time)?$/.test(String(value));
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
	const match = LOCAL_DATE.exec(text.trim());
	if (!match) return undefined;
	const [date, separator, ...timeParts] = match;
	const time = getTimeFormat(timeParts);
	const formats = DATE_ORDERS.map((order) => order.join(separator) + time);
	const format = formats.find((each) => {
		const moment = DateTime.fromFormat(date, each);
		return moment.isValid;
	});
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
function numberExpression(text: string): string | undefined {
	const number = text.trim();
	if (DECIMAL_COMMA.test(number))
		return "Number($json.value.replace(/[.\\s]/g, '').replace(',', '.'))";
	if (THOUSANDS.test(number)) return "Number($json.value.replace(/[^\\d.+-]/g, ''))";
	return undefined;
}
