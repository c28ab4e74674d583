import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { getChannelType, getInboxes } from '../channels/channel';
import { contact } from '../contract/contact';
import { QUESTION_FIELD } from '../contract/customField';
import { pickFields, string, strings } from '../contract/values';
import type { AnyItem } from '../run/item';
import { objectsIn } from '../transport/guards';
import { customFieldDefinitions, type CustomFieldDefinitions } from './customFields/definitions';

const { id, fullName, firstName, lastName, email, phoneNumber, createdAt, updatedAt } =
	contact.shape;

/**
 * A contact with the fields that people use most: its name, how to reach it, its tags and custom
 * fields, and when it was created and updated.
 *
 * These are ten, the most that n8n's guideline allows; Create or Update and the events of the
 * trigger add their own. Few workflows need the rest (gender, opt-in, places); these turn Simplify
 * off.
 */
export const simpleContact = z.object({
	id,
	fullName,
	firstName,
	lastName,
	email,
	phoneNumber,
	tags: strings,
	customFields: z.record(string, z.unknown()),
	createdAt,
	updatedAt,
});

/** The record of such a contact. */
export type SimpleContact = IDataObject & { customFields: IDataObject };

/**
 * Reduces contacts to the fields that people use most, with tags as names and custom field values
 * by the names of the fields, but without n8n's own notes. This reads the names only if a contact
 * has a value; without them the values come by the fields' IDs.
 */
export async function simplifyContactsWith(
	contacts: IDataObject[],
	readDefinitions: () => Promise<CustomFieldDefinitions>,
): Promise<SimpleContact[]> {
	const hasValues = contacts.some((each) => objectsIn(each.contactCustomFields).length > 0);
	// Without values, nobody needs the names.
	let definitions: CustomFieldDefinitions | undefined;
	if (hasValues) definitions = await readDefinitions().catch(() => undefined);
	const nameOf = (id: string) => definitions?.byId.get(id)?.name ?? id;
	return contacts.map((record) => simplifyRecord(record, nameOf));
}

/** Simplifies contacts for an item, as `simplifyContactsWith` does. */
export async function simplifyContacts(
	contacts: IDataObject[],
	item: AnyItem,
): Promise<SimpleContact[]> {
	return await simplifyContactsWith(contacts, () => customFieldDefinitions(item));
}

/** @param nameOf returns the name of the custom field with an ID */
function simplifyRecord(record: IDataObject, nameOf: (id: string) => string): SimpleContact {
	const customFields: IDataObject = {};
	for (const { customFieldId, value } of objectsIn(record.contactCustomFields)) {
		const name = nameOf(String(customFieldId));
		if (name !== QUESTION_FIELD) customFields[name] = value;
	}
	const channels = findChannelUsers(record);
	return {
		...pickFields(simpleContact, record),
		tags: objectsIn(record.tags).map(({ name }) => String(name)),
		customFields,
		...(channels.length > 0 && { channels }),
	};
}

/**
 * Returns who a contact is on its channels, if the service shows it: few do, so no schema has it. On
 * WhatsApp, people with a user name may show no phone number, so nothing else tells them apart.
 */
function findChannelUsers(record: IDataObject): IDataObject[] {
	const users = getInboxes(record).map((inbox) => {
		const { sourceUserId: userId, sourceUsername: userName } = inbox;
		return {
			type: getChannelType(inbox),
			...(userId && { userId }),
			...(userName && { userName }),
		};
	});
	return users.filter((user) => 'userId' in user || 'userName' in user);
}
