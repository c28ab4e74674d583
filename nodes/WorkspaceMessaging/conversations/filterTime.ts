import { limits } from '../contract/limits';
import { isNothing } from '../values/blankText';
import type { AnyItem } from '../run/item';
import { oncePerRun } from '../run/run';
import { readMoment, readMomentOrHoursAgo } from '../values/dates';
import { describeInvalidValue } from '../values/validate';

const timeForms = {
	date: { read: readMoment, rule: 'a date, such as 2026-01-31T09:30:00Z' },
	dateOrHoursAgo: {
		read: readMomentOrHoursAgo,
		rule: `hours or days ago, such as 24 hours or 2 days, up to ${limits.hoursAgo.max.toLocaleString('en-US')} hours, or a date, such as 2026-01-31T09:30:00Z`,
	},
};

/** All items of a run use the same "now". */
const timeOfRun = oncePerRun(() => Date.now());

/**
 * Returns the time of a filter in milliseconds since 1970; undefined if the user left it empty.
 * Throws an error if it is no time.
 */
export function readFilterTime(
	item: AnyItem,
	{ name, displayName }: { name: string; displayName: string },
	form: keyof typeof timeForms,
): number | undefined {
	const value = item.parameter(`filters.${name}`, '');
	if (isNothing(value)) return undefined;
	const text = value instanceof Date ? value.toISOString() : value;
	const { read, rule } = timeForms[form];
	const timezone = item.run.context.getTimezone();
	const time = read(String(text), timezone, timeOfRun(item));
	if (time !== undefined) return time;
	const problem = describeInvalidValue(text);
	throw new Error(`${displayName} must be ${rule}, but ${problem}`);
}
