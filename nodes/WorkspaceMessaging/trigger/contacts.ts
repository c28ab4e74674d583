import type { IDataObject } from 'n8n-workflow';
import { isRefusal } from '../transport/errors/errors';
import { readList, readPages } from '../transport/pagination';
import type { Page, ReadOptions } from '../transport/pagination';
import type { Requester } from '../transport/request';
import { rethrow } from '../transport/rethrow';
import { listContacts, listCustomFields } from '../contract';
import { channelConditions } from '../contacts/list/channels';
import { createFilter, withServerFilter } from '../contacts/conditions/filterContacts';
import { simplifyContact } from '../contacts/simplify';
import { sortFormsFor } from '../contacts/list/serviceSupport';
import type { Settings } from './types';

export type TimeField = 'createdAt' | 'updatedAt';

/**
 * Reads contacts page after page, as the service lists them. What is remembered, and how the list is sorted, is judged by
 * these; which of them are of interest, `matching` says.
 */
export function contactPages(
	client: Requester,
	query: IDataObject,
	options: ReadOptions,
): AsyncGenerator<Page, void, void> {
	return readPages(client, listContacts, { query }, options);
}

/** Which contacts events are about. */
export type Selection = Pick<Settings, 'filters' | 'conditionSet'>;

/** Those of some contacts that match the filters, although the service may not apply them, and meet the conditions. */
export async function matching(
	client: Requester,
	{ filters, conditionSet }: Selection,
	contacts: IDataObject[],
): Promise<IDataObject[]> {
	let kept = contacts;
	for (const conditions of [channelConditions(filters), conditionSet]) {
		if (!conditions || kept.length === 0) continue;
		const filter = await createFilter(client, conditions);
		kept = await filter(kept);
	}
	return kept;
}

/**
 * Looks for an example among the contacts that changed last, where the service sorts, else among the first of its list.
 *
 * @param pages how many pages of how many contacts are looked through
 */
export async function findContact(
	client: Requester,
	selection: Selection,
	field: TimeField,
	{ pages, perPage }: { pages: number; perPage: number },
	matches: (contact: IDataObject) => boolean = () => true,
): Promise<IDataObject | undefined> {
	const { filters, conditionSet: segment } = selection;
	const narrow = segment ? await withServerFilter(client, segment, filters) : filters;
	const look = async (query: IDataObject): Promise<IDataObject | undefined> => {
		for await (const { number, rows } of contactPages(client, query, { perPage })) {
			const found = (await matching(client, selection, rows)).find(matches);
			if (found || number === pages) return found;
		}
		return undefined;
	};
	const [form] = sortFormsFor(client);
	return await look({ ...narrow, ...form([{ field, order: 'desc' }]) }).catch(async (error: unknown) =>
		isRefusal(error) ? await look(narrow) : await rethrow(error),
	);
}

/**
 * Makes output items of contacts: as the service has them, or simplified as by the operations of a contact, with custom
 * field values by the fields' names. These are read only when one of the contacts has a value; where they cannot be read,
 * the values come by the fields' IDs.
 *
 * @returns new objects, to which more can be added
 */
export async function toItems(
	client: Requester,
	contacts: IDataObject[],
	simplify: boolean,
): Promise<IDataObject[]> {
	if (!simplify) return contacts.map((contact) => ({ ...contact }));
	const hasValues = contacts.some(
		({ contactCustomFields: values }) => Array.isArray(values) && values.length > 0,
	);
	const definitions = hasValues ? await readList(client, listCustomFields).catch(() => []) : [];
	const names = new Map(definitions.map(({ id, name }) => [String(id), String(name)]));
	return contacts.map((contact) => simplifyContact(contact, names));
}
