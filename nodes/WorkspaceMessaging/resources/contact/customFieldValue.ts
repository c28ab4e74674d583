import { email, phoneNumber } from '../../contract/values';
import type { Definition } from './customFieldBook';

const YES = ['true', 'yes', '1'];
const NO = ['false', 'no', '0'];

/**
 * Brings a value into the text that the API stores for a field of this type.
 *
 * Numbers: digits; dates: `2026-01-31`; dates with time: ISO 8601; yes/no: `true` or `false`; email and phone number are
 * checked like those of a contact (part 4.1); text is taken as it is. Takes n8n's date objects and native ones too.
 * A time without an offset is one in `zone`, the time zone of the workflow; so is the day of a date object.
 * Throws an error that names the field, the rule and the value.
 */
export function toStored({ name, type }: Definition, value: unknown, zone: string): string {
	const text = value instanceof Date && type === 'date' ? dayIn(value, zone) : textOf(value);
	const refuse = (rule: string): never => {
		throw new Error(`Custom field ${name} must be ${rule}, but is "${text}"`);
	};
	switch (type) {
		case 'number':
			return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? text.trim() : refuse('a number');
		case 'boolean': {
			const word = text.trim().toLowerCase();
			if (YES.includes(word)) return 'true';
			return NO.includes(word) ? 'false' : refuse('yes or no (true or false)');
		}
		case 'date': {
			const [date] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? refuse('a date, such as 2026-01-31');
			return isDate(date) ? date : refuse('a date, such as 2026-01-31');
		}
		case 'datetime':
			return /^\d{4}-\d{2}-\d{2}/.test(text) && isDate(text)
				? withOffset(text, zone).toISOString()
				: refuse('a date with time, such as 2026-01-31T09:30:00Z');
		case 'email':
			return email.safeParse(text).success ? text : refuse('a valid email address');
		case 'phoneNumber':
			return phoneNumber.safeParse(text).success
				? text
				: refuse('10 to 20 digits, with an optional leading +');
		default:
			return text;
	}
}

function textOf(value: unknown): string {
	if (value instanceof Date) return value.toISOString();
	if (typeof value !== 'object' || value === null) return String(value);
	// The dates of n8n's expressions (luxon).
	if ('toISO' in value && typeof value.toISO === 'function') return String(value.toISO());
	return JSON.stringify(value);
}

function isDate(text: string): boolean {
	const time = Date.parse(text);
	// A day that does not exist would be counted on into the next month.
	return (
		!Number.isNaN(time) &&
		new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(text.slice(0, 10))
	);
}

/** The calendar day of a point in time in a zone, such as `2026-01-31`. */
function dayIn(date: Date, zone: string): string {
	return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(date);
}

/** The point in time that text means; without an offset, it is what clocks in the zone show. */
function withOffset(text: string, zone: string): Date {
	if (!/\d{2}:\d{2}/.test(text) || /(Z|[+-]\d{2}:?\d{2})$/i.test(text)) return new Date(text);
	const asUtc = new Date(`${text}Z`);
	const shown = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
		.formatToParts(asUtc)
		.find(({ type }) => type === 'timeZoneName')?.value;
	return new Date(`${text}${/[+-]\d{2}:\d{2}/.exec(shown ?? '')?.[0] ?? 'Z'}`);
}
