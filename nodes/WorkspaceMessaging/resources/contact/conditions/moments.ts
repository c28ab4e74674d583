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

/** The day of a moment in a time zone: `2026-12-31`. */
export function dayOf(moment: number, timezone: string): string {
	return new Date(moment + offsetAt(moment, timezone)).toISOString().slice(0, 10);
}

/** Whether a date exists: JavaScript takes the 31st of April for the 1st of May. */
function isDay(date: string): boolean {
	const parsed = Date.parse(`${date}T00:00Z`);
	return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(date);
}

/** A moment that was read as if clocks in the time zone showed UTC. Where they are put forward, it is the one after. */
function toUtc(shown: number, timezone: string): number {
	const guess = shown - offsetAt(shown, timezone);
	return shown - offsetAt(guess, timezone);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far clocks in a time zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, timezone: string): number {
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
