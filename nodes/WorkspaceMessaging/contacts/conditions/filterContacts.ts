import type { IDataObject } from 'n8n-workflow';
import { notSentError } from '../../transport/errors/ApiError';
import type { Page, Pages } from '../../service/lists/pages';
import type { Requester } from '../../transport/request';
import { getChannelType, getInboxes, getInboxId } from '../../channels/channel';
import { withChannelTypes } from '../../channels/list';
import { readMoment } from '../../values/dates';
import { foldName } from '../../values/names';
import { getConditionDates, type Clock, type Condition, type ConditionSet } from './condition';
import { askServerConditions, getServerFilter, isServerOnlyCondition } from './serverConditions';
import { fieldRows, opposites } from './conditionFields';

/**
 * Returns a function that filters contacts by conditions. It throws if their records do not show
 * what it compares.
 */
export async function createContactFilter(
	client: Requester,
	conditionSet: ConditionSet,
): Promise<(contacts: IDataObject[]) => Promise<IDataObject[]>> {
	const answers = await askServerConditions(client, conditionSet);
	const matches = createContactMatcher(conditionSet, answers);
	const compared = conditionSet.conditions.filter((condition) => !isServerOnlyCondition(condition));
	const needsTypes = compared.some(({ field }) => field === 'channels');
	const unseen = new Set(compared.map(getComparedKey));
	return async (contacts) => {
		if (contacts.length === 0) return [];
		for (const key of unseen) {
			const isShown = contacts.some((contact) => key in contact);
			if (!isShown) throw notListed(`"${key}"`);
			unseen.delete(key);
		}
		let complete = contacts;
		if (needsTypes) complete = await withChannelTypes(client, contacts);
		for (const condition of compared) checkEntries(complete, condition);
		return contacts.filter((_, index) => matches(complete[index]));
	};
}

/**
 * Keeps the contacts of pages that meet conditions. Throws as the function that `createContactFilter`
 * returns.
 */
export async function* filterContacts(
	client: Requester,
	conditionSet: ConditionSet,
	pages: AsyncIterable<Page>,
): Pages {
	const filter = await createContactFilter(client, conditionSet);
	for await (const page of pages) {
		const rows = await filter(page.rows);
		const kept = new Set(rows);
		const fresh = page.fresh.filter((contact) => kept.has(contact));
		yield { ...page, rows: [...kept], fresh };
	}
}

/**
 * Adds a filter to a query, if the service can filter by these conditions: n8n then need not read
 * the other contacts. Otherwise the query stays as it is, and a hint tells the user that n8n reads
 * everything.
 */
export async function withServerFilter<Query extends { contactFilter?: unknown }>(
	client: Requester,
	conditionSet: ConditionSet,
	query: Query,
): Promise<Query> {
	// A filter of the user already reduces the list.
	if (query.contactFilter !== undefined) return query;
	const contactFilter = await getServerFilter(client, conditionSet);
	if (contactFilter !== undefined) return { ...query, contactFilter };
	client.hint?.(
		"This service can't filter contacts by these conditions, so n8n read all contacts and compared their records. In a large workspace this takes longer.",
	);
	return query;
}

/**
 * Throws if the entries of a list that a condition compares do not show their IDs, or the types of
 * channels.
 */
function checkEntries(contacts: IDataObject[], condition: Condition) {
	if (!isAboutList(condition)) return;
	const { field } = condition;
	const key = getComparedKey(condition);
	// An empty list can be left out.
	const areLists = contacts.every((contact) => Array.isArray(contact[key] ?? []));
	if (!areLists) throw notListed(`"${key}"`);
	const ids = contacts.flatMap((contact) => getEntryIds(contact, field));
	if (!hasEnoughIds(ids, condition)) throw notListed(`IDs in "${key}"`);
}

function hasEnoughIds(ids: unknown[], condition: Condition) {
	const known = ids.filter((id) => id !== undefined && id !== null);
	if (known.length === ids.length) return true;
	const isAboutChannels = getComparedKey(condition) === 'contactInboxes';
	// A channel that is no longer in the list has no type; contacts on it are on none of the other
	// channels.
	const mayLackSome = isAboutChannels && condition.operator === 'in';
	return mayLackSome && known.length > 0;
}

/** Whether a condition compares entries of a list, as custom fields are, too. */
const isAboutList = ({ field, type }: Condition) => typeof field === 'object' || type === 'list';

function notListed(what: string) {
	if (what.includes('contactInboxes'))
		return notSentError(
			"This service doesn't show which channels a contact is on.",
			'Remove the filters and conditions on channels.',
		);
	return notSentError(
		`This service lists contacts without ${what}, so n8n can't check the conditions on it.`,
		'Remove these conditions.',
	);
}

type Matches = (contact: IDataObject) => boolean;

/**
 * Returns a function that says whether a contact's record meets conditions. `operators` has the
 * rules.
 *
 * @param answers the service's answers for conditions that no record can answer
 */
