import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { contact } from '../contract';
import type { Item } from '../execution/item';
import { customFieldDefinitions } from './customFields/definitions';

/** What a simplified contact looks like; see `simplifyContact`. */
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
 * Reduces contacts to the fields that people use most, with tags as their names and custom field values by the fields'
 * names. The names are read once a run, and only if one of the contacts has a value; where they cannot be read, the
 * values come by the fields' IDs.
 */
export async function simplifyContacts(contacts: IDataObject[], item: Item): Promise<IDataObject[]> {
	const hasValues = contacts.some(({ contactCustomFields }) => listOf(contactCustomFields).length > 0);
	const names = hasValues ? await namesOf(item) : new Map<string, string>();
	return contacts.map((record) => simplifyContact(record, names));
}

/**
 * One contact with the fields that people use most: who it is, how to reach it, what is known of it, since when, and its
 * last change, by which a copy elsewhere is kept up to date.
 *
 * Ten, which is the most that n8n's guideline wants; Create or Update and the events of the trigger add what they found
 * out. The rest (gender, opt-in, times of reading and blocking, places) is for few workflows, which turn Simplify off.
 *
 * @param names those of the custom fields by their IDs
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

async function namesOf(item: Item): Promise<Map<string, string>> {
	const definitions = await customFieldDefinitions(item).catch(() => new Map<string, { name: string }>());
	return new Map([...definitions].map(([key, { name }]) => [key, name]));
}

function listOf(value: unknown): IDataObject[] {
	return Array.isArray(value) ? (value as IDataObject[]) : [];
}
