import type { IDataObject } from 'n8n-workflow';
import {
	alphabetical,
	compareBy,
	isSorted,
	lacksValue,
	type SortField,
} from '../service/contactOrder';
import { notSentError, type ApiError } from '../transport/errors/ApiError';

/**
 * Whether the first contact of a list has a value to sort by; if it has none, others with a value
 * could follow.
 */
export const startsWithSortValue = (
	[first]: readonly IDataObject[],
	[{ field }]: readonly SortField[],
) => first !== undefined && !lacksValue(first[field]);

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
	if (unknown)
		throw (
			refusal ??
			notSentError(
				`Contacts of this service have no field "${unknown.field}" to sort by.`,
				'Select another field in Sort.',
			)
		);
	if (isSorted(contacts, sort)) return contacts;
	return contacts.toSorted((left, right) => compareBy(sort, left, right, alphabetical));
}
