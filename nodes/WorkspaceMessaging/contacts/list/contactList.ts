import type { IDataObject } from 'n8n-workflow';
import { PER_PAGE, SIDE_BY_SIDE } from '../../transport/pagination';
import type { Page, ReadOptions } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import type { ConditionSet } from '../conditions/condition';
import { filterContacts } from '../conditions/filterContacts';
import { pagesOnChannels } from './channelFilter';
import { readByKeyword } from './keyword';
import { readInOrder } from './sorting';
import type { SortField } from './sorting';

/**
 * Reads the contacts that match filters, page after page (part 4.1). No service can make them more: what the records show
 * is checked here again.
 *
 * @param query values of the list's query, but `page` and `perPage`; its `contactFilter` as `checkedContactFilter` returns it
 */
export function readContactPages(
	client: Requester,
	query: IDataObject,
	options: ReadOptions = {},
	segment?: ConditionSet,
): AsyncGenerator<Page, void, void> {
	const all = readByKeyword(client, query, options);
	const pages = pagesOnChannels(client, query, all);
	return segment ? filterContacts(client, segment, pages) : pages;
}

/**
 * Reads the contacts that match a query, in the order that it asks for.
 *
 * @param query as for `readContactPages`; its `page` and `perPage` are where to start and how much to ask for;
 * with a segment, pages are counted of those who meet its conditions
 * @param limit how many at most; infinite for all
 */
export async function readContacts(
	client: Requester,
	{ sort, page = 1, perPage, ...query }: IDataObject,
	limit = Infinity,
	segment?: ConditionSet,
): Promise<IDataObject[]> {
	const size = Number(perPage ?? Math.min(limit, PER_PAGE));
	const read = async (more: IDataObject, most: number, offset: number) => {
		// Of those who meet conditions, only reading tells where they are: they are counted from the first.
		const skipped = segment ? offset : 0;
		const reading: ReadOptions = segment
			? { perPage: PER_PAGE, ahead: SIDE_BY_SIDE }
			: {
					from: 1 + offset / size,
					perPage: most === Infinity ? Number(perPage ?? PER_PAGE) : size,
					ahead: SIDE_BY_SIDE,
					pages: (rows) => Math.ceil(most / rows),
				};
		const contacts: IDataObject[] = [];
		const pages = readContactPages(client, { ...query, ...more }, reading, segment);
		for await (const { fresh } of pages) {
			for (const contact of fresh) contacts.push(contact);
			if (contacts.length >= skipped + most) break;
		}
		return contacts.slice(skipped, skipped + most);
	};
	const offset = (Number(page) - 1) * size;
	const fields = (sort ?? []) as unknown as SortField[];
	if (fields.length === 0) return await read({}, limit, offset);
	return await readInOrder(client, { sort: fields, limit, offset, read });
}
