import type { IDataObject } from 'n8n-workflow';
import { ApiError } from '../../transport/errors/ApiError';
import type { Page } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { channelsOf, withChannelTypes } from '../list/channels';
import { filterFields, refusesFilter } from '../list/serviceSupport';
import { opposites } from './condition';
import type { Clock, Condition, ConditionSet } from './condition';
import { dateRangeOf, momentOf } from './dates';
import { askService, isServerOnly, toServerFilter } from './serverConditions';

/** Returns a function that filters contacts by conditions. It throws if their records do not show what it compares. */
export async function createFilter(
	client: Requester,
	conditionSet: ConditionSet,
): Promise<(contacts: IDataObject[]) => Promise<IDataObject[]>> {
	const matches = createMatcher(conditionSet, await askService(client, conditionSet));
	const compared = conditionSet.conditions.filter((condition) => !isServerOnly(condition));
	const needsTypes = compared.some(({ field }) => field === 'channels');
	const unseen = new Set(compared.map(recordKeyOf));
	return async (contacts) => {
		for (const key of unseen) if (contacts.some((contact) => key in contact)) unseen.delete(key);
		const [missing] = contacts.length > 0 ? unseen : [];
		if (missing !== undefined) throw notShown(`"${missing}"`);
		const complete = needsTypes ? await withChannelTypes(client, contacts) : contacts;
		for (const condition of compared) checkEntries(complete, condition);
		return contacts.filter((_, index) => matches(complete[index]));
	};
}

/** Keeps the contacts of pages that meet conditions. Throws as the function that `createFilter` returns. */
export async function* filterContacts(
	client: Requester,
	conditionSet: ConditionSet,
	pages: AsyncIterable<Page>,
): AsyncGenerator<Page, void, void> {
	const filter = await createFilter(client, conditionSet);
	for await (const page of pages) {
		const kept = new Set(await filter(page.rows));
		yield { ...page, rows: [...kept], fresh: page.fresh.filter((contact) => kept.has(contact)) };
	}
}

/**
 * Adds a filter to a query, if the service can filter by these conditions: n8n then need not read the other contacts.
 * Otherwise the query stays as it is, and a hint tells the user that n8n reads everything.
 */
export async function withServerFilter<Query extends { contactFilter?: unknown }>(
	client: Requester,
	conditionSet: ConditionSet,
	query: Query,
): Promise<Query> {
	// A filter of the user already reduces the list.
	if (query.contactFilter !== undefined) return query;
	const contactFilter = await serverFilterFor(client, conditionSet);
	if (contactFilter !== undefined) return { ...query, contactFilter };
	client.hint?.(
		"This service can't filter contacts by these conditions, so n8n read all contacts and compared their records. In a large workspace this takes longer.",
	);
	return query;
}

/** Characters of a filter in a URL; servers and proxies refuse URLs that are much longer. */
const MAX_FILTER = 4000;

/** Returns the filter by which the service can reduce a list to contacts that may meet conditions; undefined if it cannot. */
export async function serverFilterFor(
	client: Requester,
	conditionSet: ConditionSet,
): Promise<string | undefined> {
	const filter = toServerFilter(conditionSet, await filterFields(client));
	// Services that say what they filter by take the filter as text.
	const text = JSON.stringify(filter ?? {});
	const isShort = encodeURIComponent(text).length <= MAX_FILTER;
	return filter && isShort && !(await refusesFilter(client, filter)) ? text : undefined;
}

const listKeys = ['contactCustomFields', 'contactInboxes', 'tags'];

/** Throws if the entries of a list that a condition compares do not show their IDs, or the types of channels. */
function checkEntries(contacts: IDataObject[], { field, operator }: Condition) {
	const key = recordKeyOf({ field });
	const isList = contacts.every((contact) => Array.isArray(contact[key] ?? []));
	if (listKeys.includes(key) && !isList) throw notShown(`"${key}"`);
	const ids = contacts.flatMap((contact) => entryIdsOf(contact, field));
	const unknown = ids.filter((id) => id === undefined || id === null);
	// A channel that is no longer in the list has no type; contacts on it are on none of the other channels.
	const mayLackSome = key === 'contactInboxes' && operator === 'in' && unknown.length < ids.length;
	if (unknown.length > 0 && !mayLackSome) throw notShown(`IDs in "${key}"`);
}

function notShown(what: string): ApiError {
	if (what.includes('contactInboxes'))
		return new ApiError("This service doesn't show which channels a contact is on.", {
			outcome: 'notSent',
			advice: 'Remove the filters and conditions on channels.',
		});
	return new ApiError(
		`This service lists contacts without ${what}, so n8n can't check the conditions on it.`,
		{
			outcome: 'notSent',
			advice: 'Remove these conditions.',
		},
	);
}

type Matches = (contact: IDataObject) => boolean;

/**
 * Returns a function that says whether a contact's record meets conditions. `operators` has the rules.
 *
 * @param answers the service's answers for conditions that no record can answer
 */
