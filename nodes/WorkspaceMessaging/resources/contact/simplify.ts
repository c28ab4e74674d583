import type { IDataObject } from 'n8n-workflow';

/** The fields of a contact that people use most, with the tags as their names. */
export function simplifyContact(contact: IDataObject): IDataObject {
	const {
		id,
		fullName,
		firstName,
		lastName,
		email,
		phoneNumber,
		gender,
		emailOptIn,
		blockedAt,
		createdAt,
		updatedAt,
	} = contact;
	return {
		id,
		fullName,
		firstName,
		lastName,
		email,
		phoneNumber,
		gender,
		emailOptIn,
		tags: namesOf(contact.tags),
		blockedAt,
		createdAt,
		updatedAt,
	};
}

function namesOf(tags: unknown): string[] {
	return Array.isArray(tags) ? tags.map((tag: IDataObject) => String(tag.name)) : [];
}
