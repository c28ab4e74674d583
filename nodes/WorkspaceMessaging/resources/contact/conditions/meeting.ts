import type { IDataObject } from 'n8n-workflow';
import { ApiError } from '../../../api/errors';
import type { Page } from '../../../api/pagination';
import type { Requester } from '../../../api/request';
import { rethrow } from '../../../api/rethrow';
import { listFilterFields } from '../../../contract/beyondReference';
import { withChannelTypes } from '../channelFilter';
import { isFilterRefused } from '../contactFilter';
import type { Conditions, Segment } from './condition';
import { matcherOf } from './evaluate';
import { narrowingFilter } from './translate';
import type { FilterFields } from './translate';

/** Keeps those contacts of pages that meet conditions. Throws where their records do not show what is compared. */
export async function* meeting(
	client: Requester,
	{ conditions, clock }: Segment,
	pages: AsyncIterable<Page>,
): AsyncGenerator<Page, void, void> {
	const matches = matcherOf(conditions, clock);
	const needsTypes = conditions.conditions.some(({ field }) => field === 'channels');
	const unseen = new Set(keysOf(conditions));
	for await (const page of pages) {
		for (const key of unseen) if (page.rows.some((row) => key in row)) unseen.delete(key);
		const [lacking] = page.rows.length > 0 ? unseen : [];
		if (lacking !== undefined) throw notShown(lacking);
		const shown = needsTypes ? await withChannelTypes(client, page.rows) : page.rows;
		const met = new Set(page.rows.filter((_, index) => matches(shown[index])));
		yield { ...page, rows: [...met], fresh: page.fresh.filter((row) => met.has(row)) };
	}
}

/**
 * Narrows a query by conditions, where the service says that it can and takes the filter: what it leaves out need not be
 * read. Elsewhere the query stays as it is, and the user is told that everything is read.
 */
export async function narrowed(
	client: Requester,
	{ conditions, clock }: Segment,
	query: IDataObject,
): Promise<IDataObject> {
	// A filter that the user wrote narrows already.
	if (query.contactFilter !== undefined) return query;
	const filter = narrowingFilter(conditions, await filterFields(client), clock);
	const contactFilter = filter && JSON.stringify(filter);
	if (contactFilter !== undefined && !(await isFilterRefused(client, contactFilter)))
		return { ...query, contactFilter };
	client.hint?.(
		'The service cannot filter contacts by these conditions, so that all contacts were read and filtered by what their records show. In a large workspace this takes longer.',
	);
	return query;
}

/** What the service says that it filters by; nothing where it does not say. */
async function filterFields(client: Requester): Promise<FilterFields> {
	return await client.service.once('fields to filter contacts by', async () => {
		try {
			return (await client.request(listFilterFields)) as FilterFields;
		} catch (error) {
			const { status = 500 } = error instanceof ApiError ? error.details : {};
			return status < 500 ? {} : await rethrow(error);
		}
	});
}

/** The keys of a record that conditions look at. */
function keysOf({ conditions }: Conditions): string[] {
	const keys: Record<string, string> = {
		inboxes: 'contactInboxes',
		channels: 'contactInboxes',
		blocked: 'blockedAt',
		subscribed: 'subscribedAt',
		subscribedToBroadcasts: 'broadcastSubscribedAt',
	};
	return conditions.map(({ field }) =>
		typeof field === 'object' ? 'contactCustomFields' : (keys[field] ?? field),
	);
}

function notShown(key: string): ApiError {
	return new ApiError(
		`This service lists contacts without "${key}", so that the conditions on it cannot be checked. Leave these conditions out.`,
		{ outcome: 'notSent' },
	);
}
