import type { IDataObject } from 'n8n-workflow';
import { readPages, rowsOf } from '../../transport/pagination';
import type { Page, ReadOptions } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { listContacts } from '../../contract';
import { contains } from './contains';

/**
 * Reads contacts page after page (part 4.1), by keyword too. Some services look for a keyword in one name at a time, so
 * that "Ann Lee" finds nobody. Where a keyword of several words finds nobody, contacts are asked for by its longest word,
 * which must be part of one of their names, and those stay whose full name holds the whole keyword.
 *
 * @param query values of the list's query, but `page` and `perPage`
 */
export async function* readByKeyword(
	client: Requester,
	query: IDataObject,
	options: ReadOptions = {},
): AsyncGenerator<Page, void, void> {
	const words = String(query.keyword ?? '')
		.split(/\s+/)
		.filter(Boolean);
	const { from = 1 } = options;
	const isNobody = words.length > 1 && from > 1 && (await findsNobody(client, query));
	if (!isNobody) {
		for await (const page of readPages(client, listContacts, { query }, options)) {
			if (words.length > 1 && page.number === 1 && page.rows.length === 0) break;
			yield page;
			if (page.isLast) return;
		}
	}
	const longest = words.reduce((best, word) => (word.length > best.length ? word : best));
	const matches = (row: IDataObject) => contains(nameOf(row), words.join(' '));
	const byWord = { query: { ...query, keyword: longest } };
	for await (const page of readPages(client, listContacts, byWord, options))
		yield { ...page, rows: page.rows.filter(matches), fresh: page.fresh.filter(matches) };
}

/** Whether a keyword finds nobody; asked where reading goes on behind the first page. */
async function findsNobody(client: Requester, query: IDataObject): Promise<boolean> {
	const body = await client.request(listContacts, { query: { ...query, page: 1, perPage: 1 } });
	return rowsOf(body).length === 0;
}

function nameOf({ fullName, firstName, lastName }: IDataObject): string {
	const parts = [firstName, lastName].filter(Boolean).join(' ');
	return String(fullName || parts).replace(/\s+/g, ' ');
}
