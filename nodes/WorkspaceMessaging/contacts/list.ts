import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';
import { isRefusal, onApiError, type ApiError } from '../transport/errors/ApiError';
import { PER_PAGE, SIDE_BY_SIDE, type Page, type Pages } from '../service/lists/pages';
import { MovingListReader, type MovingListOptions } from '../service/lists/movingLists';
import type { Requester } from '../transport/request';
import { contactApi } from '../contract/contact';
import type { AnyItem, Item } from '../run/item';
import { oncePerRun } from '../run/run';
import { containsKeyword, findLongestWord, withSingleSpaces } from '../values/names';
import type { ConditionSet } from './conditions/condition';
import { filterContacts, withServerFilter } from './conditions/filterContacts';
import { parseConditions } from './conditions/parse';
import { customFieldDefinitions } from './customFields/definitions';
import { channelConditions } from './conditions/channelFilters';
import { checkedContactFilter } from '../service/filterForm';
import { getFullName } from './fullName';
import { probeContacts } from '../service/contacts';
import { isSorted, type SortField } from '../service/contactOrder';
import { sortContacts, startsWithSortValue } from './sort';
import { getSortForms, sortsBy } from '../service/sortForm';

type ListQuery = z.output<typeof contactApi.listContacts.query>;

/** Which contacts to read. */
interface ContactQuery {
	/** Values of the list's query; its `contactFilter` is in the form that the service takes. */
	query: Omit<ListQuery, 'contactFilter'> & { contactFilter?: IDataObject | string };
	/** Conditions that n8n compares. */
	conditionSet?: ConditionSet;
}

/** Items with the same filter share the answer. */
const checkedFilter = oncePerRun((item: AnyItem, filter: unknown) =>
	checkedContactFilter(item, filter),
);

/** All items of a run use the same "now". */
const now = oncePerRun(() => Date.now());

/**
 * Builds the query for an item's contacts. All items of a run share what n8n has to find out for
 * it.
 */
export async function buildListQuery(item: Item<object, ListQuery>): Promise<ContactQuery> {
	const conditionSet = await readConditions(item);
	const contactFilter = await checkedFilter(item, item.query.contactFilter);
	const query = { ...item.query, contactFilter };
	if (!conditionSet) return { query };
	const filteredQuery = await withServerFilter(item, conditionSet, query);
	return { query: filteredQuery, conditionSet };
}

/** Reads the conditions of an item; undefined if it has none. */
async function readConditions(item: Item<object, ListQuery>) {
	const clock = { timezone: item.run.timezone, now: now(item) };
	const readParameter = (name: string, fallback: unknown) => item.parameter(name, fallback);
	const readDefinitions = () => customFieldDefinitions(item);
	return await parseConditions(readParameter, clock, readDefinitions, item);
}

/**
 * Reads the contacts that match filters and meet conditions, page after page (part 4.1). n8n
 * compares the records again, so no service can list more contacts than the filters allow. If
 * contacts move up meanwhile, the list starts over.
 */
export function readContactPages(
	client: Requester,
	{ query, conditionSet }: ContactQuery,
	options: MovingListOptions = {},
): Pages {
	const getPages: GetPages = (ownQuery, mayMatchFew = false) => {
		const parts = { query: ownQuery };
		// Then nobody knows how many pages are needed.
		const ownOptions = mayMatchFew ? { ...options, atMost: undefined } : options;
		return new MovingListReader(client, contactApi.listContacts, parts, ownOptions).pages();
	};
	let pages = searchContactPages(client, query, options.from, getPages);
	const onChannels = channelConditions(query);
	if (onChannels) pages = filterContacts(client, onChannels, pages);
	if (conditionSet) pages = filterContacts(client, conditionSet, pages);
	return pages;
}

/**
 * Reads the contacts that match a query, in the order that it asks for.
 *
 * @param query also with `sort`, and with `page` and `perPage`: where to start and how much to ask
 * for. With conditions, a page has contacts that meet them
 * @param limit how many at most; infinite for all
 */
export async function readContacts(
	client: Requester,
	{ query, conditionSet }: ContactQuery,
	limit = Infinity,
): Promise<IDataObject[]> {
	const { sort = [], page = 1, perPage, ...filters } = query;
	const pageSize = perPage ?? Math.min(limit, PER_PAGE);
	const part: ListPart = { limit, offset: (page - 1) * pageSize, perPage };
	const unsorted = { query: filters, conditionSet };
	if (sort.length === 0) return await readPart(client, unsorted, part);
	return await readInOrder(client, unsorted, sort, part);
}

/** A part of a list: up to `limit` contacts after the first `offset`. */
interface ListPart {
	/** Infinite for all. */
	limit: number;
	offset: number;
	/** How many contacts to request at once; as many as one page can have if empty. */
	perPage?: number;
}

