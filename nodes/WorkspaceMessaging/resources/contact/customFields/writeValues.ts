import type { IDataObject } from 'n8n-workflow';
import { customFieldsById, isStored } from '../../../contacts/customFields/value';
import { customFieldApi } from '../../../contract/customField';
import { limits } from '../../../contract/limits';
import { undocumentedApi } from '../../../contract/undocumented';
import type { Item } from '../../../execution/item';
import { isNotFound, isUnsupported, partiallyDone, recover } from '../../../transport/errors/ApiError';
import type { ApiError } from '../../../transport/errors/ApiError';
import { missingContact, MissingError, requestUndocumented } from '../../shared/undocumented';
import type { CheckedValue } from './values';

/**
 * Writes values to a contact (part 4.6), as many at a time as services take. An error says what was done before, and whether
 * the contact does not exist or the service lacks the operation.
 *
 * @param operation how to write them
 * @param done what the item did to the contact before, such as `created`
 */
export async function writeValues(
	item: Item,
	identifier: string,
	values: CheckedValue[],
	{ operation = 'set', done }: { operation?: string; done?: string } = {},
): Promise<void> {
	const { max } = limits.customFieldValues;
	for (let from = 0; from < values.length; from += max) {
		await writeStep(item, identifier, values.slice(from, from + max), operation).catch(
			recover(
				() => from > 0 || done !== undefined,
				(failure) => {
					const error =
						from === 0
							? failure
							: partiallyDone(failure, `The first ${from} custom fields were set; the rest was not.`);
					if (done === undefined) throw error;
					// If some were set, or nobody knows, the error itself says so.
					const rest = error.details.outcome === 'unknown' ? '' : ', but its custom fields were not set';
					throw partiallyDone(error, `The contact ${identifier} was ${done}${rest}.`);
				},
			),
		);
	}
}

async function writeStep(item: Item, identifier: string, values: CheckedValue[], operation: string) {
	const params = { identifier };
	const operations = values.map(({ field, value }) => ({ customFieldId: field.id, operation, value }));
	const findMissing = async () => await missingContact(item, identifier);
	await requestUndocumented(
		item,
		customFieldApi.setContactCustomFields,
		{ params, body: { operations } },
		findMissing,
	).catch(
		recover(
			(error) => operation === 'set' && lacksOperation(error),
			async (error) => {
				// Some services replace values in another request. If this one has neither, the first error says so.
				const fields = values.map(({ field, value }) => ({ customFieldId: field.id, value }));
				await item.request(undocumentedApi.replaceContactCustomFields, { params, body: { fields } }).catch(
					recover(isUnsupported, () => {
						throw error;
					}),
				);
			},
		),
	);
}

const lacksOperation = (error: ApiError) =>
	isNotFound(error) && !(error instanceof MissingError) && error.details.reason !== 'objectMissing';

/** Returns the values that a contact does not have yet, as far as its record shows its values. */
export function newValuesOf(contact: IDataObject, values: CheckedValue[]): CheckedValue[] {
	const current = customFieldsById(contact);
	// Of several values for one field the last one counts.
	const last = [...new Map(values.map((value) => [value.field.id, value])).values()];
	return last.filter(({ field, value }) => !isStored(field, current?.get(field.id)?.value, value));
}

/**
 * Returns a contact with values that n8n has written, as the service shows it (part 2.2), but without what only the service
 * knows: the time of the change, and the ID of a new value. A contact without a list of values stays as it is.
 */
export function mergeValues(contact: IDataObject, written: CheckedValue[]): IDataObject {
	const current = customFieldsById(contact);
	if (!current) return contact;
	for (const { field, value } of written) {
		const entry: IDataObject = {
			...current.get(field.id),
			value,
			contactId: contact.id,
			customFieldId: field.id,
		};
		delete entry.updatedAt;
		current.set(field.id, entry);
	}
	return { ...contact, contactCustomFields: [...current.values()] };
}