export function createContactMatcher(
	{ match, conditions, clock }: ConditionSet,
	answers: ReadonlyMap<Condition, Matches> = new Map(),
): Matches {
	const all = conditions.map((condition) => {
		const answer = answers.get(condition);
		return answer ?? matchOne(condition, clock);
	});
	if (match === 'all') return (contact) => all.every((matches) => matches(contact));
	return (contact) => all.some((matches) => matches(contact));
}

function matchOne(condition: Condition, clock: Clock): Matches {
	const { operator, values } = condition;
	const opposite = opposites[operator];
	if (opposite) {
		const matches = matchOne({ ...condition, operator: opposite }, clock);
		return (contact) => !matches(contact);
	}
	if (operator === 'inAll') {
		const conditions = values.map(
			(value): Condition => ({ ...condition, operator: 'in', values: [value] }),
		);
		return createContactMatcher({ match: 'all', conditions, clock });
	}
	const read = createReader(condition);
	if (operator === 'isEmpty') return (contact) => read(contact).length === 0;
	const compare = createComparison(condition, clock);
	return (contact) => read(contact).some(compare);
}

/** Returns the key of a contact's record that a condition compares. */
function getComparedKey({ field }: Pick<Condition, 'field'>) {
	if (typeof field === 'object') return 'contactCustomFields';
	return fieldRows[field].recordKey;
}

/**
 * Returns the IDs, or types, of the entries of a list that a condition compares; undefined for an
 * entry that lacks it.
 */
function getEntryIds(contact: IDataObject, field: Condition['field']): unknown[] {
	if (field === 'inboxes') return getInboxes(contact).map(getInboxId);
	if (field === 'channels') return getInboxes(contact).map(getChannelType);
	const idKey = typeof field === 'object' ? 'customFieldId' : 'id';
	const entries = getEntries(contact[getComparedKey({ field })]);
	return entries.map((entry) => entry?.[idKey]);
}

/**
 * Returns a function that reads the values of a record that a condition compares, as texts without
 * the empty ones.
 */
function createReader({ field, type }: Condition): (contact: IDataObject) => string[] {
	if (typeof field === 'object') {
		const { customFieldId } = field;
		return (contact) => toTexts(getCustomFieldValues(contact, customFieldId));
	}
	if (type === 'list') return (contact) => toTexts(getEntryIds(contact, field));
	const { recordKey, isTime } = fieldRows[field];
	if (type !== 'boolean') return (contact) => toTexts([contact[recordKey]]);
	return (contact) => {
		const value = contact[recordKey];
		return [readOwnYesOrNo(value, isTime)];
	};
}

/** Reads a contact's own yes or no. It is blocked, for example, if it has a time of that. */
function readOwnYesOrNo(value: unknown, isTime = false) {
	const isYes = isTime ? hasValue(value) : value === true;
	return String(isYes);
}

function getCustomFieldValues({ contactCustomFields }: IDataObject, fieldId: string): unknown[] {
	const entries = getEntries(contactCustomFields);
	const ofField = entries.filter((entry) => String(entry?.customFieldId) === fieldId);
	return ofField.map((entry) => entry?.value);
}

/** The entries of a list; an entry can be null. */
function getEntries(value: unknown): Array<IDataObject | null> {
	return Array.isArray(value) ? value : [];
}

const hasValue = (value: unknown) =>
	value !== null && value !== undefined && String(value).trim() !== '';
const toTexts = (values: unknown[]) => values.filter(hasValue).map(String);

/** Returns a function that compares one value of a contact with those of a condition. */
function createComparison(condition: Condition, clock: Clock): (value: string) => boolean {
	const { type, operator, values } = condition;
	switch (type) {
		case 'text': {
			const compare = textComparisons[operator];
			const expected = foldName(values[0]);
			return (value) => compare(foldName(value), expected);
		}
		case 'number': {
			const compare = numberComparisons[operator];
			const [first, second] = values.map(parseNumber);
			return (value) => compare(parseNumber(value), first, second);
		}
		case 'date': {
			const [from, to] = getConditionDates(condition, clock);
			return (value) => {
				const moment = readMoment(value, clock.timezone) ?? NaN;
				return moment >= from && moment <= to;
			};
		}
		default: {
			const expected = new Set(values.map(foldName));
			return (value) => expected.has(foldName(value));
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
function parseNumber(text: string): Numeric {
	if (/^\s*[+-]?\d{16,}\s*$/.test(text)) return BigInt(text);
	return Number(text);
}

/** Text that is not a number becomes NaN, which meets no comparison. */
const numberComparisons: Record<
	string,
	(value: Numeric, first: Numeric, second: Numeric) => boolean
> = {
	// === is never true for a number and a bigint.
	eq: (value, first) => value >= first && value <= first,
	lt: (value, first) => value < first,
	lte: (value, first) => value <= first,
	gt: (value, first) => value > first,
	gte: (value, first) => value >= first,
	isBetween: (value, first, second) => value >= first && value <= second,
};
