import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { contact } from '../contract';
import type { AnyItem } from '../execution/item';
import { customFieldDefinitions } from './customFields/definitions';

/** The form of a simplified contact; see `simplifyContact`. */
export const simpleContact = contact
	.pick({
		id: true,
		fullName: true,
		firstName: true,
		lastName: true,
		email: true,
		phoneNumber: true,
		createdAt: true,
		updatedAt: true,
	})
	.extend({ tags: z.array(z.string()), customFields: z.record(z.string(), z.unknown()) });

/**
 * Reduces contacts to the fields that people use most, with tags as names and custom field values by the names of the
 * fields. A run reads these names once, and only if a contact has a value; without them the values come by the fields' IDs.
 */
export async function simplifyContacts(contacts: IDataObject[], item: AnyItem): Promise<IDataObject[]> {
	const hasValues = contacts.some(({ contactCustomFields }) => listOf(contactCustomFields).length > 0);
	const names = hasValues ? await namesOf(item) : new Map<string, string>();
	return contacts.map((record) => simplifyContact(record, names));
}

/**
 * Reduces a contact to the fields that people use most: who it is, how to reach it, what is known about it, since when, and
 * its last change, by which a copy elsewhere stays up to date.
 *
 * These are ten, the most that n8n's guideline wants; Create or Update and the events of the trigger add their own. Few
 * workflows need the rest (gender, opt-in, places); these turn Simplify off.
 *
 * @param names of the custom fields, by ID
 */
export function simplifyContact(record: IDataObject, names: Map<string, string>): IDataObject {
	const { id, fullName, firstName, lastName, email, phoneNumber, createdAt, updatedAt } = record;
	const customFields = listOf(record.contactCustomFields).map(({ customFieldId, value }) => [
		names.get(String(customFieldId)) ?? String(customFieldId),
		value,
	]);
	return {
		id,
		fullName,
		firstName,
		lastName,
		email,
		phoneNumber,
		tags: listOf(record.tags).map(({ name }) => name) as string[],
		customFields: Object.fromEntries(customFields) as IDataObject,
		createdAt,
		updatedAt,
	};
}

async function namesOf(item: AnyItem): Promise<Map<string, string>> {
	const definitions = await customFieldDefinitions(item).catch(() => new Map<string, { name: string }>());
	return new Map([...definitions].map(([key, { name }]) => [key, name]));
}

function listOf(value: unknown): IDataObject[] {
	return Array.isArray(value) ? (value as IDataObject[]) : [];
}
