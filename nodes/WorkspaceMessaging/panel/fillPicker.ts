import type { IDataObject, INodeListSearchResult } from 'n8n-workflow';
import { findChannelListEndpoint } from '../service/capabilities';
import { searchContactPages } from '../contacts/list';
import { readPages, type Pages } from '../service/lists/pages';
import type { Requester } from '../transport/request';
import { compareByName, containsKeyword } from '../values/names';
import { toEntry, withIds, type ListEntry } from './lookups/listEntries';
import { lookups } from './lookups';
import type { Lookup } from './lookups/lookup';

/** What the user chose in the same node. */
interface Chosen {
	/** The channel. */
	inboxId: string | undefined;
	/** The IDs of the channels of the contact. */
	own: string[];
}

/** An entry of a picker. */
interface PickerEntry extends ListEntry {
	/** Whether it comes before all others, because it is of a channel of the contact. */
	isFirst: boolean;
}

/** How many entries a picker gets at a time, and how many the service puts on a page. */
const ENTRIES_PER_PAGE = 50;
/**
 * How long one call looks for matches if the service cannot search. It looks for many, because a
 * list too short to scroll never asks for more.
 */
const MAX_SEARCH_MS = 8000;

/**
 * Returns the next entries of a picker: at least 50 if there are as many, because the editor asks
 * for more only when the user scrolls, and a short list has nothing to scroll.
 *
 * @param chosen the channel that the user chose in the same node, and those of the contact
 * @param typed what the user typed
 * @param token where the call before has ended; see `makeToken`
 */
export async function fillPicker(
	lookup: Lookup,
	client: Requester,
	chosen: Chosen,
	typed: string,
	token = makeToken(1, ''),
): Promise<INodeListSearchResult> {
	const { search, comparesLabels } = planSearch(lookup, typed);
	const isMatch = ({ name }: ListEntry) => !comparesLabels || containsKeyword(name, typed);
	const endsAt = Date.now() + MAX_SEARCH_MS;
	const { from, firstIdBefore } = parseToken(token);
	let firstId = firstIdBefore;
	// By ID, because records can move to another page during the search.
	const found = new Map<string, PickerEntry>();
	for await (const { rows, number, isLast } of readEntryPages(lookup, client, search, from)) {
		// A service that ignores the page number returns its first page again (difference 5).
		if (rows.length > 0 && String(rows[0].id) === firstId) break;
		const matching = toPickerEntries(lookup, rows, chosen).filter(isMatch);
		for (const entry of matching) found.set(entry.value, entry);
		if (isLast) break;
		if (rows.length > 0) firstId = String(rows[0].id);
		if (found.size >= ENTRIES_PER_PAGE || Date.now() >= endsAt) {
			const paginationToken = makeToken(number + 1, firstId);
			return { results: toResults(lookup, found), paginationToken };
		}
	}
	return { results: toResults(lookup, found) };
}

/**
 * Says where the next call goes on. It remembers nothing of this one, so the token also has the ID
 * of the first record of the page before: `3:1702`.
 */
const makeToken = (page: number, firstIdBefore: string) => `${page}:${firstIdBefore}`;

function parseToken(token: string) {
	const [page, ...id] = token.split(':');
	return { from: Number(page), firstIdBefore: id.join(':') };
}

/** Returns what to ask the service for, and whether n8n compares the labels itself. */
function planSearch(lookup: Lookup, typed: string) {
	if (typed === '') return { search: {}, comparesLabels: false };
	const { query } = lookup.endpoint;
	const canSearch = query !== undefined && 'keyword' in query.shape;
	if (!canSearch) return { search: {}, comparesLabels: true };
	// A service may ignore the keyword, so n8n compares the labels, too. Not if the service also
	// searches other fields: n8n would drop what it found there.
	return { search: { keyword: typed }, comparesLabels: lookup.searchesMore !== true };
}

/** Returns the entries of records that the list shows beside the channel that the user chose. */
function toPickerEntries(
	lookup: Lookup,
	rows: IDataObject[],
	{ inboxId, own }: Chosen,
): PickerEntry[] {
	const { isOffered = () => true, isOfChannels = () => false } = lookup;
	const offered = rows.filter((row) => isOffered(row, inboxId));
	return offered.map((row) => ({
		...toEntry(lookup, row, offered),
		isFirst: isOfChannels(row, own),
	}));
}

function toResults(lookup: Lookup, found: Map<string, PickerEntry>): ListEntry[] {
	const entries = withIds([...found.values()]);
	// Nobody knows a contact by its place in a list of names.
	if (lookup !== lookups.contacts)
		entries.sort((a, b) => Number(b.isFirst) - Number(a.isFirst) || compareByName(a, b));
	return entries.map(({ name, value }) => ({ name, value }));
}

/** Reads a list page after page. */
async function* readEntryPages(
	lookup: Lookup,
	client: Requester,
	query: IDataObject,
	from: number,
): Pages {
	const options = { from, perPage: ENTRIES_PER_PAGE };
	const endpoint = await findChannelListEndpoint(client, lookup.endpoint);
	const getPages = (ownQuery: IDataObject) =>
		readPages(client, endpoint, { query: ownQuery }, options);
	if (lookup === lookups.contacts) yield* searchContactPages(client, query, from, getPages);
	else yield* getPages(query);
}
