import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { readPages } from '../transport/pagination';
import { contains } from '../contacts/list/contains';
import { lookups } from '../resources/shared/lookups';
import type { Lookup } from '../resources/shared/lookups';
import { connect } from './connect';
import { withIds } from './entries';

/** Entries that a picker shows at a time. */
const PER_PAGE = 50;
/**
 * For how long a list is looked through for matches at a time, where the service cannot search. The editor asks for more
 * when the user scrolls to the end, which nobody can do while what is found does not fill the list.
 */
const LOOKS_FOR_MS = 8000;

/**
 * Makes the function that fills a locator's list: page after page, narrowed by what the user types, by the service where it
 * can search, else here.
 */
function search({ endpoint, endpointOf, toEntry, read, searchesMore }: Lookup) {
	const canSearch = endpoint.query !== undefined && 'keyword' in endpoint.query.shape;
	// A service may ignore the keyword: where it looks at nothing but what is shown, this can be seen here.
	const filtersHere = !canSearch || !searchesMore;

	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		// By ID, because rows can move from one page to the next while they are read.
		const found = new Map<unknown, INodeListSearchItems>();
		const enough = filter && filtersHere ? PER_PAGE : 1;
		const started = Date.now();
		// The token: the page to read next, and the first record of the page before, by which an end is noticed.
		const [from = '1', seen = ''] = paginationToken?.split(/:(.*)/s) ?? [];
		let firstSeen = seen;
		const query: IDataObject = filter && canSearch ? { keyword: filter } : {};
		try {
			const client = await connect(this);
			const options = { from: Number(from), perPage: PER_PAGE };
			const list = (await endpointOf?.(client)) ?? endpoint;
			const pages = read ? read(client, query, options) : readPages(client, list, { query }, options);
			for await (const { number, rows, isLast } of pages) {
				const isRepeated = rows.length > 0 && String(rows[0].id) === firstSeen;
				if (isRepeated) break;
				for (const entry of rows.map(toEntry)) {
					if (!filter || !filtersHere || contains(entry.name, filter)) found.set(entry.value, entry);
				}
				if (isLast) break;
				firstSeen = String(rows[0]?.id);
				if (found.size >= enough || Date.now() - started >= LOOKS_FOR_MS)
					return { results: withIds(found.values()), paginationToken: `${number + 1}:${firstSeen}` };
			}
			return { results: withIds(found.values()) };
		} catch (error) {
			const { message } = error as Error;
			throw new NodeApiError(
				this.getNode(),
				{ message },
				{
					message: `The list cannot be shown. ${message}`,
					description: 'Switch from "From List" to "ID" to enter the ID yourself.',
				},
			);
		}
	};
}

/** What fills the "From List" mode of locators, by the names that these use. */
export const listSearch = Object.fromEntries(
	Object.values<Lookup>(lookups).map((list) => [list.searchMethod, search(list)]),
);
