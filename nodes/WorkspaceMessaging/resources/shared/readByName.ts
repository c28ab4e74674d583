import type { IDataObject } from 'n8n-workflow';
import { readList } from '../../transport/pagination';
import type { Endpoint } from '../../contract';
import type { Item } from '../../execution/item';
import { contains } from '../../contacts/list/contains';

/**
 * Reads a list as an item asks for it; with a keyword, only the records whose name contains it. Services are known that
 * ignore the keyword: then the first records need not be the wanted ones, so that all are read.
 */
export async function readByName(item: Item, endpoint: Endpoint): Promise<IDataObject[]> {
	const { query, limit } = item;
	const { keyword } = query;
	if (keyword === undefined) return await readList(item, endpoint, { query }, limit);
	const records = await readList(item, endpoint, { query });
	return records.filter(({ name }) => contains(String(name), String(keyword))).slice(0, limit);
}
