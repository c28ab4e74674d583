import type { Requester } from '../transport/request';
import { shownBy, type SortForm } from './capabilities';
import { probeContacts } from './contacts';
import { isSortedPair, isSorted, type SortField } from './contactOrder';

/** As the reference says (part 4.1). */
const asSortList: SortForm = (sort) => ({ sort: sort.map((entry) => ({ ...entry })) });
/** The only form that some services know. */
const asSortText: SortForm = (sort) => {
	const entries = sort.map(({ field, order }) => ({ id: field, desc: order === 'desc' }));
	return { sort: JSON.stringify(entries) };
};
const sortForms: readonly SortForm[] = [asSortList, asSortText];

/**
 * Returns the forms in which to ask for an order; the form in which the service kept one before
 * comes first.
 */
export function getSortForms(client: Requester): readonly SortForm[] {
	const [kept] = shownBy(client).sortForms.values();
	if (!kept) return sortForms;
	return [kept, ...sortForms.filter((form) => form !== kept)];
}

/** Remembers that the service keeps an order by a field in this form. */
export function rememberSortForm(client: Requester, form: SortForm, field: string) {
	shownBy(client).sortForms.set(field, form);
}

/**
 * Whether a service sorts contacts by a field when asked in this form (difference 15). n8n asks for a few contacts
 * in both orders; they must come in the order asked for. It remembers an order that the service
 * kept.
 */
export async function sortsBy(client: Requester, form: SortForm, field: string): Promise<boolean> {
	const kept = shownBy(client).sortForms.get(field);
	if (kept === form) return true;
	const highest = await readFirstValue(client, form, { field, order: 'desc' });
	const lowest = await readFirstValue(client, form, { field, order: 'asc' });
	const keepsOrder = isSortedPair(lowest, highest);
	if (!keepsOrder) return false;
	rememberSortForm(client, form, field);
	return true;
}

/** Contacts that n8n asks for in either order, to see whether the service sorts. */
const CONTACTS_PER_ORDER = 10;

/** Returns the value that comes first in an order; undefined if contacts come in another order. */
async function readFirstValue(
	client: Requester,
	form: SortForm,
	sortField: SortField,
): Promise<unknown> {
	const sort = [sortField];
	const query = { perPage: CONTACTS_PER_ORDER, ...form(sort) };
	const contacts = await probeContacts(client, query);
	if (!contacts || !isSorted(contacts, sort)) return undefined;
	return contacts[0]?.[sortField.field];
}
