import { dayAround, momentOf } from './localTime';
import { units } from './condition';
import type { Clock, Condition } from './condition';

/** How far the clock of the service may be ahead of n8n's. */
const AHEAD_MS = 3_600_000;

/**
 * The moments that meet a condition on a date, as the first and the last of them: milliseconds since 1970, infinite where
 * there is no such end. Nothing but the comparison itself: not for negative operators or those on empty values.
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
			// Times of the contact itself are set by the service's clock.
			return [now - spanMs, typeof field === 'object' ? now : now + AHEAD_MS];
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

/** The last moment that a value means: of a midnight, which is how people and pickers give a date, that of its day. */
function endOf(moment: number, timezone: string): number {
	const [from, until] = dayAround(moment, timezone);
	return moment === from ? until - 1 : moment;
}

const EARLIEST = Date.parse('0000-01-01T00:00Z');
const LATEST = Date.parse('9999-12-31T00:00Z');

/** A moment in milliseconds since 1970 as text; one that has more than four digits of a year as the nearest that has not. */
export function writtenMoment(moment: number): string {
	return new Date(Math.min(Math.max(moment, EARLIEST), LATEST)).toISOString();
}
