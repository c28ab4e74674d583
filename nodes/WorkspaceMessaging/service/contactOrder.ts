import type { IDataObject } from 'n8n-workflow';

/** A field that contacts are sorted by. */
export interface SortField {
	/** Its name in the API, such as `createdAt`. */
	field: string;
	order: 'asc' | 'desc';
}

/** Returns a number below 0 if the first value comes first, above 0 if the second one does. */
type Compare = (a: unknown, b: unknown) => number;

const englishOrder = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Compares as people sort names; it also suits digits, and times of one form (part 1). */
export const alphabetical: Compare = (a, b) => englishOrder.compare(String(a), String(b));

const byCharacter: Compare = (a, b) => {
	if (a === b) return 0;
	return String(a) < String(b) ? -1 : 1;
};

/** Whether a contact has no value to sort by. */
export const lacksValue = (value: unknown) => value === undefined || value === null || value === '';

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
export function compareBy(
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
