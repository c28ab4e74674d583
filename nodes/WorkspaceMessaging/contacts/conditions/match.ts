import type { IDataObject } from 'n8n-workflow';
import { channelTypeOf, inboxIdOf } from '../list/channelFilter';
import type { ContactInbox } from '../list/channelFilter';
import { momentOf } from './localTime';
import type { Clock, Condition, Conditions } from './condition';
import { dateRangeOf } from './dateRange';

type Matches = (contact: IDataObject) => boolean;
type Compare = (held: string) => boolean;

/**
 * Makes the function that says whether a contact's record meets conditions; the rules are those of `operators`.
 *
 * @param asked what is known already of conditions on what records do not show
 */
export function createMatcher(
	{ match, conditions }: Conditions,
	clock: Clock,
	asked: ReadonlyMap<Condition, Matches> = new Map(),
): Matches {
	const all = conditions.map((condition) => asked.get(condition) ?? matchOne(condition, clock));
	return match === 'all'
		? (contact) => all.every((matches) => matches(contact))
		: (contact) => all.some((matches) => matches(contact));
}

function matchOne(condition: Condition, clock: Clock): Matches {
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
			return not(matchOne({ ...condition, operator: 'eq' }, clock));
		case 'notContains':
			return not(matchOne({ ...condition, operator: 'contains' }, clock));
		case 'notInLast':
			return not(matchOne({ ...condition, operator: 'inLast' }, clock));
		case 'notIn':
			return not(matchOne({ ...condition, operator: 'in' }, clock));
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
			const inRange = rangeOf(operator, numberOf(first), numberOf(second));
			return (held) => inRange(numberOf(held));
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

/** A number as a text says it; whole ones with more digits than a JS number holds exactly as they are written. */
function numberOf(text: string): number | bigint {
	return /^\s*[+-]?\d{16,}\s*$/.test(text) ? BigInt(text) : Number(text);
}

/** Compares numbers; what is no number is in no range. */
function rangeOf(
	operator: Condition['operator'],
	low: number | bigint,
	high: number | bigint,
): (held: number | bigint) => boolean {
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
			return (held) => held >= low && held <= low;
	}
}

function compareDate(condition: Condition, clock: Clock): Compare {
	const [from, to] = dateRangeOf(condition, clock);
	return (held) => {
		const moment = momentOf(held, clock.timezone) ?? NaN;
		return moment >= from && moment <= to;
	};
}
