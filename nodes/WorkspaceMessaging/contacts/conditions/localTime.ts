const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A day, with or without a time; a time with or without an offset (ISO 8601, with a blank for the T as databases write it). */
const timeForm =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(?:(Z)|([+-]\d{2})(?::?(\d{2}))?)?)?$/i;

/** A date with or without a time, as a text says it. */
export interface WrittenTime {
	/** The calendar day as it is written, such as `2026-01-31`. */
	day: string;
	/** Milliseconds since 1970; without an offset, of the moment at which clocks in UTC show it. */
	utc: number;
	hasOffset: boolean;
}

/** Reads a date such as `2026-12-31`, with a time or without, with an offset or without; undefined when there is none such. */
export function readTime(text: string): WrittenTime | undefined {
	const match = timeForm.exec(text.trim());
	if (!match) return undefined;
	const [, day, time = '00:00', z, hours, minutes = '00'] = match;
	const utc = Date.parse(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
	if (Number.isNaN(utc) || !isDay(day)) return undefined;
	return { day, utc, hasOffset: z !== undefined || hours !== undefined };
}

/**
 * The moment that a text names, in milliseconds since 1970; undefined when it is none.
 *
 * @param text as for `readTime`
 * @param timezone of a time without an offset
 */
export function momentOf(text: string, timezone: string): number | undefined {
	const time = readTime(text);
	return time && (time.hasOffset ? time.utc : toUtc(time.utc, timezone));
}

/** The first moment of the day in a time zone that a moment is in, and that of the day after. */
export function dayAround(moment: number, timezone: string): [from: number, until: number] {
	const shown = moment + offsetAt(moment, timezone);
	const midnight = Math.floor(shown / DAY_MS) * DAY_MS;
	return [toUtc(midnight, timezone), toUtc(midnight + DAY_MS, timezone)];
}

/** Whether there is a day such as `2026-01-31`: JavaScript takes the 31st of April for the 1st of May. */
export function isDay(day: string): boolean {
	// Most days are in every month, and need no closer look.
	if (Number(day.slice(8)) <= 28) return true;
	const parsed = Date.parse(`${day}T00:00Z`);
	return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(day);
}

/**
 * The moment at which clocks in a time zone show what clocks in UTC show at `shown`. What clocks leave out when they are put
 * forward is taken as the same time after the change; of what they show twice when they are put back, it is the first.
 */
function toUtc(shown: number, timezone: string): number {
	const [before, after] = [shown - DAY_MS, shown + DAY_MS].map(
		(moment) => shown - offsetAt(moment, timezone),
	);
	if (before === after) return before;
	return [before, after].find((moment) => moment + offsetAt(moment, timezone) === shown) ?? before;
}

/** Offsets change at quarters of an hour alone. */
const QUARTER_MS = 900_000;
const MOST_OFFSETS = 20_000;
/** Offsets that were looked up before, by time zone and quarter of an hour: to look one up takes a while. */
const offsets = new Map<string, number>();

/** How far clocks in a time zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, timezone: string): number {
	const key = `${timezone} ${Math.floor(moment / QUARTER_MS)}`;
	let offset = offsets.get(key);
	if (offset === undefined) {
		offset = lookUpOffset(moment, timezone);
		if (offsets.size >= MOST_OFFSETS) offsets.clear();
		offsets.set(key, offset);
	}
	return offset;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function lookUpOffset(moment: number, timezone: string): number {
	let format = formats.get(timezone);
	if (!format) {
		format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
		formats.set(timezone, format);
	}
	const written = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value;
	// Such as GMT-03:30; before there were time zones, also with seconds.
	const [, sign, hours, minutes, seconds = 0] =
		/([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(written ?? '') ?? [];
	if (sign === undefined) return 0;
	const ahead = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1000;
	return sign === '-' ? -ahead : ahead;
}
