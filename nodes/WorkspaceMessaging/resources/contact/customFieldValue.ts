import { isN8nFile } from '../../api/n8nFiles';
import { rules } from '../../contract';
import { email, phoneNumber } from '../../contract/values';
import { readPhoneNumberAsIs, trimmed } from '../../validation/phoneNumber';
import type { ReadPhoneNumber } from '../../validation/phoneNumber';
import type { CustomFieldDefinition } from './customFieldDefinitions';
import { dateExpression, numberExpression } from './localForms';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const YES = ['true', 'yes', '1'];
const NO = ['false', 'no', '0'];
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Digits that a JS number holds exactly. */
const EXACT_DIGITS = 15;
/** A day, with or without a time; a time with or without an offset (ISO 8601, with a blank for the T as databases write it). */
const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

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
	if (isN8nFile(value)) throw new Error(`Custom field ${name} must not hold a file of n8n (binary data)`);
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
			return (parseDate(text) ?? refuse('a date, such as 2026-01-31', dateExpression(text, 'toISODate'))).day;
		case 'datetime': {
			const date =
				parseDate(text) ??
				refuse('a date with time, such as 2026-01-31T09:30:00Z', dateExpression(text, 'toISO'));
			return new Date(date.offset === undefined ? timeIn(date.utc, zone) : date.utc).toISOString();
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
			const date = parseDate(text);
			return date?.offset !== undefined && date.utc === parseDate(stored)?.utc;
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

interface ParsedDate {
	/** The calendar day as it is written. */
	day: string;
	/** The point in time; without an offset, the one at which clocks in UTC show it. */
	utc: number;
	offset?: string;
}

/** A date with or without a time; undefined when it is no such text, or no such day or time exists. */
function parseDate(text: string): ParsedDate | undefined {
	const [, day, time = '00:00', offset] = DATE.exec(text.trim()) ?? [];
	if (day === undefined) return undefined;
	const zone = (offset ?? 'Z').replace(
		/^(.\d\d):?(\d\d)?$/,
		(_, hours, minutes = '00') => `${hours}:${minutes}`,
	);
	const utc = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
	// A day that does not exist would be counted on into the next month.
	const exists = !Number.isNaN(utc) && new Date(`${day}T00:00Z`).toISOString().startsWith(day);
	return exists ? { day, utc, offset } : undefined;
}

/** The calendar day of a point in time in a zone, such as `2026-01-31`. */
function dayIn(date: Date, zone: string): string {
	return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(date);
}

/**
 * The point in time at which clocks in a zone show what clocks in UTC show at `utc`. The offset to take off is the one at
 * the point that is looked for, which differs from the first guess where clocks were just changed. What clocks leave out in
 * spring is taken as the same time after the change; of what they show twice in autumn, it is the first.
 */
function timeIn(utc: number, zone: string): number {
	const guesses = [utc - offsetAt(utc - DAY, zone), utc - offsetAt(utc + DAY, zone)];
	return guesses.find((guess) => guess + offsetAt(guess, zone) === utc) ?? guesses[0];
}

/** How far clocks in a zone are ahead of UTC at a point in time, in milliseconds. */
function offsetAt(time: number, zone: string): number {
	const shown = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
		.formatToParts(time)
		.find(({ type }) => type === 'timeZoneName')?.value;
	const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})/.exec(shown ?? '') ?? [];
	return sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * MINUTE;
}