async function readPart(
	client: Requester,
	contactQuery: ContactQuery,
	{ limit, offset, perPage = Math.min(limit, PER_PAGE) }: ListPart,
) {
	const { query, conditionSet } = contactQuery;
	// Only reading from the first contact shows how many meet conditions.
	const skipped = conditionSet ? offset : 0;
	const contacts: IDataObject[] = [];
	const options: MovingListOptions = {
		ahead: SIDE_BY_SIDE,
		isEnough: () => contacts.length >= skipped + limit,
	};
	if (!conditionSet) {
		options.from = 1 + offset / perPage;
		options.perPage = perPage;
		const countPages = (rows: number) => Math.ceil(limit / rows);
		options.pages = countPages;
		// Nobody knows how many contacts are on the channels.
		if (!channelConditions(query)) options.atMost = countPages;
	} else if (limit !== Infinity) {
		// If later contacts meet the conditions as often as those so far; at most twice as many pages
		// each time.
		options.pages = (_, pagesRead) => {
			const needed = Math.ceil((pagesRead * (skipped + limit)) / contacts.length);
			return Math.min(2 * pagesRead, needed);
		};
	}
	for await (const { fresh, startsOver } of readContactPages(client, contactQuery, options)) {
		if (startsOver) contacts.length = 0;
		for (const contact of fresh) contacts.push(contact);
	}
	return contacts.slice(skipped, skipped + limit);
}

/**
 * Reads contacts in an order, whether or not the service sorts. n8n sorts a list that it has read
 * whole. A part of a list is only right if the service sorts by this one field and has put contacts
 * without a value last; otherwise n8n reads the whole list: ten contacts that are not the newest
 * ten are worse than a list that takes long.
 *
 * Throws if contacts do not have such a field, in the service's words if it refused the field.
 */
async function readInOrder(
	client: Requester,
	unsorted: ContactQuery,
	sort: readonly SortField[],
	part: ListPart,
) {
	const { limit, offset } = part;
	let refusal: ApiError | undefined;
	const rememberRefusal = (error: ApiError) => {
		refusal ??= error;
	};
	for (const form of getSortForms(client)) {
		const sorted = { ...unsorted, query: { ...unsorted.query, ...form(sort) } };
		const contacts = await readPart(client, sorted, part).catch(
			onApiError(isRefusal, rememberRefusal),
		);
		if (!contacts) continue;
		const isAll = contacts.length < limit && offset === 0;
		if (isAll) return sortContacts(contacts, sort, refusal);
		// Some services sort by the first of several fields alone (difference 15).
		if (sort.length > 1) continue;
		const isInOrder = startsWithSortValue(contacts, sort) && isSorted(contacts, sort);
		if (!isInOrder) continue;
		// They can be in order by chance.
		const [{ field }] = sort;
		if (await sortsBy(client, form, field)) return contacts;
	}
	const all = await readPart(client, unsorted, { ...part, limit: Infinity, offset: 0 });
	return sortContacts(all, sort, refusal).slice(offset, offset + limit);
}

/**
 * Returns the pages of a query: of a list that may move, or as they come.
 *
 * @param mayMatchFew whether n8n chooses among the contacts
 */
type GetPages = (query: IDataObject, mayMatchFew?: boolean) => Pages;

/**
 * Reads contacts page after page (part 4.1), also by keyword. Some services look for the keyword in
 * one name at a time (difference 16), so that "Ann Lee" finds nobody. If a keyword of several words
 * finds nobody, n8n asks for its longest word, which must be part of one of the names, and keeps
 * the contacts whose full name contains the whole keyword.
 *
 * @param query values of the list's query, without `page` and `perPage`
 * @param from the number of the first page
 */
export async function* searchContactPages(
	client: Requester,
	query: IDataObject,
	from = 1,
	getPages: GetPages,
): Pages {
	const keyword = String(query.keyword ?? '').trim();
	const words = keyword.split(/\s+/);
	// Without a keyword, that is one empty word.
	if (words.length === 1) {
		yield* getPages(query);
		return;
	}
	const isFound = yield* readIfFound(client, query, from, getPages);
	if (!isFound) yield* readByLongestWord(words, query, getPages);
}

/** Reads the pages of a query; returns whether it finds anybody. */
async function* readIfFound(
	client: Requester,
	query: IDataObject,
	from: number,
	getPages: GetPages,
): AsyncGenerator<Page, boolean, void> {
	if (from > 1) {
		const contacts = await probeContacts(client, query);
		if (contacts?.length === 0) return false;
	}
	for await (const page of getPages(query)) {
		if (page.number === 1 && page.rows.length === 0) return false;
		yield page;
	}
	return true;
}

/** Reads the contacts of the longest word whose full name contains all words, one after another. */
async function* readByLongestWord(words: string[], query: IDataObject, getPages: GetPages): Pages {
	const keyword = words.join(' ');
	const longest = findLongestWord(keyword);
	const matches = (contact: IDataObject) =>
		containsKeyword(withSingleSpaces(getFullName(contact)), keyword);
	for await (const page of getPages({ ...query, keyword: longest }, true)) {
		const rows = page.rows.filter(matches);
		const fresh = page.fresh.filter(matches);
		yield { ...page, rows, fresh };
	}
}
