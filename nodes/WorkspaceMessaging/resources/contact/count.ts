import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { PER_PAGE, SIDE_BY_SIDE } from '../../transport/pagination';
import { listContacts } from '../../contract';
import type { Item } from '../../execution/item';
import type { Operation } from '../../execution/operation';
import { hasChannelFilter } from '../../contacts/list/channelFilter';
import { conditionFields } from '../shared/conditionFields';
import { readContactPages } from '../../contacts/list/contactList';
import { contactFilters } from '../shared/contactFilters';
import { buildQuery } from '../../contacts/list/contactQuery';

const READING = { perPage: PER_PAGE, ahead: SIDE_BY_SIDE };

export const count: Operation = {
	name: 'Count',
	value: 'count',
	action: 'Count contacts',
	description: 'Count contacts, optionally only those that match conditions or filters',
	endpoint: listContacts,
	fields: [...conditionFields, contactFilters],
	output: z.object({ count: z.number() }),

	async run(item) {
		const { query, segment } = await buildQuery(item);
		const isServiceExact = !segment && !hasChannelFilter(query) && !/\s/.test(String(query.keyword ?? ''));
		const counted = isServiceExact ? await countedByService(item, query) : undefined;
		if (counted !== undefined) return [{ count: counted }];
		let read = 0;
		for await (const { fresh } of readContactPages(item, query, READING, segment)) read += fresh.length;
		return [{ count: read }];
	},
};

/** How many contacts a list has, where the service counts all of them and says so. */
async function countedByService(item: Item, query: IDataObject): Promise<number | undefined> {
	const body = await item.request(listContacts, { query: { ...query, page: 1, perPage: 1 } });
	const { totalCount, totalCountCapped } = (body ?? {}) as {
		totalCount?: unknown;
		totalCountCapped?: unknown;
	};
	return typeof totalCount === 'number' && totalCountCapped === false ? totalCount : undefined;
}
