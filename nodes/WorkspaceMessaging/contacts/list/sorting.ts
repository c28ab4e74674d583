import type { IDataObject } from 'n8n-workflow';
import { ApiError, isRefusal } from '../../transport/errors/errors';
import { rowsOf } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { rethrow } from '../../transport/rethrow';
import { listContacts } from '../../contract';

/** A field that contacts are sorted by. */
export interface SortField {
	/** Its name in the API, such as `createdAt`. */
	field: string;
	order: 'asc' | 'desc';
}

/** How an order is written into a query. */
export type SortForm = (sort: readonly SortField[]) => IDataObject;

/** As the reference says (part 4.1), and in the only form that some services know. */
const sortForms: readonly SortForm[] = [
	(sort) => ({ sort: sort.map((entry) => ({ ...entry })) }),
	(sort) => ({
		sort: JSON.stringify(sort.map(({ field, order }) => ({ id: field, desc: order === 'desc' }))),
	}),
];

/** Contacts that are asked for in either order, to see whether it counts. */
const SORT_CHECK = 10;

/** The form in which a service has kept an order, by the field. */
const keptForms = new WeakMap<Requester['service'], Map<string, SortForm>>();

/** The forms in which an order can be asked for, the one first in which this service has kept one before. */
export function sortFormsFor({ service }: Requester): readonly SortForm[] {
	const [kept] = keptForms.get(service)?.values() ?? [];
	return kept ? [kept, ...sortForms.filter((form) => form !== kept)] : sortForms;
}

/** Remembers, for as long as this process uses the workspace, that its service keeps an order in this form. */
export function rememberSortForm({ service }: Requester, form: SortForm, field: string) {
	const kept = keptForms.get(service) ?? new Map<string, SortForm>();
	kept.set(field, form);
	keptForms.set(service, kept);
}

/**
 * Whether a service sorts contacts by a field when asked in this form. The reference does not say by which fields it does,
 * and services ignore what they do not understand: so a few contacts are asked for in both orders, and must come as asked.
 * What a service has kept once is known for as long as this process uses the workspace.
 */
async function keepsOrder(client: Requester, form: SortForm, field: string): Promise<boolean> {
	if (keptForms.get(client.service)?.get(field) === form) return true;
	const first = async (order: SortField['order']) => {
		const sort = [{ field, order }];
		const query = { page: 1, perPage: SORT_CHECK, ...form(sort) };
		const rows = rowsOf(await client.request(listContacts, { query }));
		return isInOrder(rows, sort) ? rows[0]?.[field] : undefined;
	};
	try {
		const [highest, lowest] = [await first('desc'), await first('asc')];
		if (isEmpty(highest) || isEmpty(lowest) || collator.compare(text(highest), text(lowest)) <= 0)
			return false;
	} catch (error) {
		if (!isRefusal(error)) await rethrow(error);
		return false;
	}
	rememberSortForm(client, form, field);
	return true;
}

/** What is asked of `readInOrder`. */
interface SortedReading {
	sort: readonly SortField[];
	/** How many contacts at most; infinite for all. */
	limit: number;
	/** How many of the first contacts are left out. */
	offset: number;
	/**
	 * Reads contacts: up to `limit`, behind the first `offset`.
	 *
	 * @param sortQuery what to add to the query so that they come sorted
	 */
	read(sortQuery: IDataObject, limit: number, offset: number): Promise<IDataObject[]>;
}

/**
 * Reads contacts in an order, whatever the service makes of it. A list that is read whole is sorted here if it did not come
 * so. A part of a list is only right where the service sorts; where it does not, the whole list is read, because ten
 * contacts that are not the newest ten are worse than a list that takes long.
 *
 * Throws where contacts do not have such a field, in the service's words if it refused it.
 */
export async function readInOrder(
	client: Requester,
	{ sort, limit, offset, read }: SortedReading,
): Promise<IDataObject[]> {
	let refusal: ApiError | undefined;
	for (const form of sortFormsFor(client)) {
		try {
			const rows = await read(form(sort), limit, offset);
			const isAll = rows.length < limit && offset === 0;
			if (isAll) return sorted(rows, sort, refusal);
			if (isInOrder(rows, sort) && (await keepsOrder(client, form, sort[0].field))) return rows;
		} catch (error) {
			if (!isRefusal(error)) return await rethrow(error);
			refusal ??= error;
		}
	}
	const all = await read({}, Infinity, 0);
	return sorted(all, sort, refusal).slice(offset, offset + limit);
}

/** As people sort names, and the same for digits and times of one form (part 1). */
const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
const byCharacter = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

const text = (value: unknown) => String(value);
const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/**
 * Whether contacts come in an order. Services differ in where those without a value come, and in whether `a` comes before
 * `B`: neither counts.
 */
function isInOrder(rows: readonly IDataObject[], sort: readonly SortField[]): boolean {
	const valued = rows.filter((row) => !isEmpty(row[sort[0].field]));
	return [collator.compare, byCharacter].some((compare) =>
		valued.every((row, index) => index === 0 || !comesBefore(row, valued[index - 1], sort, compare)),
	);
}

function comesBefore(
	row: IDataObject,
	other: IDataObject,
	sort: readonly SortField[],
	compare: (a: string, b: string) => number,
): boolean {
	for (const { field, order } of sort) {
		const [a, b] = [row[field], other[field]];
		if (isEmpty(a) !== isEmpty(b)) return false;
		const difference = isEmpty(a) ? 0 : compare(text(a), text(b));
		if (difference !== 0) return difference < 0 === (order === 'asc');
	}
	return false;
}

/**
 * Contacts in an order; those without a value come last, and what is equal stays as it came.
 *
 * @param refusal why the service did not sort, where it said so
 */
function sorted(rows: IDataObject[], sort: readonly SortField[], refusal?: ApiError): IDataObject[] {
	const unknown = sort.find(({ field }) => rows.length > 0 && rows.every((row) => !(field in row)));
	if (unknown) throw refusal ?? noSuchField(unknown);
	if (isInOrder(rows, sort)) return rows;
	return [...rows].sort((left, right) => {
		for (const { field, order } of sort) {
			const [a, b] = [left[field], right[field]];
			if (isEmpty(a) !== isEmpty(b)) return isEmpty(a) ? 1 : -1;
			const difference = isEmpty(a) ? 0 : collator.compare(text(a), text(b));
			if (difference !== 0) return order === 'asc' ? difference : -difference;
		}
		return 0;
	});
}

function noSuchField({ field }: SortField): ApiError {
	return new ApiError(
		`Contacts of this service have no field "${field}" to sort by. Choose another in Sort.`,
		{
			outcome: 'notSent',
		},
	);
}
