import type { IDataObject } from 'n8n-workflow';
import { ApiError } from '../../transport/errors/ApiError';
import type { Page } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { withChannelTypes } from '../list/channels';
import { filterFields, refusesFilter } from '../list/serviceSupport';
import type { Condition, ConditionSet } from './condition';
import { createMatcher, entryIdsOf, recordKeyOf } from './match';
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
