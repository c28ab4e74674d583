import type { IDataObject } from 'n8n-workflow';
import { ApiError, isRefusal, recover } from '../../transport/errors/ApiError';
import type { Requester } from '../../transport/request';
import { memoryPerService } from '../../transport/service';
import { probe } from './serviceSupport';

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

/** The form in which a service has kept an order, by field. */
const keptForms = memoryPerService(() => new Map<string, SortForm>());

/** Returns the forms in which to ask for an order; the form in which the service kept one before comes first. */
export function sortFormsFor(client: Requester): readonly SortForm[] {
	const [kept] = keptForms(client).values();
	return kept ? [kept, ...sortForms.filter((form) => form !== kept)] : sortForms;
}

/** Remembers that the service keeps an order by a field in this form. */
export function rememberSortForm(client: Requester, form: SortForm, field: string) {
	keptForms(client).set(field, form);
}

/** Contacts that n8n asks for in either order, to see whether the service sorts. */
const SORT_CHECK = 10;

/**
 * Whether a service sorts contacts by a field when asked in this form. n8n asks for a few contacts in both orders; they must
 * come in the order asked for. It remembers an order that the service kept.
 */
async function keepsOrder(client: Requester, form: SortForm, field: string): Promise<boolean> {
	if (keptForms(client).get(field) === form) return true;
	const first = async (order: SortField['order']) => {
		const sort = [{ field, order }];
		const contacts = (await probe(client, { perPage: SORT_CHECK, ...form(sort) })) ?? [];
		return isInOrder(contacts, sort) ? contacts[0]?.[field] : undefined;
	};
	const [highest, lowest] = [await first('desc'), await first('asc')];
	if (isEmpty(highest) || isEmpty(lowest) || alphabetical(highest, lowest) <= 0) return false;
	rememberSortForm(client, form, field);
	return true;
}

/** The list that `readInOrder` reads. */
interface SortedReading {
	sort: readonly SortField[];
	/** How many contacts at most; infinite for all. */
	limit: number;
	/** How many contacts to skip. */
	offset: number;
	/**
	 * Reads contacts: up to `limit`, after the first `offset`.
	 *
	 * @param sortQuery what to add to the query for an order
	 */
	read(sortQuery: IDataObject, limit: number, offset: number): Promise<IDataObject[]>;
}

/**
 * Reads contacts in an order, whether or not the service sorts. n8n sorts a list that it has read whole. A part of a list is
 * only right if the service sorts by this one field and has put contacts without a value last; otherwise n8n reads the whole
 * list: ten contacts that are not the newest ten are worse than a list that takes long.
 *
 * Throws if contacts do not have such a field, in the service's words if it refused the field.
 */
export async function readInOrder(
	client: Requester,
	{ sort, limit, offset, read }: SortedReading,
): Promise<IDataObject[]> {
	let refusal: ApiError | undefined;
	for (const form of sortFormsFor(client)) {
		const contacts = await read(form(sort), limit, offset).catch(
			recover(isRefusal, (error) => {
				refusal ??= error;
			}),
		);
		if (!contacts) continue;
		const isAll = contacts.length < limit && offset === 0;
		if (isAll) return sorted(contacts, sort, refusal);
		// Some services sort by the first of several fields alone.
		const isSorted = sort.length === 1 && startsWithValue(contacts, sort) && isInOrder(contacts, sort);
		if (isSorted && (await keepsOrder(client, form, sort[0].field))) return contacts;
	}
	const all = await read({}, Infinity, 0);
	return sorted(all, sort, refusal).slice(offset, offset + limit);
}

type Compare = (a: unknown, b: unknown) => number;

/** As people sort names; it also suits digits, and times of one form (part 1). */
const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
const alphabetical: Compare = (a, b) => collator.compare(String(a), String(b));
const byCharacter: Compare = (a, b) => (a === b ? 0 : String(a) < String(b) ? -1 : 1);

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** Whether a list does not begin with contacts without a value; further ones with a value could follow these. */
const startsWithValue = ([first]: readonly IDataObject[], [{ field }]: readonly SortField[]) =>
	first !== undefined && !isEmpty(first[field]);

/**
 * Whether contacts come in an order, those without a value last. Services differ in whether `a` comes before `B`: each is
 * right.
 */
function isInOrder(contacts: readonly IDataObject[], sort: readonly SortField[]): boolean {
	return [alphabetical, byCharacter].some((compare) =>
		contacts.every(
			(contact, index) => index === 0 || compareBy(sort, contacts[index - 1], contact, compare) <= 0,
		),
	);
}

/** Returns a number below 0 if the left contact comes first in an order, above 0 if the right one does. */
function compareBy(
	sort: readonly SortField[],
	left: IDataObject,
	right: IDataObject,
	compare: Compare,
): number {
	for (const { field, order } of sort) {
		const [a, b] = [left[field], right[field]];
		if (isEmpty(a) !== isEmpty(b)) return isEmpty(a) ? 1 : -1;
		const difference = isEmpty(a) ? 0 : compare(a, b);
		if (difference !== 0) return order === 'asc' ? difference : -difference;
	}
	return 0;
}

/**
 * Sorts contacts; those without a value come last, and equal ones keep their order.
 *
 * @param refusal why the service did not sort, if it said so
 */
function sorted(contacts: IDataObject[], sort: readonly SortField[], refusal?: ApiError): IDataObject[] {
	const unknown = sort.find(({ field }) => contacts.length > 0 && contacts.every((row) => !(field in row)));
	if (unknown) throw refusal ?? noSuchField(unknown);
	if (isInOrder(contacts, sort)) return contacts;
	return [...contacts].sort((left, right) => compareBy(sort, left, right, alphabetical));
}

function noSuchField({ field }: SortField): ApiError {
	return new ApiError(`Contacts of this service have no field "${field}" to sort by.`, {
		outcome: 'notSent',
		advice: 'Select another field in Sort.',
	});
}
