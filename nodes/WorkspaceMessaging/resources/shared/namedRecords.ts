import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { contains } from '../../contacts/list/contactList';
import type { Endpoint } from '../../contract/endpoint';
import type { Item } from '../../execution/item';
import type { Operation } from '../../execution/operation';
import { readList } from '../../transport/pagination';
import { subjectOf } from '../../transport/request';
import { ignoreMissing, optional } from './fields';
import { subjectLocator } from './lookupFields';
import type { PanelLookup } from './lookups';
import { deleteUndocumented } from './undocumented';

/* What tags and custom fields share: both are records with a name. */

/**
 * Reads a list for an item; with a keyword, only the records whose name contains it. Some services ignore the keyword, so
 * the limit applies after this filter.
 */
export async function readByName(item: Item, endpoint: Endpoint): Promise<IDataObject[]> {
	const { query, limit } = item;
	const { keyword } = query;
	if (keyword === undefined) return await readList(item, endpoint, { query }, limit);
	const records = await readList(item, endpoint, { query });
	return records.filter(({ name }) => contains(String(name), String(keyword))).slice(0, limit);
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

		async run(item) {
			const { params } = item;
			const findMissing = async () => {
				const records = await readList(item, lookup.endpoints[0]);
				return records.some(({ id }) => String(id) === params[name]) ? undefined : subjectOf(params);
			};
			return [{ success: true, deleted: await deleteUndocumented(item, endpoint, findMissing), ...params }];
		},
	};
}
