import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { contact } from '../../contract/contact';
import { objectsIn } from '../../transport/guards';

/** Fields that change together with others, or never. */
const IGNORED = ['id', 'createdAt', 'updatedAt', 'fullName', 'workspaceId'];

/** The fields to compare (part 2.1), in the order of their hashes in a fingerprint. */
const FIELDS = Object.keys(contact.shape).filter((name) => !IGNORED.includes(name));

/** Characters per field: 18 bits, so one change in 262,144 stays unnoticed. */
const FIELD_LENGTH = 3;

/**
 * Reduces a contact to about 50 characters that later show which fields changed: a hash per field
 * that is not empty.
 *
 * @param questionFieldId of the custom field with n8n's own notes, which does not count
 */
export function makeFingerprint(record: IDataObject, questionFieldId?: string): string {
	const isCounted = ({ customFieldId }: IDataObject) => String(customFieldId) !== questionFieldId;
	const contactCustomFields = objectsIn(record.contactCustomFields).filter(isCounted);
	const counted: IDataObject = { ...record, contactCustomFields };
	const hashes = FIELDS.map((name) => {
		const value = counted[name];
		if (saysNothing(value)) return '';
		const text = stableStringify(value);
		return hash(text, FIELD_LENGTH);
	});
	return hashes.join();
}

/** Returns the names of the fields that differ between two fingerprints of a contact. */
export function compareFingerprints(before: string, after: string): string[] {
	const old = before.split(',');
	const current = after.split(',');
	return FIELDS.filter((_, index) => old[index] !== current[index]);
}

/** Whether a value says nothing. */
function saysNothing(value: unknown) {
	if (!value) return true;
	if (typeof value !== 'object') return false;
	return Object.keys(value).length === 0;
}

/** Returns a short hash of a text; each character holds 6 bits. */
export function hash(text: string, length: number): string {
	const digest = createHash('sha256').update(text).digest('base64url');
	return digest.slice(0, length);
}

/** The length of what `hashId` returns. */
export const ID_HASH_LENGTH = 8;

/** Returns a short text that stands for a record in a trigger's memory: 48 bits of its ID's hash. */
export const hashId = (id: unknown) => hash(String(id), ID_HASH_LENGTH);

/**
 * Writes a value as JSON in which the order of keys and list entries makes no difference, nor an
 * empty value.
 */
export function stableStringify(value: unknown): string {
	if (Array.isArray(value)) {
		const items = value.map(stableStringify).sort();
		return `[${items.join()}]`;
	}
	const isPlain = typeof value !== 'object' || value === null;
	if (isPlain) return JSON.stringify(value) ?? 'null';
	const entries: string[] = [];
	for (const [key, entry] of Object.entries(value)) {
		if (saysNothing(entry)) continue;
		const name = JSON.stringify(key);
		entries.push(`${name}:${stableStringify(entry)}`);
	}
	entries.sort();
	return `{${entries.join()}}`;
}

/**
 * Returns a short text that stands for a conversation in a trigger's memory. The contact's ID stays
 * if the contact gets another conversation.
 */
export const hashContactId = ({ contactId }: IDataObject) => hashId(contactId);

/** Returns a short text that stands for a message in a trigger's memory. */
export const hashMessageId = ({ id }: IDataObject) => hashId(id);
