import type { IDataObject } from 'n8n-workflow';
import { ApiError } from '../../transport/errors/errors';
import type { Page } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { checkInboxIds, withChannelTypes } from '../list/channelFilter';
import { filtersContacts, isFilterRefused } from '../list/contactFilter';
import type { ContactFilter } from '../list/contactFilter';
import { askService, filterFields, isServerOnly } from './serverConditions';
import type { Conditions, ConditionSet } from './condition';
import { createMatcher } from './match';
import { toServerFilter } from './toServerFilter';

/**
 * Makes the function that keeps those of some contacts that meet conditions. It throws where their records do not show what is
 * compared.
 */
export async function createFilter(
	client: Requester,
	{ conditions, clock }: ConditionSet,
): Promise<(contacts: IDataObject[]) => Promise<IDataObject[]>> {
	const matches = createMatcher(conditions, clock, await askService(client, conditions, clock));
	const needsTypes = conditions.conditions.some(({ field }) => field === 'channels');
	const needsInboxIds = conditions.conditions.some(({ field }) => field === 'inboxes');
	const keys = keysOf(conditions);
	const unseen = new Set(keys);
	return async (contacts) => {
		for (const key of unseen) if (contacts.some((contact) => key in contact)) unseen.delete(key);
		const [lacking] = contacts.length > 0 ? unseen : [];
		if (lacking !== undefined) throw notShown(lacking);
		if (needsInboxIds) checkInboxIds(contacts);
		if (keys.includes('tags')) checkIds(contacts, 'tags', 'id');
		if (keys.includes('contactCustomFields')) checkIds(contacts, 'contactCustomFields', 'customFieldId');
		const shown = needsTypes ? await withChannelTypes(client, contacts) : contacts;
		return contacts.filter((_, index) => matches(shown[index]));
	};
}

/** Keeps those contacts of pages that meet conditions. Throws as `keeperOf` says. */
export async function* filterContacts(
	client: Requester,
	segment: ConditionSet,
	pages: AsyncIterable<Page>,
): AsyncGenerator<Page, void, void> {
	const keep = await createFilter(client, segment);
	for await (const page of pages) {
		const met = new Set(await keep(page.rows));
		yield { ...page, rows: [...met], fresh: page.fresh.filter((row) => met.has(row)) };
	}
}

/** Characters of a filter in a URL; servers and what is in front of them refuse URLs that are much longer. */
const LONGEST_FILTER = 4000;

/**
 * Narrows a query by conditions, where the service says that it can and takes the filter: what it leaves out need not be
 * read. Elsewhere the query stays as it is, and the user is told that everything is read.
 */
export async function withServerFilter(
	client: Requester,
	{ conditions, clock }: ConditionSet,
	query: IDataObject,
): Promise<IDataObject> {
	// A filter that the user wrote narrows already.
	if (filtersContacts(query)) return query;
	const filter = toServerFilter(conditions, await filterFields(client), clock);
	// Services that say what they filter by take the filter as text.
	const contactFilter = JSON.stringify(filter ?? {});
	const isShort = encodeURIComponent(contactFilter).length <= LONGEST_FILTER;
	if (filter && isShort && !(await isRefused(client, filter))) return { ...query, contactFilter };
	client.hint?.(
		'The service cannot filter contacts by these conditions, so that all contacts were read and filtered by what their records show. In a large workspace this takes longer.',
	);
	return query;
}

/** Whether a service refuses such a filter, whatever values it compares with: these are in the form that it takes. */
async function isRefused(client: Requester, filter: ContactFilter): Promise<boolean> {
	const form = JSON.stringify(filter, (key, value: unknown) => (key === 'value' ? undefined : value));
	return await client.service.once(
		`filter is refused: ${form}`,
		async () => await isFilterRefused(client, JSON.stringify(filter)),
	);
}

/** The keys of a record that conditions look at. */
function keysOf({ conditions }: Conditions): string[] {
	const keys: Record<string, string> = {
		inboxes: 'contactInboxes',
		channels: 'contactInboxes',
		blocked: 'blockedAt',
		subscribed: 'subscribedAt',
		subscribedToBroadcasts: 'broadcastSubscribedAt',
	};
	return conditions
		.filter((condition) => !isServerOnly(condition))
		.map(({ field }) => (typeof field === 'object' ? 'contactCustomFields' : (keys[field] ?? field)));
}

/** Throws where the records of contacts show something else than a list, or entries of it without their IDs. */
function checkIds(contacts: IDataObject[], key: string, id: string) {
	for (const contact of contacts) {
		const entries = contact[key] ?? [];
		if (!Array.isArray(entries)) throw notShown(key);
		const hasId = (entry: unknown) => isDefined((entry as IDataObject | null)?.[id]);
		if (!entries.every(hasId)) throw notShown(`${key}.${id}`);
	}
}

const isDefined = (value: unknown) => value !== undefined && value !== null;

function notShown(key: string): ApiError {
	return new ApiError(
		`This service lists contacts without "${key}", so that the conditions on it cannot be checked. Leave these conditions out.`,
		{ outcome: 'notSent' },
	);
}
