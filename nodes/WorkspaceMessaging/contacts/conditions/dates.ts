import { IANAZone } from 'luxon';
import { units } from './condition';
import type { Clock, Condition } from './condition';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How far the clock of the service may be ahead of n8n's. */
const CLOCK_SKEW_MS = 3_600_000;

/** ISO 8601: a day, with or without a time; a time with or without an offset. Databases write a blank for the T. */
const timeForm =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(?:(Z)|([+-]\d{2})(?::?(\d{2}))?)?)?$/i;

/** Reads a date such as `2026-12-31`, with or without a time and an offset; returns undefined if there is no such date. */
export function readTime(text: string) {
	const match = timeForm.exec(text.trim());
	if (!match) return undefined;
	const [, day, time = '00:00', z, hours, minutes = '00'] = match;
	const utc = Date.parse(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
	if (Number.isNaN(utc) || !isDay(day)) return undefined;
	return {
		/** The calendar day as the text has it, such as `2026-01-31`. */
		day,
		/** Milliseconds since 1970; of a time without an offset, the moment when clocks in UTC show it. */
		utc,
		hasOffset: z !== undefined || hours !== undefined,
	};
}

/** Whether there is a day such as `2026-01-31`: JavaScript takes the 31st of April for the 1st of May. */
function isDay(day: string): boolean {
	// Every month has 28 days: most days need no closer look.
	return Number(day.slice(8)) <= 28 || new Date(`${day}T00:00Z`).toISOString().startsWith(day);
}

/**
 * Returns the moment that a text names, in milliseconds since 1970; undefined if it names none.
 *
 * @param text as for `readTime`
 * @param timezone of a time without an offset
 */
export function momentOf(text: string, timezone: string): number | undefined {
	const time = readTime(text);
	return time && (time.hasOffset ? time.utc : toUtc(time.utc, timezone));
}

/** Returns the first moment of the day in a time zone that contains a moment, and the first moment of the day after. */
function dayAround(moment: number, timezone: string): [from: number, until: number] {
	const shown = moment + offsetAt(moment, timezone);
	const midnight = Math.floor(shown / DAY_MS) * DAY_MS;
	return [toUtc(midnight, timezone), toUtc(midnight + DAY_MS, timezone)];
}

/**
 * Returns the moment when clocks in a time zone show what clocks in UTC show at `shown`. A time that clocks skip when they
 * go forward means the same time after the change; a time that they show twice when they go back means the first of the two.
 */
function toUtc(shown: number, timezone: string): number {
	const [before, after] = [shown - DAY_MS, shown + DAY_MS].map(
		(moment) => shown - offsetAt(moment, timezone),
	);
	if (before === after) return before;
	return [before, after].find((moment) => moment + offsetAt(moment, timezone) === shown) ?? before;
}

/** Offsets change at quarters of an hour only. */
const QUARTER_MS = 900_000;
const MAX_OFFSETS = 20_000;
/** Offsets by time zone and quarter of an hour: luxon takes 20 µs to find one, too long for each of many contacts. */
const offsets = new Map<string, number>();

/** Returns how far clocks in a time zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, timezone: string): number {
	const key = `${timezone} ${Math.floor(moment / QUARTER_MS)}`;
	let offset = offsets.get(key);
	if (offset === undefined) {
		offset = IANAZone.create(timezone).offset(moment) * MINUTE_MS;
		if (offsets.size >= MAX_OFFSETS) offsets.clear();
		offsets.set(key, offset);
	}
	return offset;
}

/**
 * Returns the first and the last moment that meet a condition on a date, in milliseconds since 1970; infinite on a side
 * without an end. It knows the positive operators only, without `isEmpty`.
 */
export function dateRangeOf(
	{ field, operator, values }: Pick<Condition, 'field' | 'operator' | 'values'>,
	{ now, timezone }: Clock,
): [from: number, to: number] {
	const [first = '', second = ''] = values;
	const at = (text: string) => momentOf(text, timezone) ?? NaN;
	const spanMs = Number(first) * (units[second] ?? NaN);
	switch (operator) {
		case 'inLast':
			// The service sets the contact's own times by its own clock.
			return [now - spanMs, typeof field === 'object' ? now : now + CLOCK_SKEW_MS];
		case 'inNext':
			return [now, now + spanMs];
		case 'gt':
			return [endOf(at(first), timezone) + 1, Infinity];
		case 'lt':
			return [-Infinity, at(first) - 1];
		case 'isBetween':
			return [at(first), endOf(at(second), timezone)];
		default: {
			const [from, until] = dayAround(at(first), timezone);
			return [from, until - 1];
		}
	}
}

/** Returns the last moment that a value means: people and date pickers write a whole day as its first moment. */
function endOf(moment: number, timezone: string): number {
	const [from, until] = dayAround(moment, timezone);
	return moment === from ? until - 1 : moment;
}

const EARLIEST = Date.parse('0000-01-01T00:00Z');
const LATEST = Date.parse('9999-12-31T00:00Z');

/** Writes a moment as text, in a year of four digits. */
export function toIsoText(moment: number): string {
	return new Date(Math.min(Math.max(moment, EARLIEST), LATEST)).toISOString();
}
