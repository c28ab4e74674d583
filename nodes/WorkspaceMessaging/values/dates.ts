import { FixedOffsetZone, IANAZone } from 'luxon';
import { limits } from '../contract/limits';
import { ApiError } from '../transport/errors/ApiError';
import { quoted } from './labels';
import { isObjectOrList } from '../transport/guards';

/** Units of time in milliseconds. */
export const unitMs = { minutes: 60_000, hours: 3_600_000, days: 86_400_000, weeks: 604_800_000 };

/**
 * ISO 8601: a day, with or without a time; a time with or without an offset. Databases write a
 * blank for the T.
 */
const timeForm =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(?:(Z)|([+-]\d{2})(?::?(\d{2}))?)?)?$/i;

/**
 * Reads a date such as `2026-12-31`, with or without a time and an offset; returns undefined if
 * there is no such date.
 */
export function readTime(text: string) {
	const match = timeForm.exec(text.trim());
	if (!match) return undefined;
	const [, day, time = '00:00', z, hours, minutes = '00'] = match;
	const hasHours = hours !== undefined;
	const isZero = Number(hours) === 0 && Number(minutes) === 0;
	const utc = Date.parse(`${day}T${time}${hasHours ? `${hours}:${minutes}` : 'Z'}`);
	if (Number.isNaN(utc) || !isDay(day)) return undefined;
	return {
		/** The calendar day as the text has it, such as `2026-01-31`. */
		day,
		/**
		 * Milliseconds since 1970; of a time without an offset, the moment when clocks in UTC show it.
		 */
		utc,
		hasOffset: z !== undefined || hasHours,
		/** Whether the text has a time in UTC, as programs write moments. */
		isUtc: z !== undefined || isZero,
	};
}

/**
 * Returns a time of the service in milliseconds since 1970; undefined if the value is not a time
 * that n8n can read.
 */
export function readServiceTime(value: unknown): number | undefined {
	return typeof value === 'string' ? readTime(value)?.utc : undefined;
}

/** Returns a time of the service in milliseconds since 1970; 0 if the value is not a time. */
export const parseTime = (value: unknown): number => readServiceTime(value) ?? 0;

/**
 * Whether there is a day such as `2026-01-31`: JavaScript takes the 31st of April for the 1st of
 * May.
 */
function isDay(day: string) {
	// Every month has 28 days: most days need no closer look.
	return Number(day.slice(8)) <= 28 || new Date(`${day}T00:00Z`).toISOString().startsWith(day);
}

/** Returns a date of JavaScript as a text that `readTime` reads, and a number as text. */
export function toDateText(value: unknown): unknown {
	if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
	return isObjectOrList(value) ? value : String(value ?? '');
}

/**
 * Returns the moment that a text names, in milliseconds since 1970; undefined if it names none.
 *
 * @param text as for `readTime`
 * @param timezone of a time without an offset
 */
export function readMoment(text: string, timezone: string): number | undefined {
	const time = readTime(text);
	if (!time) return undefined;
	if (time.hasOffset) return time.utc;
	return toUtc(time.utc, timezone);
}

/**
 * Returns the calendar day that a text means, such as `2026-01-31`; undefined if there is no such
 * day.
 *
 * Programs write a moment in UTC, so its day is the one in the time zone: people's local midnight
 * is often an evening there. Exactly midnight in UTC is how programs write a day without a time. Any
 * other text keeps the day that it has.
 *
 * @param text as for `readTime`
 * @param timezone of the moments that are written in UTC
 */
export function readDay(text: string, timezone: string): string | undefined {
	const time = readTime(text);
	if (!time) return undefined;
	const { day, utc, isUtc } = time;
	const isMidnight = utc % unitMs.days === 0;
	if (!isUtc || isMidnight) return day;
	const shown = utc + offsetAt(utc, timezone);
	return toIsoText(shown).slice(0, day.length);
}

