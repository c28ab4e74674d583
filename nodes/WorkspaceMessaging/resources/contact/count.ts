import { z } from 'zod/v4';
import { PER_PAGE, SIDE_BY_SIDE } from '../../service/lists/pages';
import { contactApi } from '../../contract/contact';
import { defineOperation } from '../../run/operation';
import { channelConditions } from '../../contacts/conditions/channelFilters';
import { buildListQuery, readContactPages } from '../../contacts/list';
import { conditionFields, contactFilters } from '../../panel/contactFilters';
import { number } from '../../contract/values';

/** The answer of a service that counts all contacts of a list, and says so. */
const exactCount = z.object({ totalCount: number, totalCountCapped: z.literal(false) });

export const count = defineOperation({
	name: 'Count',
	value: 'count',
	action: 'Count contacts',
	description: 'Count contacts, all or those that match conditions or filters',
	endpoint: contactApi.listContacts,
	fields: [...conditionFields, contactFilters],
	output: z.object({ count: number }),

	async run(item) {
		const contactQuery = await buildListQuery(item);
		const { query, conditionSet } = contactQuery;
		const hasSeveralWords = /\s/.test(String(query.keyword ?? ''));
		// The service cannot count by conditions that n8n compares itself.
		if (!conditionSet && !channelConditions(query) && !hasSeveralWords) {
			const body = await item.request(contactApi.listContacts, {
				query: { ...query, page: 1, perPage: 1 },
			});
			const { data } = exactCount.safeParse(body);
			if (data) return [{ count: data.totalCount }];
		}
		let total = 0;
		const pages = readContactPages(item, contactQuery, { perPage: PER_PAGE, ahead: SIDE_BY_SIDE });
		for await (const { fresh, startsOver } of pages) {
			if (startsOver) total = 0;
			total += fresh.length;
		}
		return [{ count: total }];
	},
});
