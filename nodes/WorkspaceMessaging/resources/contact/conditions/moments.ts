const DAY_MS = 86_400_000;

const momentForm =
	/^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * The moment that a text names, in milliseconds since 1970; undefined when it is none.
 *
 * @param text `2026-12-31`, with a time behind it or not, with an offset or not
 * @param timezone of a time without an offset
 */
export function momentOf(text: string, timezone: string): number | undefined {
	const match = momentForm.exec(text.trim());
	if (!match) return undefined;
	const [, date, time = '00:00', offset] = match;
	const moment = Date.parse(`${date}T${time}${offset?.toUpperCase() ?? 'Z'}`);
	if (Number.isNaN(moment) || !isDay(date)) return undefined;
	return offset === undefined ? toUtc(moment, timezone) : moment;
}

/** The first moment of the day in a time zone that a moment is in, and that of the day after. */
export function dayAround(moment: number, timezone: string): [from: number, until: number] {
	const shown = moment + offsetAt(moment, timezone);
	const midnight = Math.floor(shown / DAY_MS) * DAY_MS;
	return [toUtc(midnight, timezone), toUtc(midnight + DAY_MS, timezone)];
}

/** Whether a date exists: JavaScript takes the 31st of April for the 1st of May. */
function isDay(date: string): boolean {
	// Most days are in every month, and need no closer look.
	if (Number(date.slice(8)) <= 28) return true;
	const parsed = Date.parse(`${date}T00:00Z`);
	return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(date);
}

/** A moment that was read as if clocks in the time zone showed UTC. Where they are put forward, it is the one after. */
function toUtc(shown: number, timezone: string): number {
	const guess = shown - offsetAt(shown, timezone);
	return shown - offsetAt(guess, timezone);
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
		format = new Intl.DateTimeFormat('en-US', {
			timeZone: timezone,
			hourCycle: 'h23',
			era: 'short',
			year: 'numeric',
			month: 'numeric',
			day: 'numeric',
			hour: 'numeric',
			minute: 'numeric',
			second: 'numeric',
		});
		formats.set(timezone, format);
	}
	const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
	const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
	const shown = Date.UTC(
		part('year'),
		part('month') - 1,
		part('day'),
		part('hour'),
		part('minute'),
		part('second'),
	);
	return shown - Math.floor(moment / 1000) * 1000;
}
