import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { contains } from '../../contacts/list/contactList';
import type { Endpoint } from '../../contract/endpoint';
import { limits } from '../../contract/limits';
import type { Item } from '../../execution/item';
import type { Field, Operation } from '../../execution/operation';
import { readList } from '../../transport/pagination';
import { subjectOf } from '../../transport/request';
import { ignoreMissing, inBody, optional } from './fields';
import { subjectLocator } from './lookupFields';
import type { Lookup } from './lookups';
import { deleteUndocumented } from './undocumented';

/* What tags and custom fields share: records with a name, in a folder. */

/** The name of a record. */
export function nameField(placeholder: string, rule: string): Field {
	return inBody({
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder,
		description: `${limits.name.min} to ${limits.name.max} characters${rule}`,
	});
}

/** The folder of a record; the API has no list of folders. */
export function folderField(description: string): Field {
	return inBody({
		displayName: 'Folder ID',
		name: 'folderId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 4711',
		description,
	});
}

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
export function deleteOperation(lookup: Lookup, name: string, endpoint: Endpoint): Operation {
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
				const records = await readList(item, lookup.endpoint);
				return records.some(({ id }) => String(id) === params[name]) ? undefined : subjectOf(params);
			};
			return [{ success: true, deleted: await deleteUndocumented(item, endpoint, findMissing), ...params }];
		},
	};
}
