import { refusedError } from '../../transport/errors/ApiError';
import { endSentence } from '../../transport/errors/sentences';
import { rules } from '../../contract/limits';
import { email, phoneNumber } from '../../contract/values';
import type { AnyItem } from '../../run/item';
import { checkValue } from '../../values/checkValue';
import { readCell, readEmail, trimText } from '../../values/blankText';
import { refuseWhatsAppAddress } from '../../values/phone/whatsappAddress';
import { readDay, readMoment, readTime } from '../../values/dates';
import { INVALID_DATE_ADVICE, isInvalidDate } from '../../values/expressions/leftovers';
import type { CustomFieldDefinition } from './definitions';
import { adviseConversion } from './localFormats';

/* Values of custom fields as the API stores them: as text, in one form for each type of field. */

const YES = ['true', 'yes', '1'];
const NO = ['false', 'no', '0'];
const NUMBER_FORM = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** Digits that a JS number holds exactly. */
const EXACT_DIGITS = 15;

/** What a text must be for a field of a type; fields of the other types take any text. */
const typeRules: Record<string, string> = {
	number: 'a number, such as 1234.5',
	boolean: 'yes or no (true or false)',
	date: 'a date, such as 2026-01-31',
	datetime: 'a date with time, such as 2026-01-31T09:30:00Z',
	email: 'a valid email address',
	phoneNumber: rules.phoneNumber,
};

/**
 * Returns an item's value as the text that the API stores for a field of this type.
 *
 * Numbers: digits; dates: `2026-01-31`; dates with time: ISO 8601; yes/no: `true` or `false`; email
 * and phone number: as for a contact (part 4.1); text: as it is, a list as one text. It also takes date objects of n8n
 * and of JavaScript. A time without an offset is in the time zone of the workflow, a day without a
 * time means its midnight there, and a moment in UTC is on the day that it has there; see `readDay`.
 * Throws an `ApiError` that names the field, the rule and the value. For a number or date in a local
 * format it also says how to convert it.
 */
export function toStoredText(
	item: AnyItem,
	{ name, type }: CustomFieldDefinition,
	value: unknown,
): string {
	const label = `Custom field ${name}`;
	orReject(() => checkValue(label, value, { isTrimmed: true, getSources: item.getSources }));
	if (isInvalidDate(value))
		throw refusedError(`${label} can't hold an invalid date.`, INVALID_DATE_ADVICE);
	const text = valueToText(value);
	const stored = toStoredForm(item, type, text, label);
	if (stored === undefined)
		throw refusedError(
			`${label} must be ${typeRules[type]}, but is "${text}".`,
			adviseConversion(type, text),
		);
	orReject(() => checkValue(label, stored));
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
	const trimmed = trimText(text);
	switch (type) {
		case 'number':
			return NUMBER_FORM.test(trimmed) ? trimmed : undefined;
		case 'boolean':
			return readYesOrNo(trimmed);
		case 'date':
			return readDay(trimmed, item.run.timezone);
		case 'datetime': {
			const timezone = item.run.timezone;
			const moment = readMoment(trimmed, timezone);
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

/** Reads a value; an error becomes an `ApiError`. */
function orReject<Value>(read: () => Value) {
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

function valueToText(value: unknown) {
	if (value instanceof Date) return value.toISOString();
	const cell = readCell(value);
	if (typeof cell !== 'object' || cell === null) return String(cell);
	// Dates of n8n's expressions.
	if ('toISO' in cell && typeof cell.toISO === 'function') return String(cell.toISO());
	return JSON.stringify(cell);
}

function readYesOrNo(text: string): string | undefined {
	const word = text.trim().toLowerCase();
	if (YES.includes(word)) return 'true';
	if (NO.includes(word)) return 'false';
	return undefined;
}

function isExact(text: string) {
	return NUMBER_FORM.test(text) && text.replace(/\D/g, '').length <= EXACT_DIGITS;
}
