import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { isRefusal, isUnsupported, recover } from '../../transport/errors/ApiError';
import { rowsOf } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { memoryPerService, oncePerService } from '../../transport/service';
import { contactApi } from '../../contract/contact';
import { undocumentedApi } from '../../contract/undocumented';

/*
 * What a service sorts and filters contacts by. The reference does not say it, and a service ignores what it does not
 * understand. So n8n sends a request whose right answer it knows, and remembers for the service what came.
 */

/** Whether the service has no such request, or takes it for another one. */
export const isUnknownRequest = (error: unknown) => isUnsupported(error) || isRefusal(error);

/** Asks for one contact, or as many as the query says; returns undefined if the service refuses the query. */
export async function probe(client: Requester, query: IDataObject): Promise<IDataObject[] | undefined> {
	return await client
		.request(contactApi.listContacts, { query: { page: 1, perPage: 1, ...query } })
		.then(rowsOf)
		.catch(recover(isRefusal, () => undefined));
}

const refusals = memoryPerService(() => new Map<string, Promise<boolean>>());

/** Whether the service refuses a filter; asked once for all filters that differ only in their values. */
export async function refusesFilter(client: Requester, filter: IDataObject): Promise<boolean> {
	const known = refusals(client);
	const form = JSON.stringify(filter, (key, value: unknown) => (key === 'value' ? undefined : value));
	const ask = async () => (await probe(client, { contactFilter: JSON.stringify(filter) })) === undefined;
	const refusal = known.get(form) ?? ask();
	known.set(form, refusal);
	refusal.catch(() => known.delete(form));
	return await refusal;
}

const filterFieldsForm = z.object({
	staticFields: z.array(z.object({ field: z.string(), operators: z.array(z.string()) })).optional(),
	customFields: z
		.array(z.object({ id: z.string(), type: z.string().optional(), valueType: z.string().optional() }))
		.optional(),
});

/** What a service says that it can filter contacts by. */
export type FilterFields = z.infer<typeof filterFieldsForm>;

/** Returns what the service says that it filters by; nothing if it does not say it, or not in the known form. */
export const filterFields = oncePerService(async (client: Requester): Promise<FilterFields> => {
	const body = await client
		.request(undocumentedApi.listFilterFields)
		.catch(recover(isUnknownRequest, () => ({})));
	return filterFieldsForm.safeParse(body).data ?? {};
});
