import { z } from 'zod/v4';
import { limits } from '../contract/limits';
import type { AnyItem } from '../run/item';
import type { Field } from '../run/operation';
import { oncePerRun } from '../run/run';
import { isNothing } from '../values/blankText';
import { readMomentOrHoursAgo, readTime, toDateText } from '../values/dates';

/** The rule of a filter by time; empty means no filter. */
const timeRule = (isTime: (text: string) => boolean, rule: string) =>
	z.preprocess(
		(value) => (isNothing(value) ? undefined : toDateText(value)),
		z
			.string(rule)
			.refine(isTime, { error: rule, params: { showsValue: true } })
			.optional(),
	);

/** The rule of a filter that takes a date. */
export const dateRule = timeRule(
	(text) => readTime(text) !== undefined,
	'must be a date, such as 2026-01-31T09:30:00Z',
);

/** The rule of a filter that takes a date, or hours or days ago. */
export const dateOrHoursAgoRule = timeRule(
	(text) => readMomentOrHoursAgo(text, 'UTC', 0) !== undefined,
	`must be hours or days ago, such as 24 hours or 2 days, up to ${limits.hoursAgo.max.toLocaleString('en-US')} hours, or a date, such as 2026-01-31T09:30:00Z`,
);

/** All items of a run use the same "now". */
const timeOfRun = oncePerRun(() => Date.now());

/**
 * Returns the time of a filter with one of these rules, in milliseconds since 1970; undefined if the
 * user left it empty.
 */
export function readFilterTime(
	item: AnyItem,
	field: Field<string | undefined>,
): number | undefined {
	const text = item.value(field);
	if (text === undefined) return undefined;
	return readMomentOrHoursAgo(text, item.run.timezone, timeOfRun(item));
}