export function createMatcher(
	{ match, conditions, clock }: ConditionSet,
	answers: ReadonlyMap<Condition, Matches> = new Map(),
): Matches {
	const all = conditions.map((condition) => answers.get(condition) ?? matchOne(condition, clock));
	return match === 'all'
		? (contact) => all.every((matches) => matches(contact))
		: (contact) => all.some((matches) => matches(contact));
}

function matchOne(condition: Condition, clock: Clock): Matches {
	const { operator, values } = condition;
	const opposite = opposites[operator];
	if (opposite) {
		const matches = matchOne({ ...condition, operator: opposite }, clock);
		return (contact) => !matches(contact);
	}
	if (operator === 'inAll') {
		const each = values.map((value) => ({ ...condition, operator: 'in' as const, values: [value] }));
		return createMatcher({ match: 'all', conditions: each, clock });
	}
	const read = readerOf(condition);
	if (operator === 'isEmpty') return (contact) => read(contact).length === 0;
	const compare = comparisonOf(condition, clock);
	return (contact) => read(contact).some(compare);
}

/** The keys of a contact's record that have another name than the field of a condition. */
const recordKeys: Record<string, string> = {
	inboxes: 'contactInboxes',
	channels: 'contactInboxes',
	blocked: 'blockedAt',
	subscribed: 'subscribedAt',
	subscribedToBroadcasts: 'broadcastSubscribedAt',
};

/** Returns the key of a contact's record that a condition compares. */
const recordKeyOf = ({ field }: Pick<Condition, 'field'>): string =>
	typeof field === 'object' ? 'contactCustomFields' : (recordKeys[field] ?? field);

/** Returns the IDs, or types, of the entries of a list that a condition compares; undefined for an entry that lacks it. */
function entryIdsOf(contact: IDataObject, field: Condition['field']): unknown[] {
	if (typeof field === 'object')
		return listOf(contact.contactCustomFields).map((entry) => entry?.customFieldId);
	if (field === 'tags') return listOf(contact.tags).map((tag) => tag?.id);
	return field === 'inboxes' || field === 'channels' ? channelsOf(contact, field) : [];
}

/** Returns a function that reads the values of a record that a condition compares, as texts without the empty ones. */
function readerOf({ field, type }: Condition): (contact: IDataObject) => string[] {
	if (typeof field === 'object') {
		return ({ contactCustomFields }) =>
			textsOf(
				listOf(contactCustomFields)
					.filter((entry) => String(entry?.customFieldId) === field.customFieldId)
					.map((entry) => entry?.value),
			);
	}
	if (type === 'list') return (contact) => textsOf(entryIdsOf(contact, field));
	const key = recordKeyOf({ field });
	if (type !== 'boolean') return (contact) => textsOf([contact[key]]);
	// A contact is blocked, for example, if it has a time at which that happened.
	return key === field
		? (contact) => [String(contact[key] === true)]
		: (contact) => [String(hasValue(contact[key]))];
}

const listOf = (value: unknown): Array<IDataObject | null> => (Array.isArray(value) ? value : []);
const hasValue = (value: unknown) => value !== null && value !== undefined && String(value).trim() !== '';
const textsOf = (values: unknown[]) => values.filter(hasValue).map(String);
const fold = (text: string) => text.trim().toLowerCase();

/** Returns a function that compares one value of a contact with those of a condition. */
function comparisonOf(condition: Condition, clock: Clock): (value: string) => boolean {
	const { type, operator, values } = condition;
	switch (type) {
		case 'text': {
			const compare = textComparisons[operator];
			const expected = fold(values[0]);
			return (value) => compare(fold(value), expected);
		}
		case 'number': {
			const compare = numberComparisons[operator];
			const [first, second] = values.map(toNumber);
			return (value) => compare(toNumber(value), first, second);
		}
		case 'date': {
			const [from, to] = dateRangeOf(condition, clock);
			return (value) => {
				const moment = momentOf(value, clock.timezone) ?? NaN;
				return moment >= from && moment <= to;
			};
		}
		default: {
			const expected = new Set(values.map(fold));
			return (value) => expected.has(fold(value));
		}
	}
}

const textComparisons: Record<string, (value: string, expected: string) => boolean> = {
	eq: (value, expected) => value === expected,
	contains: (value, expected) => value.includes(expected),
	startsWith: (value, expected) => value.startsWith(expected),
	endsWith: (value, expected) => value.endsWith(expected),
};

type Numeric = number | bigint;

/** Reads a number; a whole number with more digits than a JS number can have keeps all of them. */
function toNumber(text: string): Numeric {
	return /^\s*[+-]?\d{16,}\s*$/.test(text) ? BigInt(text) : Number(text);
}

/** Text that is not a number becomes NaN, which meets no comparison. */
const numberComparisons: Record<string, (value: Numeric, first: Numeric, second: Numeric) => boolean> = {
	// === is never true for a number and a bigint.
	eq: (value, first) => value >= first && value <= first,
	lt: (value, first) => value < first,
	lte: (value, first) => value <= first,
	gt: (value, first) => value > first,
	gte: (value, first) => value >= first,
	isBetween: (value, first, second) => value >= first && value <= second,
};
