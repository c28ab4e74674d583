import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { contains, readByKeyword } from '../contacts/list/contactList';
import { lookups } from '../resources/shared/lookups';
import type { PanelLookup } from '../resources/shared/lookups';
import { readPages } from '../transport/pagination';
import type { Page, ReadOptions } from '../transport/pagination';
import type { Requester } from '../transport/request';
import { connect, endpointOf, toEntry, withIds } from './entries';
import type { Entry } from './entries';

/** How many entries a picker shows at a time. */
const PER_PAGE = 50;
/**
 * How long one call looks for matches if the service cannot search. The editor asks for more when the user scrolls to the
 * end, which is impossible as long as the matches do not fill the list.
 */
const MAX_SEARCH_MS = 8000;

/**
 * Returns the next entries of a list.
 *
 * @param filter what the user typed
 * @param token the page to read next, and the ID of the first record of the page before
 */
async function findEntries(
	lookup: PanelLookup,
	client: Requester,
	filter = '',
	token = '1',
): Promise<INodeListSearchResult> {
	const [{ query }] = lookup.endpoints;
	const canSearch = query !== undefined && 'keyword' in query.shape;
	// A service may ignore the keyword. If it only searches the label, this filter corrects that.
	const isFilteredHere = filter !== '' && !(canSearch && lookup.searchesMore);
	const minEntries = isFilteredHere ? PER_PAGE : 1;
	const endsAt = Date.now() + MAX_SEARCH_MS;
	// By ID, because records can move to another page during the search.
	const found = new Map<string, Entry>();
	const [from, lastFirstId] = token.split(/:(.*)/s);
	let firstId = lastFirstId;
	const options = { from: Number(from), perPage: PER_PAGE };
	const pages = pagesOf(lookup, client, filter && canSearch ? { keyword: filter } : {}, options);
	for await (const { rows, number, isLast } of pages) {
		// A service that ignores the page number returns its first page again.
		if (rows.length > 0 && String(rows[0].id) === firstId) break;
		for (const entry of rows.map((row) => toEntry(lookup, row)))
			if (!isFilteredHere || contains(entry.name, filter)) found.set(entry.value, entry);
		if (isLast) break;
		firstId = String(rows[0]?.id);
		if (found.size >= minEntries || Date.now() >= endsAt)
			return { results: withIds([...found.values()]), paginationToken: `${number + 1}:${firstId}` };
	}
	return { results: withIds([...found.values()]) };
}

/** Reads a list page after page. */
async function* pagesOf(
	lookup: PanelLookup,
	client: Requester,
	query: IDataObject,
	options: ReadOptions,
): AsyncGenerator<Page, void, void> {
	if (lookup === lookups.contacts) yield* readByKeyword(client, query, options);
	else yield* readPages(client, await endpointOf(lookup, client), { query }, options);
}

/** Returns the method that fills a locator: page after page, filtered by what the user types. */
function search(lookup: PanelLookup) {
	return async function (this: ILoadOptionsFunctions, filter?: string, token?: string) {
		const entries = connect(this).then(async (client) => await findEntries(lookup, client, filter, token));
		return await entries.catch(({ message }: Error) => {
			throw new NodeApiError(
				this.getNode(),
				{ message },
				{
					message: `The list cannot be shown. ${message}`,
					description: 'Switch from "From List" to "ID" to enter the ID yourself.',
				},
			);
		});
	};
}

/** The methods that fill the "From List" mode of locators. */
export const listSearch = Object.fromEntries(
	Object.values<PanelLookup>(lookups).map((lookup) => [lookup.searchMethod, search(lookup)]),
);
