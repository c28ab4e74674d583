import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';
import { PER_PAGE, readPages, SIDE_BY_SIDE } from '../../transport/pagination';
import type { Page, ReadOptions } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { contactApi } from '../../contract/contact';
import type { AnyItem, Item } from '../../execution/item';
import { oncePerRun } from '../../execution/run';
import type { ConditionSet } from '../conditions/condition';
import { filterContacts, withServerFilter } from '../conditions/filterContacts';
import { parseConditions } from '../conditions/parse';
import { customFieldDefinitions } from '../customFields/definitions';
import { channelConditions } from './channels';
import { checkedContactFilter } from './contactFilter';
import { probe } from './serviceSupport';
import { readInOrder } from './sorting';

type ListQuery = z.output<typeof contactApi.listContacts.query>;

/** Which contacts to read. */
interface ContactQuery {
	/** Values of the list's query; its `contactFilter` is in the form that the service takes. */
	query: Omit<ListQuery, 'contactFilter'> & { contactFilter?: IDataObject | string };
	/** Conditions that n8n compares. */
	conditionSet?: ConditionSet;
}

const checkedFilter = oncePerRun(
	async (item: AnyItem, filter: string) => await checkedContactFilter(item, JSON.parse(filter)),
);

/** All items of a run are measured by the same moment. */
const now = oncePerRun(() => Date.now());

/** Returns the contacts that an item asks for, as a query. All items of a run share what n8n has to find out for it. */
export async function buildQuery(item: Item<object, ListQuery>): Promise<ContactQuery> {
	const clock = { timezone: item.run.context.getTimezone(), now: now(item) };
	const conditionSet = await parseConditions(
		(name, fallback) => item.parameter(name, fallback),
		clock,
		async () => await customFieldDefinitions(item),
		item.service,
	);
	const contactFilter = await checkedFilter(item, JSON.stringify(item.query.contactFilter ?? {}));
	const query = { ...item.query, contactFilter };
	return { query: conditionSet ? await withServerFilter(item, conditionSet, query) : query, conditionSet };
}

/**
 * Reads the contacts that match filters and meet conditions, page after page (part 4.1). n8n compares the records again, so
 * no service can list more contacts than the filters allow.
 */
export function readContactPages(
	client: Requester,
	{ query, conditionSet }: ContactQuery,
	options: ReadOptions = {},
): AsyncGenerator<Page, void, void> {
	return [channelConditions(query), conditionSet].reduce(
		(pages, conditions) => (conditions ? filterContacts(client, conditions, pages) : pages),
		readByKeyword(client, query, options),
	);
}

/**
 * Reads the contacts that match a query, in the order that it asks for.
 *
 * @param query also with `sort`, with `page` and `perPage`: where to start and how much to ask for. With conditions, pages
 * count the contacts that meet them
 * @param limit how many at most; infinite for all
 */
export async function readContacts(
	client: Requester,
	{ query: { sort = [], page = 1, perPage, ...filters }, conditionSet }: ContactQuery,
	limit = Infinity,
): Promise<IDataObject[]> {
	const size = perPage ?? Math.min(limit, PER_PAGE);
	const read = async (sortQuery: IDataObject, count: number, offset: number) => {
		// Only reading from the first contact shows how many meet conditions.
		const skipped = conditionSet ? offset : 0;
		const contacts: IDataObject[] = [];
		// If the contacts to come meet the conditions as often as those so far. Twice as many pages each time, if that is less.
		const pagesForCount = (pagesRead: number) =>
			Math.min(2 * pagesRead, Math.ceil((pagesRead * (skipped + count)) / contacts.length));
		const options: ReadOptions = conditionSet
			? {
					perPage: PER_PAGE,
					ahead: SIDE_BY_SIDE,
					pages: (_, pagesRead) => (count === Infinity ? Infinity : pagesForCount(pagesRead)),
				}
			: {
					from: 1 + offset / size,
					perPage: count === Infinity ? (perPage ?? PER_PAGE) : size,
					ahead: SIDE_BY_SIDE,
					pages: (rows) => Math.ceil(count / rows),
				};
		const query = { ...filters, ...sortQuery };
		for await (const { fresh } of readContactPages(client, { query, conditionSet }, options)) {
			for (const contact of fresh) contacts.push(contact);
			if (contacts.length >= skipped + count) break;
		}
		return contacts.slice(skipped, skipped + count);
	};
	const offset = (page - 1) * size;
	if (sort.length === 0) return await read({}, limit, offset);
	return await readInOrder(client, { sort, limit, offset, read });
}

/**
 * Reads contacts page after page (part 4.1), also by keyword. Some services look for the keyword in one name at a time, so
 * that "Ann Lee" finds nobody. If a keyword of several words finds nobody, n8n asks for its longest word, which must be part
 * of one of the names, and keeps the contacts whose full name contains the whole keyword.
 *
 * @param query values of the list's query, without `page` and `perPage`
 */
export async function* readByKeyword(
	client: Requester,
	query: IDataObject,
	options: ReadOptions = {},
): AsyncGenerator<Page, void, void> {
	const words = String(query.keyword ?? '')
		.split(/\s+/)
		.filter(Boolean);
	const isLaterPage = words.length > 1 && (options.from ?? 1) > 1;
	const findsNobody = isLaterPage && (await probe(client, query))?.length === 0;
	if (!findsNobody) {
		for await (const page of readPages(client, contactApi.listContacts, { query }, options)) {
			if (words.length > 1 && page.number === 1 && page.rows.length === 0) break;
			yield page;
			if (page.isLast) return;
		}
	}
	const longest = words.reduce((best, word) => (word.length > best.length ? word : best));
	const matches = (contact: IDataObject) => contains(nameOf(contact), words.join(' '));
	const byWord = { query: { ...query, keyword: longest } };
	for await (const page of readPages(client, contactApi.listContacts, byWord, options))
		yield { ...page, rows: page.rows.filter(matches), fresh: page.fresh.filter(matches) };
}

/** Whether a name contains a text, in upper or lower case. */
export function contains(name: string, text: string): boolean {
	return name.toLocaleLowerCase().includes(text.toLocaleLowerCase());
}

function nameOf({ fullName, firstName, lastName }: IDataObject): string {
	const parts = [firstName, lastName].filter(Boolean).join(' ');
	return String(fullName || parts).replace(/\s+/g, ' ');
}
