import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../contract/endpoint';
import { isRefusal, recover } from './errors/ApiError';
import type { ApiError } from './errors/ApiError';
import { isObject } from './guards';
import { rowsOf, SMALLER_PAGE } from './pagination';
import type { Requester, RequestParts } from './request';

/**
 * Reads a list whose pages lead to each other by a cursor, until the caller stops or the list ends.
 *
 * @param parts values of the request besides the cursor
 * @param perPage how many records to request with the first page and with the next ones; the same for all if there is only one
 */
export async function* readByCursor(
	client: Requester,
	endpoint: Endpoint,
	parts: RequestParts,
	{ first, next = first }: { first: number; next?: number },
): AsyncGenerator<{ rows: IDataObject[]; isLast: boolean }, void, void> {
	const seen = new Set<unknown>();
	const { largestPages } = client.service;
	const read = async (cursor: unknown) => {
		const perPage = Math.min(seen.size === 0 ? first : next, largestPages.get(endpoint.path) ?? Infinity);
		const query = { ...parts.query, perPage, ...(typeof cursor === 'string' && { cursor }) };
		const isTooLarge = (error: ApiError) => perPage > SMALLER_PAGE && isRefusal(error);
		return await client.request(endpoint, { ...parts, query }).catch(
			recover(isTooLarge, async () => {
				largestPages.set(endpoint.path, SMALLER_PAGE);
				return await client.request(endpoint, { ...parts, query: { ...query, perPage: SMALLER_PAGE } });
			}),
		);
	};
	for (let cursor: unknown; ; ) {
		const body = await read(cursor);
		cursor = isObject(body) ? body.nextCursor : undefined;
		const isLast = !cursor || seen.has(cursor);
		yield { rows: rowsOf(body), isLast };
		if (isLast) return;
		seen.add(cursor);
	}
}
