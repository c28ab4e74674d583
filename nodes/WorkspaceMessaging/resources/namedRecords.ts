import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { containsKeyword } from '../contacts/list';
import type { Endpoint } from '../contract/endpoint';
import type { Item } from '../run/item';
import type { Operation } from '../run/operation';
import { readList } from '../transport/lists/pages';
import { ignoreMissing, optional } from '../panel/fields';
import { type PanelLookup, subjectLocator } from '../panel/lookups';
import { deleteIfExists } from '../run/deleteIfExists';

/* What tags and custom fields share: both are records with a name. */

/**
 * Reads a list for an item; with a keyword, only the records whose name contains it. Some services ignore the keyword
 * (difference 16), so the limit applies after this filter.
 */
export async function readByName(item: Item, endpoint: Endpoint): Promise<IDataObject[]> {
	const { query, limit } = item;
	const { keyword } = query;
	if (keyword === undefined) return await readList(item, endpoint, { query }, limit);
	const records = await readList(item, endpoint, { query });
	return records.filter(({ name }) => containsKeyword(String(name), String(keyword))).slice(0, limit);
}

/** Returns the operation that deletes a record; `name` is the parameter that holds its ID. */
export function deleteOperation(lookup: PanelLookup, name: string, endpoint: Endpoint): Operation {
	return {
		name: 'Delete',
		value: 'delete',
		action: `Delete ${lookup.noun}`,
		description: `Delete a ${lookup.noun} permanently`,
		endpoint,
		fields: [subjectLocator(lookup, name), optional('options', [ignoreMissing])],
		output: z.object({ success: z.literal(true), deleted: z.boolean(), [name]: z.string() }),

		run: async (item) => [{ success: true, deleted: await deleteIfExists(item, endpoint), ...item.params }],
	};
}
