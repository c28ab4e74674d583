import { getDay, readMoment, unitMs } from '../../values/dates';
import type { FieldName, Operator, ValueType } from './conditionFields';

/** The units of relative times in conditions, in milliseconds. */
export const units: Record<string, number> = unitMs;

/** How far the clock of the service may be ahead of n8n's. */
const CLOCK_SKEW_MS = unitMs.hours;

/** One condition that a contact meets or not. */
export interface Condition {
	/**
	 * What is compared: a field of the contact, or a custom field by its ID. Of lists these are the
	 * IDs of tags, channels (`inboxes`) and sequences, the types of channels, and assignees: `u_` and
	 * the ID of a user, `t_` and the ID of a team, or `unassigned`.
	 */
	field: FieldName | { customFieldId: string };
	type: ValueType;
	operator: Operator;
	/**
	 * One value; two for `isBetween`; any number of IDs or types for a list; an amount and a unit
	 * (`['7', 'days']`) for `inLast`, `notInLast` and `inNext`; `true` or `false` for yes/no; no
	 * value for `isEmpty` and `isNotEmpty`.
	 */
	values: readonly string[];
}

/** What times in conditions are measured by. */
export interface Clock {
	/** Milliseconds since 1970. */
	now: number;
	/** The time zone of times without an offset, such as `Europe/Berlin`. */
	timezone: string;
}

/** Conditions of which a contact must meet all, or any. */
export interface ConditionSet {
	match: 'all' | 'any';
	conditions: readonly Condition[];
	clock: Clock;
}

/**
 * Returns the first and the last moment that meet a condition on a date, in milliseconds since
 * 1970; infinite on a side without an end. It knows the positive operators only, without `isEmpty`.
 */
export function getConditionDates(
	{ field, operator, values }: Pick<Condition, 'field' | 'operator' | 'values'>,
	{ now, timezone }: Clock,
): [from: number, to: number] {
	const [first = '', second = ''] = values;
	const at = (text: string) => readMoment(text, timezone) ?? NaN;
	const spanMs = Number(first) * (units[second] ?? NaN);
	switch (operator) {
		case 'inLast': {
			// The service sets the contact's own times by its own clock.
			const isOwnTime = typeof field === 'string';
			return [now - spanMs, now + (isOwnTime ? CLOCK_SKEW_MS : 0)];
		}
		case 'inNext':
			return [now, now + spanMs];
		case 'gt':
			return [endOfDay(at(first), timezone) + 1, Infinity];
		case 'lt':
			return [-Infinity, at(first) - 1];
		case 'isBetween':
			return [at(first), endOfDay(at(second), timezone)];
		default: {
			const [from, until] = getDay(at(first), timezone);
			return [from, until - 1];
		}
	}
}

/**
 * Returns the last moment of a day if this is its first: people and date pickers write a whole day
 * as its first moment.
 */
function endOfDay(moment: number, timezone: string) {
	const [from, until] = getDay(moment, timezone);
	if (moment !== from) return moment;
	return until - 1;
}
