import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { contact } from '../contract/contact';
import type { AnyItem } from '../execution/item';
import { customFieldDefinitions } from './customFields/definitions';

const { id, fullName, firstName, lastName, email, phoneNumber, createdAt, updatedAt } = contact.shape;

/**
 * A contact with the fields that people use most: who it is, how to reach it, what is known about it, since when, and its
 * last change, by which a copy elsewhere stays up to date.
 *
 * These are ten, the most that n8n's guideline allows; Create or Update and the events of the trigger add their own. Few
 * workflows need the rest (gender, opt-in, places); these turn Simplify off.
 */
export const simpleContact = z.object({
	id,
	fullName,
	firstName,
	lastName,
	email,
	phoneNumber,
	tags: z.array(z.string()),
	customFields: z.record(z.string(), z.unknown()),
	createdAt,
	updatedAt,
});

/** Reduces contacts to the fields that people use most; a run reads the names of the custom fields once. */
export async function simplifyContacts(contacts: IDataObject[], item: AnyItem): Promise<IDataObject[]> {
	return await simplifyWith(contacts, async () => await customFieldDefinitions(item));
}

/**
 * Reduces contacts to the fields that people use most, with tags as names and custom field values by the names of the
 * fields. This reads the names only if a contact has a value; without them the values come by the fields' IDs.
 */
export async function simplifyWith(
	contacts: IDataObject[],
	readDefinitions: () => Promise<Map<string, { name: string }>>,
): Promise<IDataObject[]> {
	const hasValues = contacts.some(({ contactCustomFields }) => listOf(contactCustomFields).length > 0);
	const definitions = hasValues ? await readDefinitions().catch(() => undefined) : undefined;
	return contacts.map((record) => simplifyContact(record, (id) => definitions?.get(id)?.name ?? id));
}

/** @param nameOf returns the name of the custom field with an ID */
function simplifyContact(record: IDataObject, nameOf: (id: string) => string): IDataObject {
	const fields = Object.keys(simpleContact.shape).map((key) => [key, record[key]]);
	const customFields = listOf(record.contactCustomFields).map(({ customFieldId, value }) => [
		nameOf(String(customFieldId)),
		value,
	]);
	return {
		...Object.fromEntries(fields),
		tags: listOf(record.tags).map(({ name }) => String(name)),
		customFields: Object.fromEntries(customFields),
	};
}

function listOf(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value : [];
}
