import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import {
	isRefusal,
	isUnknownRequest,
	notSentError,
	recover,
	type ApiError,
} from '../transport/errors/ApiError';
import { readRecords } from '../transport/lists/records';
import type { Requester } from '../transport/request';
import { memoryPerService, oncePerService } from '../transport/service';
import { contactApi } from '../contract/contact';
import { undocumentedApi } from '../contract/undocumented';
import { addImpossibleCondition, checkFilterValues, isKnownFilter, nobodyFilter } from './filter';
import { isAscending, isInOrder, type SortField } from './sort';

/*
 * What a service sorts and filters contacts by, and in which form. The reference does not say it,
 * and a service ignores what it does not understand. So n8n sends requests whose right answer it
 * knows, and remembers for the service what came.
 */

/**
 * Asks for one contact, or as many as the query says; returns undefined if the service refuses the
 * query.
 */
export async function probeContacts(
	client: Requester,
	query: IDataObject,
): Promise<IDataObject[] | undefined> {
	return await client
		.request(contactApi.listContacts, { query: { page: 1, perPage: 1, ...query } })
		.then(readRecords)
		.catch(recover(isRefusal, () => undefined));
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

/** The form in which a service has kept an order, by field. */
const keptForms = memoryPerService(() => new Map<string, SortForm>());

/**
 * Returns the forms in which to ask for an order; the form in which the service kept one before
 * comes first.
 */
export function getSortForms(client: Requester): readonly SortForm[] {
	const [kept] = keptForms(client).values();
	return kept ? [kept, ...sortForms.filter((form) => form !== kept)] : sortForms;
}

/** Remembers that the service keeps an order by a field in this form. */
export function rememberSortForm(client: Requester, form: SortForm, field: string) {
	keptForms(client).set(field, form);
}

/** Contacts that n8n asks for in either order, to see whether the service sorts. */
const CONTACTS_PER_ORDER = 10;

/**
 * Whether a service sorts contacts by a field when asked in this form. n8n asks for a few contacts
 * in both orders; they must come in the order asked for. It remembers an order that the service
 * kept.
 */
export async function sortsBy(client: Requester, form: SortForm, field: string): Promise<boolean> {
	if (keptForms(client).get(field) === form) return true;
	const readFirst = async (order: SortField['order']) => {
		const sort = [{ field, order }];
		const contacts =
			(await probeContacts(client, { perPage: CONTACTS_PER_ORDER, ...form(sort) })) ?? [];
		return isInOrder(contacts, sort) ? contacts[0]?.[field] : undefined;
	};
	const highest = await readFirst('desc');
	const lowest = await readFirst('asc');
	if (!isAscending(lowest, highest)) return false;
	rememberSortForm(client, form, field);
	return true;
}

/** Writes a filter into a query. */
type FilterForm = (filter: IDataObject) => IDataObject | string;

/** As the reference says (part 4.1). */
const asObject: FilterForm = (filter) => filter;
/** As some services take it. */
const asText: FilterForm = (filter) => JSON.stringify(filter);

/** The form in which a service has applied a filter. */
const appliedForm = memoryPerService((): { form?: FilterForm } => ({}));

/**
 * Makes sure that the service applies a contact filter, and writes the filter in the form that the
 * service takes. Older services ignore filters, or those that they cannot read, and list everyone
 * (difference 14): a workflow that writes to the listed contacts would write to everyone.
 *
 * @param notApplied the error if the service does not apply the filter; about Contact Filter, if
 * empty
 * @returns the `contactFilter` of a query; undefined for an empty filter, which filters nobody out
 * Throws an ApiError that says why the service cannot use the filter.
 */
export async function checkedContactFilter(
	client: Requester,
	contactFilter: unknown,
	notApplied?: ApiError,
): Promise<IDataObject | string | undefined> {
	const filter: IDataObject = Object(contactFilter);
	if (Object.keys(filter).length === 0) return undefined;
	if (isKnownFilter(filter)) checkFilterValues(filter);
	const form = await findFilterForm(client, filter, notApplied);
	return form(filter);
}

/**
 * Finds the form in which the service applies a filter. n8n asks for contacts that match the filter
 * and a condition that nobody meets: a service that applies the filter lists nobody or refuses it.
 * This takes one request, and a few more if the service wants another form than the reference's.
 */
async function findFilterForm(
	client: Requester,
	filter: IDataObject,
	notApplied?: ApiError,
): Promise<FilterForm> {
	const applied = appliedForm(client);
	const isKnown = isKnownFilter(filter);
	const impossible = isKnown ? addImpossibleCondition(filter) : nobodyFilter;
	const refused: FilterForm[] = [];
	for (const form of applied.form === asText ? [asText, asObject] : [asObject, asText]) {
		const contacts = await probeContacts(client, { contactFilter: form(impossible) });
		if (contacts?.length === 0) {
			// Services that want text take the known form only, and some ignore what they cannot read.
			if (form === asText && !isKnown) throw unknownForm();
			applied.form = form;
			return form;
		}
		if (!contacts) refused.push(form);
	}
	// Either the service applies no filter at all, or it cannot use this one.
	const appliesText =
		(await probeContacts(client, { contactFilter: asText(nobodyFilter) }))?.length === 0;
	if (appliesText && !refused.includes(asText)) throw notApplied ?? unknownForm();
	// The list then fails with the error of the service.
	if (appliesText) return asText;
	if (refused.length > 0) return refused[0];
	throw notApplied ?? ignored();
}

function ignored(): ApiError {
	return notSentError(
		'This service ignores Contact Filter and would return all contacts.',
		'Remove the filter, and filter the contacts with a Filter node after this one.',
	);
}

function unknownForm(): ApiError {
	return notSentError(
		"This service can't read this Contact Filter and would list all contacts.",
		'It takes { "operator": "and", "conditions": [ { "field": …, "operator": …, "value": … } ] }. GET /api/v1/contacts/filter-fields lists its fields and operators.',
	);
}

const refusals = memoryPerService(() => new Map<string, Promise<boolean>>());

/**
 * Whether the service refuses a filter; asked once for all filters that differ only in their
 * values.
 */
export async function refusesFilter(client: Requester, filter: IDataObject): Promise<boolean> {
	const known = refusals(client);
	const form = JSON.stringify(filter, (key, value: unknown) =>
		key === 'value' ? undefined : value,
	);
	const ask = async () =>
		(await probeContacts(client, { contactFilter: JSON.stringify(filter) })) === undefined;
	const refusal = known.get(form) ?? ask();
	known.set(form, refusal);
	refusal.catch(() => known.delete(form));
	return await refusal;
}

const filterFieldsForm = z.object({
	staticFields: z.array(z.object({ field: z.string(), operators: z.array(z.string()) })).optional(),
	customFields: z
		.array(
			z.object({ id: z.string(), type: z.string().optional(), valueType: z.string().optional() }),
		)
		.optional(),
});

/** The fields that a service can filter contacts by, as it lists them. */
export type FilterFields = z.infer<typeof filterFieldsForm>;

/**
 * Reads the fields that the service can filter by; none if it does not list them, or not in the
 * known form.
 */
export const readFilterFields = oncePerService(async (client: Requester): Promise<FilterFields> => {
	const body = await client
		.request(undocumentedApi.listFilterFields)
		.catch(recover(isUnknownRequest, () => ({})));
	return filterFieldsForm.safeParse(body).data ?? {};
});
