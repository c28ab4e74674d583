import type { IDataObject } from 'n8n-workflow';
import { notSentError, type ApiError } from '../transport/errors/ApiError';

/** A field that contacts are sorted by. */
export interface SortField {
	/** Its name in the API, such as `createdAt`. */
	field: string;
	order: 'asc' | 'desc';
}

type Compare = (a: unknown, b: unknown) => number;

const englishOrder = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Compares as people sort names; it also suits digits, and times of one form (part 1). */
const alphabetical: Compare = (a, b) => englishOrder.compare(String(a), String(b));

const byCharacter: Compare = (a, b) => {
	if (a === b) return 0;
	return String(a) < String(b) ? -1 : 1;
};

const lacksValue = (value: unknown) => value === undefined || value === null || value === '';

/**
 * Whether the first contact of a list has a value to sort by; if it has none, others with a value
 * could follow.
 */
export const startsWithSortValue = (
	[first]: readonly IDataObject[],
	[{ field }]: readonly SortField[],
) => first !== undefined && !lacksValue(first[field]);

/** Whether the values of a field come in ascending order, and differ. */
export const isSortedPair = (low: unknown, high: unknown) =>
	!lacksValue(low) && !lacksValue(high) && alphabetical(low, high) < 0;

/**
 * Whether contacts come in an order, those without a value last. Services differ in whether `a`
 * comes before `B`: each is right.
 */
export function isSorted(contacts: readonly IDataObject[], sort: readonly SortField[]): boolean {
	return [alphabetical, byCharacter].some((compare) =>
		contacts.every(
			(contact, index) =>
				index === 0 || compareBy(sort, contacts[index - 1], contact, compare) <= 0,
		),
	);
}

/**
 * Returns a number below 0 if the left contact comes first in an order, above 0 if the right one
 * does.
 */
function compareBy(
	sort: readonly SortField[],
	left: IDataObject,
	right: IDataObject,
	compare: Compare,
): number {
	for (const { field, order } of sort) {
		const [a, b] = [left[field], right[field]];
		if (lacksValue(a) !== lacksValue(b)) return lacksValue(a) ? 1 : -1;
		if (lacksValue(a)) continue;
		const difference = compare(a, b);
		if (difference === 0) continue;
		return order === 'asc' ? difference : -difference;
	}
	return 0;
}

/**
 * Sorts contacts; those without a value come last, and equal ones keep their order. Throws if
 * contacts do not have such a field.
 *
 * @param refusal the error of the service if it refused the field
 */
export function sortContacts(
	contacts: IDataObject[],
	sort: readonly SortField[],
	refusal?: ApiError,
): IDataObject[] {
	const unknown = sort.find(
		({ field }) => contacts.length > 0 && contacts.every((row) => !(field in row)),
	);
	if (unknown) throw refusal ?? noSuchField(unknown);
	if (isSorted(contacts, sort)) return contacts;
	return contacts.toSorted((left, right) => compareBy(sort, left, right, alphabetical));
}

function noSuchField({ field }: SortField): ApiError {
	return notSentError(
		`Contacts of this service have no field "${field}" to sort by.`,
		'Select another field in Sort.',
	);
}
