import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Endpoint } from '../contract';
import { contains } from '../resources/shared/contains';
import { callOf } from '../routing/call';
import { openClient } from '../routing/client';
import { rowsOf } from '../routing/pages';

/** Entries that a picker shows at a time. */
const PER_PAGE = 50;
/**
 * For how long a list is looked through for matches at a time, where the service cannot search. The editor asks for more
 * when the user scrolls to the end, which nobody can do while what is found does not fill the list.
 */
const LOOKS_FOR_MS = 8000;

/** Looking things up for a picker: nobody waits half a minute in front of a list. */
export const pickerSettings = {
	retry: { maxRetries: 2, giveUpAfterMs: 10_000, waitAtMostMs: 10_000 },
	transport: { timeout: 15_000 },
};

/**
 * Makes the function that fills a picker from a list of the API.
 *
 * @param endpoint the list
 * @param toEntry how a record is shown
 * @returns entries page after page; what the user types narrows them, by the service where it can search, else here
 */
export function search(endpoint: Endpoint, toEntry: (record: IDataObject) => INodeListSearchItems) {
	const canSearch = endpoint.query !== undefined && 'keyword' in endpoint.query.shape;
	// A service may ignore a keyword that the API does not document.
	const filtersHere = !canSearch || endpoint.undocumented !== undefined;

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
		const [nextPage = '1', seen = ''] = paginationToken?.split(/:(.*)/s) ?? [];
		let page = Number(nextPage);
		let firstSeen = seen;
		try {
			const client = await openClient(this, pickerSettings);
			const caller = client.caller(this);
			do {
				const query: IDataObject = endpoint.query ? { page, perPage: PER_PAGE } : {};
				if (filter && canSearch) query.keyword = filter;
				const body = await caller.send(callOf(endpoint, { query }));
				const rows = rowsOf(body);
				if (rows.length === 0 || String(rows[0].id) === firstSeen)
					return { results: withIds(found.values()) };

				for (const entry of rows.map(toEntry)) {
					if (!filter || !filtersHere || contains(entry.name, filter)) found.set(entry.value, entry);
				}
				const { pageCount } = body as { pageCount?: number };
				// A service that gives less than asked may have counted its pages by what was asked.
				const isLast = pageCount !== undefined && page >= pageCount && rows.length >= PER_PAGE;
				if (endpoint.list === 'onePage' || isLast) return { results: withIds(found.values()) };
				firstSeen = String(rows[0].id);
				page++;
			} while (found.size < enough && Date.now() - started < LOOKS_FOR_MS);
			return { results: withIds(found.values()), paginationToken: `${page}:${firstSeen}` };
		} catch (error) {
			const { message } = error as Error;
			throw new NodeApiError(
				this.getNode(),
				{ message },
				{
					message: `The list cannot be shown. ${message}`,
					description: 'Switch from "From List" to "By ID" to enter the ID yourself.',
				},
			);
		}
	};
}

/** Entries with their IDs behind names that several of them have. */
export function withIds<T extends { name: string; value: unknown }>(entries: Iterable<T>): T[] {
	const all = [...entries];
	const times = new Map<string, number>();
	for (const { name } of all) times.set(name, (times.get(name) ?? 0) + 1);
	return all.map((entry) =>
		times.get(entry.name) === 1 ? entry : { ...entry, name: `${entry.name} – ID ${String(entry.value)}` },
	);
}
