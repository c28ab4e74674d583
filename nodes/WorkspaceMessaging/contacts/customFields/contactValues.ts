import type { IDataObject } from 'n8n-workflow';
import { customFieldApi } from '../../contract/customField';
import { limits } from '../../contract/limits';
import { undocumentedApi } from '../../contract/undocumented';
import type { AnyItem } from '../../run/item';
import {
	isNotFound,
	isUnsupported,
	mayHaveChanged,
	partiallyDoneError,
	onApiError,
	type ApiError,
} from '../../transport/errors/ApiError';
import type { Requester } from '../../transport/request';
import { simplifyContacts } from '../simplify';
import type { CheckedValue } from './mappedValues';
import { isSameAsStoredText } from './storedText';

/* The custom field values of a contact: reads them in its record, compares and writes them. */

/**
 * Returns the custom field values in a contact's record, by the fields' IDs; undefined if the
 * record does not show them.
 */
export function customFieldsById(contact: { contactCustomFields?: unknown }) {
	const { contactCustomFields: values } = contact;
	if (!Array.isArray(values)) return undefined;
	return new Map(values.map((entry: IDataObject) => [String(entry.customFieldId), entry]));
}

/** Returns the custom field values that the record of a contact does not show yet. */
export function findNewValues(contact: IDataObject, values: CheckedValue[]): CheckedValue[] {
	const current = customFieldsById(contact);
	// Of several values for one field, the last one wins.
	const lastById = new Map<string, CheckedValue>();
	for (const value of values) lastById.set(value.field.id, value);
	const wanted = [...lastById.values()];
	return wanted.filter(({ field, value }) => {
		const shown = current?.get(field.id)?.value;
		return !isSameAsStoredText(field, shown, value);
	});
}

/**
 * Returns a contact with values that n8n has written, as the service shows it (part 2.2), but
 * without what only the service knows: the time of the change, and the ID of a new value. A contact
 * without a list of values stays as it is.
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

/**
 * Writes values to a contact (part 4.6), as many at a time as services take. An error says what was
 * done before, and whether the contact does not exist or the service lacks the operation.
 *
 * @param operation how to write them
 * @param done what the item did to the contact before, such as `created`
 */
export async function writeValues(
	client: Requester,
	identifier: string,
	values: CheckedValue[],
	{ operation = 'set', done }: { operation?: string; done?: string } = {},
): Promise<void> {
	const { max } = limits.customFieldValues;
	for (let from = 0; from < values.length; from += max) {
		const part = values.slice(from, from + max);
		const fail = (error: ApiError) => {
			const failure =
				from > 0
					? partiallyDoneError(error, `The first ${from} custom fields were set; the rest was not.`)
					: error;
			if (done === undefined) throw failure;
			throw addContactWritten(failure, identifier, done);
		};
		await writePart(client, identifier, part, operation).catch(onApiError(() => true, fail));
	}
}

/** Adds to an error what the item did to the contact before. */
function addContactWritten(error: ApiError, identifier: string, done: string) {
	// If some were or may have been set, the error itself says so.
	const rest = mayHaveChanged(error) ? '' : ', but its custom fields were not set';
	return partiallyDoneError(error, `The contact ${identifier} was ${done}${rest}.`);
}

async function writePart(
	client: Requester,
	identifier: string,
	values: CheckedValue[],
	operation: string,
) {
	const params = { identifier };
	const entries = values.map(({ field, value }) => ({ customFieldId: field.id, value }));
	const operations = entries.map((entry) => ({ ...entry, operation }));
	const lacksEndpoint = (error: ApiError) => {
		// Only `set` has another request.
		if (operation !== 'set') return false;
		return isNotFound(error) && error.details.reason !== 'objectMissing';
	};
	// Some services replace values in another request (difference 13). If this one has neither, the
	// first error says so.
	const replace = async (error: ApiError) => {
		const failAsBefore = onApiError(isUnsupported, () => {
			throw error;
		});
		await client
			.request(undocumentedApi.replaceContactCustomFields, { params, body: { fields: entries } })
			.catch(failAsBefore);
	};
	await client
		.request(customFieldApi.setContactCustomFields, { params, body: { operations } })
		.catch(onApiError(lacksEndpoint, replace));
}

/** Returns custom field values by the names of their fields, for the output. */
export function valuesByName(values: CheckedValue[]): IDataObject {
	return Object.fromEntries(values.map(({ field, value }) => [field.name, value]));
}

/**
 * Returns a contact that an item has written, for the output: simplified if the user wants that,
 * and with the values that the item wrote by the names of their fields.
 */
export async function withWrittenValues(
	item: AnyItem,
	contact: IDataObject,
	values?: CheckedValue[],
): Promise<IDataObject> {
	const customFields = valuesByName(values ?? []);
	if (!item.isSimplified) return { ...contact, ...(values && { customFields }) };
	const [simple] = await simplifyContacts([contact], item);
	const allFields = { ...simple.customFields, ...customFields };
	return { ...simple, customFields: allFields };
}
