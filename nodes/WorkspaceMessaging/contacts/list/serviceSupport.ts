import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { ApiError, isRefusal } from '../../transport/errors/errors';
import { rowsOf } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { rethrow } from '../../transport/rethrow';
import { listContacts } from '../../contract';
import { listFilterFields } from '../../contract/undocumented';

/*
 * What a service sorts and filters contacts by. The reference does not say it, and a service ignores what it does not
 * understand. So n8n sends a request whose right answer it knows, and remembers what the service did with it.
 */

/** A field that contacts are sorted by. */
export interface SortField {
	/** Its name in the API, such as `createdAt`. */
	field: string;
	order: 'asc' | 'desc';
}

/** Writes an order into a query. */
export type SortForm = (sort: readonly SortField[]) => IDataObject;

/** As the reference says (part 4.1), and in the only form that some services know. */
const sortForms: readonly SortForm[] = [
	(sort) => ({ sort: sort.map((entry) => ({ ...entry })) }),
	(sort) => ({
		sort: JSON.stringify(sort.map(({ field, order }) => ({ id: field, desc: order === 'desc' }))),
	}),
];

/** Writes a filter into a query. */
export type FilterForm = (filter: IDataObject) => IDataObject | string;

/** What n8n knows of a service. */
interface Support {
	/** The form in which it has applied a filter. */
	filterForm?: FilterForm;
	/** The form in which it has kept an order, by field. */
	sortForms: Map<string, SortForm>;
	/** Whether it refuses filters of the same fields and operators. */
	refusals: Map<string, Promise<boolean>>;
}

const known = new WeakMap<Requester['service'], Support>();

/** Returns what n8n knows of a service; whoever learns more writes it there. */
export function supportOf({ service }: Requester): Support {
	const support = known.get(service) ?? { sortForms: new Map(), refusals: new Map() };
	known.set(service, support);
	return support;
}

/** Asks for one contact, or as many as the query says; returns undefined if the service refuses the query. */
export async function probe(client: Requester, query: IDataObject): Promise<IDataObject[] | undefined> {
	try {
		return rowsOf(await client.request(listContacts, { query: { page: 1, perPage: 1, ...query } }));
	} catch (error) {
		return isRefusal(error) ? undefined : await rethrow(error);
	}
}

/** Returns the forms in which to ask for an order; the form in which the service kept one before comes first. */
export function sortFormsFor(client: Requester): readonly SortForm[] {
	const [kept] = supportOf(client).sortForms.values();
	return kept ? [kept, ...sortForms.filter((form) => form !== kept)] : sortForms;
}

/** Remembers that the service keeps an order by a field in this form. */
export function rememberSortForm(client: Requester, form: SortForm, field: string) {
	supportOf(client).sortForms.set(field, form);
}

/** Whether the service refuses a filter; asked once for all filters that differ in nothing but their values. */
export async function refusesFilter(client: Requester, filter: IDataObject): Promise<boolean> {
	const { refusals } = supportOf(client);
	const form = JSON.stringify(filter, (key, value: unknown) => (key === 'value' ? undefined : value));
	const refusal =
		refusals.get(form) ??
		probe(client, { contactFilter: JSON.stringify(filter) }).then((contacts) => contacts === undefined);
	refusals.set(form, refusal);
	refusal.catch(() => refusals.delete(form));
	return await refusal;
}

/** Reads a list, and leaves out the entries that have another form. */
const listOf = <T>(entry: z.ZodType<T>) =>
	z
		.unknown()
		.transform((list) =>
			(Array.isArray(list) ? list : []).flatMap((each) => entry.safeParse(each).data ?? []),
		);

const filterFieldsForm = z.object({
	staticFields: listOf(z.object({ field: z.string(), operators: z.array(z.string()).catch([]) })),
	customFields: listOf(
		z.object({ id: z.string(), type: z.string().optional(), valueType: z.string().optional() }),
	),
});

/** What a service says that it can filter contacts by. */
export type FilterFields = Partial<z.infer<typeof filterFieldsForm>>;

/** Statuses of a service that lacks an endpoint; after another status it may answer the next time. */
export const UNSUPPORTED = [400, 404, 405, 422];

/** Returns what the service says that it filters by; nothing if it does not say it, or not in the known form. */
export async function filterFields(client: Requester): Promise<FilterFields> {
	return await client.service.once('fields to filter contacts by', async () => {
		try {
			return filterFieldsForm.safeParse(await client.request(listFilterFields)).data ?? {};
		} catch (error) {
			const { status = 500 } = error instanceof ApiError ? error.details : {};
			return UNSUPPORTED.includes(status) ? {} : await rethrow(error);
		}
	});
}