/** A time ago: `24`, `24 h`, `24 hours`, `2 days`. */
const TIME_AGO = /^(\d+(?:\.\d+)?)\s*(h|hours?|d|days?)?$/i;

/**
 * Returns the moment that a text names, as a date or as hours or days ago, such as `24 hours`, in
 * milliseconds since 1970; undefined if it names none.
 *
 * @param text as for `readTime`, or a number of hours or days up to `limits.hoursAgo`; without a unit,
 * it is hours
 * @param timezone of a time without an offset
 * @param now in milliseconds since 1970
 */
export function readMomentOrHoursAgo(
	text: string,
	timezone: string,
	now: number,
): number | undefined {
	const ago = TIME_AGO.exec(text.trim());
	if (!ago) return readMoment(text, timezone);
	const [, count, unit = 'h'] = ago;
	const isDays = unit.toLowerCase().startsWith('d');
	const agoMs = Number(count) * (isDays ? unitMs.days : unitMs.hours);
	return agoMs <= limits.hoursAgo.max * unitMs.hours ? now - agoMs : undefined;
}

/**
 * Returns the first moment of the day in a time zone that contains a moment, and the first moment
 * of the day after.
 */
export function getDay(moment: number, timezone: string): [from: number, until: number] {
	const shown = moment + offsetAt(moment, timezone);
	const midnight = Math.floor(shown / unitMs.days) * unitMs.days;
	return [toUtc(midnight, timezone), toUtc(midnight + unitMs.days, timezone)];
}

/**
 * Returns the moment when clocks in a time zone show what clocks in UTC show at `shown`. A time
 * that clocks skip when they go forward means the same time after the change; a time that they show
 * twice when they go back means the first of the two.
 */
function toUtc(shown: number, timezone: string) {
	const dayBefore = shown - unitMs.days;
	const dayAfter = shown + unitMs.days;
	const before = shown - offsetAt(dayBefore, timezone);
	const after = shown - offsetAt(dayAfter, timezone);
	if (before === after) return before;
	const isShown = (moment: number) => moment + offsetAt(moment, timezone) === shown;
	if (!isShown(before) && isShown(after)) return after;
	return before;
}

/** Offsets change at quarters of an hour only. */
const QUARTER_MS = 900_000;
const MAX_OFFSETS = 20_000;
/**
 * Offsets by time zone and quarter of an hour: luxon takes 20 µs to find one, too long for each of
 * many contacts.
 */
const offsets = new Map<string, number>();

/** Returns how far clocks in a time zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, timezone: string) {
	const key = `${timezone} ${Math.floor(moment / QUARTER_MS)}`;
	let offset = offsets.get(key);
	if (offset === undefined) {
		offset = findZone(timezone).offset(moment) * unitMs.minutes;
		if (offsets.size >= MAX_OFFSETS) offsets.clear();
		offsets.set(key, offset);
	}
	return offset;
}

/**
 * Returns a time zone by its name, such as `Europe/Berlin` or `UTC+2`. Throws an error if there is
 * none: n8n takes any name, and shows no date that is right then.
 */
function findZone(timezone: string) {
	const zone = FixedOffsetZone.parseSpecifier(timezone) ?? IANAZone.create(timezone);
	if (zone.isValid) return zone;
	throw new ApiError(`The time zone of the workflow, ${quoted(timezone)}, doesn't exist.`, {
		outcome: 'notSent',
		advice:
			'Choose one, such as Europe/Berlin, under Timezone in the settings of the workflow, or set GENERIC_TIMEZONE in the environment of n8n.',
		isAboutRun: true,
	});
}

const EARLIEST = Date.parse('0000-01-01T00:00Z');
const LATEST = Date.parse('9999-12-31T00:00Z');

/** Writes a moment as text, in a year of four digits. */
export function toIsoText(moment: number): string {
	return new Date(Math.min(Math.max(moment, EARLIEST), LATEST)).toISOString();
}
