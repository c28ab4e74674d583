import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../contract/endpoint';
import { readPagedList } from '../../service/lists/pages';
import { containsKeyword } from '../../values/names';
import type { Item } from '../../run/item';

/**
 * Reads a list for an item, such as that of the tags; with a keyword, only the records whose name
 * contains it. Some services ignore the keyword (difference 16), so the limit applies after this
 * filter.
 */
export async function readByName(item: Item, endpoint: Endpoint): Promise<IDataObject[]> {
	const { query, limit } = item;
	const { keyword } = query;
	if (keyword === undefined) return await readPagedList(item, endpoint, { query }, limit);
	const all = await readPagedList(item, endpoint, { query });
	const word = String(keyword);
	const found = all.filter(({ name }) => containsKeyword(String(name), word));
	return found.slice(0, limit);
}
