import type { IDataObject } from 'n8n-workflow';
import { channelTypeOf, inboxIdOf } from '../channelFilter';
import type { ContactInbox } from '../channelFilter';
import { units } from './condition';
import type { Clock, Condition, Conditions } from './condition';
import { dayAround, momentOf } from './moments';

type Matches = (contact: IDataObject) => boolean;
type Compare = (held: string) => boolean;

/** Makes the function that says whether a contact's record meets conditions; the rules are those of `operators`. */
export function matcherOf({ match, conditions }: Conditions, clock: Clock): Matches {
	const all = conditions.map((condition) => matcherOfOne(condition, clock));
	return match === 'all'
		? (contact) => all.every((matches) => matches(contact))
		: (contact) => all.some((matches) => matches(contact));
}

function matcherOfOne(condition: Condition, clock: Clock): Matches {
	const read = readerOf(condition);
	switch (condition.operator) {
		case 'isEmpty':
			return (contact) => read(contact).length === 0;
		case 'isNotEmpty':
			return (contact) => read(contact).length > 0;
		case 'inAll': {
			const wanted = condition.values.map(fold);
			return (contact) => {
				const held = new Set(read(contact).map(fold));
				return wanted.every((value) => held.has(value));
			};
		}
		case 'ne':
			return not(matcherOfOne({ ...condition, operator: 'eq' }, clock));
		case 'notContains':
			return not(matcherOfOne({ ...condition, operator: 'contains' }, clock));
		case 'notInLast':
			return not(matcherOfOne({ ...condition, operator: 'inLast' }, clock));
		case 'notIn':
			return not(matcherOfOne({ ...condition, operator: 'in' }, clock));
		default: {
			const compare = compareOf(condition, clock);
			return (contact) => read(contact).some(compare);
		}
	}
}

const not =
	(matches: Matches): Matches =>
	(contact) =>
		!matches(contact);

/** Makes the function that reads from a record what a condition compares: texts, none of them empty. */
function readerOf({ field, type }: Condition): (contact: IDataObject) => string[] {
	if (typeof field === 'object') {
		return ({ contactCustomFields }) =>
			textsOf(
				listOf(contactCustomFields)
					.filter(({ customFieldId }) => String(customFieldId) === field.customFieldId)
					.map(({ value }) => value),
			);
	}
	switch (field) {
		case 'tags':
			return ({ tags }) => textsOf(listOf(tags).map(({ id }) => id));
		case 'inboxes':
			return ({ contactInboxes }) => textsOf((listOf(contactInboxes) as ContactInbox[]).map(inboxIdOf));
		case 'channels':
			return ({ contactInboxes }) => textsOf((listOf(contactInboxes) as ContactInbox[]).map(channelTypeOf));
		case 'blocked':
			return ({ blockedAt }) => [String(isGiven(blockedAt))];
		case 'subscribed':
			return ({ subscribedAt }) => [String(isGiven(subscribedAt))];
		case 'subscribedToBroadcasts':
			return ({ broadcastSubscribedAt }) => [String(isGiven(broadcastSubscribedAt))];
		default:
			return type === 'boolean'
				? (contact) => [String(contact[field] === true)]
				: (contact) => textsOf([contact[field]]);
	}
}

const listOf = (value: unknown) => (Array.isArray(value) ? (value as IDataObject[]) : []);
const isGiven = (value: unknown) => value !== null && value !== undefined && String(value).trim() !== '';
const textsOf = (values: unknown[]) => values.filter(isGiven).map(String);
const fold = (text: string) => text.trim().toLowerCase();

function compareOf(condition: Condition, clock: Clock): Compare {
	const { type, operator, values } = condition;
	const [first = '', second = ''] = values;
	switch (type) {
		case 'text':
			return compareText(operator, fold(first));
		case 'number': {
			const inRange = rangeOf(operator, Number(first), Number(second));
			return (held) => inRange(Number(held));
		}
		case 'date':
			return compareDate(condition, clock);
		case 'boolean':
			return (held) => fold(held) === fold(first);
		case 'list': {
			const wanted = new Set(values.map(fold));
			return (held) => wanted.has(fold(held));
		}
	}
}

function compareText(operator: Condition['operator'], wanted: string): Compare {
	switch (operator) {
		case 'contains':
			return (held) => fold(held).includes(wanted);
		case 'startsWith':
			return (held) => fold(held).startsWith(wanted);
		case 'endsWith':
			return (held) => fold(held).endsWith(wanted);
		default:
			return (held) => fold(held) === wanted;
	}
}

/** Compares numbers, or moments; what is no number is in no range. */
function rangeOf(operator: Condition['operator'], low: number, high: number): (held: number) => boolean {
	switch (operator) {
		case 'lt':
			return (held) => held < low;
		case 'lte':
			return (held) => held <= low;
		case 'gt':
			return (held) => held > low;
		case 'gte':
			return (held) => held >= low;
		case 'isBetween':
			return (held) => held >= low && held <= high;
		default:
			return (held) => held === low;
	}
}

function compareDate({ field, operator, values }: Condition, { now, timezone }: Clock): Compare {
	const [first = '', second = ''] = values;
	const at = (text: string) => momentOf(text, timezone) ?? NaN;
	if (operator === 'eq') {
		const [from, until] = dayAround(at(first), timezone);
		return (held) => at(held) >= from && at(held) < until;
	}
	const spanMs = Number(first) * (units[second] ?? NaN);
	if (operator === 'inLast') {
		// The clock of the service may be ahead of n8n's.
		const until = typeof field === 'object' ? now : Infinity;
		return (held) => inSpan(at(held), now - spanMs, until);
	}
	if (operator === 'inNext') return (held) => inSpan(at(held), now, now + spanMs);
	const inRange = rangeOf(operator, at(first), at(second));
	return (held) => inRange(at(held));
}

const inSpan = (moment: number, from: number, to: number) => moment >= from && moment <= to;
