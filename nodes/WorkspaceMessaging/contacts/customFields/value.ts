import type { IDataObject } from 'n8n-workflow';
import { rejected } from '../../transport/errors/errors';
import { holdsN8nFile } from '../../transport/n8nFiles';
import { rules } from '../../contract';
import { email, phoneNumber } from '../../contract/values';
import type { Item } from '../../execution/item';
import { readPhoneNumberAsIs, trimmed } from '../../validation/phoneNumber';
import type { ReadPhoneNumber } from '../../validation/phoneNumber';
import type { CustomFieldDefinition } from './definitions';
import { dateExpression, numberExpression } from './localForms';
import { momentOf, readTime } from '../conditions/localTime';

const YES = ['true', 'yes', '1'];
const NO = ['false', 'no', '0'];
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Digits that a JS number holds exactly. */
const EXACT_DIGITS = 15;

/**
 * Brings a value into the text that the API stores for a field of this type.
 *
 * Numbers: digits; dates: `2026-01-31`; dates with time: ISO 8601; yes/no: `true` or `false`; email and phone number are
 * read and checked like those of a contact (part 4.1); text is taken as it is. Takes n8n's date objects and native ones too.
 * A time without an offset is one in `zone`, the time zone of the workflow, and a day without a time its midnight there;
 * so is the day of a date object.
 * Throws an error that names the field, the rule and the value, and for a number or date as people write them in their
 * country the expression that makes it one.
 */
export function toStored(
	{ name, type }: CustomFieldDefinition,
	value: unknown,
	zone: string,
	readPhoneNumber: ReadPhoneNumber = readPhoneNumberAsIs,
): string {
	if (holdsN8nFile(value)) throw new Error(`Custom field ${name} can't hold binary data`);
	const text = value instanceof Date && type === 'date' ? dayIn(value, zone) : textOf(value);
	const label = `Custom field ${name}`;
	const refuse = (rule: string, expression?: string): never => {
		const advice = expression
			? `. With your column in place of "value", this expression makes it: {{ ${expression} }}`
			: '';
		throw new Error(`${label} must be ${rule}, but is "${text}"${advice}`);
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
			const number = readPhoneNumber(text, label);
			return phoneNumber.safeParse(number).success ? number : refuse(rules.phoneNumber);
		}
		default:
			return text;
	}
}

/**
 * Whether a value that the service shows for a field of this type says the same as one in its stored form, however the
 * service writes it. When in doubt it does not: then the value is written.
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
			// Whose time it would be without an offset, only the service knows.
			const date = readTime(text);
			return date?.hasOffset === true && date.utc === readTime(stored)?.utc;
		}
		default:
			return false;
	}
}

function textOf(value: unknown): string {
	if (value instanceof Date) return value.toISOString();
	if (typeof value !== 'object' || value === null) return String(value);
	// The dates of n8n's expressions (luxon).
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

/** The calendar day of a point in time in a zone, such as `2026-01-31`. */
function dayIn(date: Date, zone: string): string {
	return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(date);
}

/** A value in the form in which the API stores it. Throws an `ApiError` where it cannot be a value of this field. */
export function storedForm(item: Item, field: CustomFieldDefinition, value: unknown): string {
	try {
		return toStored(field, value, item.run.context.getTimezone(), item.readPhoneNumber);
	} catch (error) {
		throw rejected(`${(error as Error).message}.`);
	}
}

/** What a contact shows of its custom field values, by the fields' IDs; undefined when it does not. */
export function customFieldsById({ contactCustomFields }: IDataObject): Map<string, IDataObject> | undefined {
	if (!Array.isArray(contactCustomFields)) return undefined;
	return new Map((contactCustomFields as IDataObject[]).map((entry) => [String(entry.customFieldId), entry]));
}
