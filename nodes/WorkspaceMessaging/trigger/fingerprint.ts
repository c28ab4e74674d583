import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { contact } from '../contract';
import { stableStringify } from './stableStringify';

/** Fields that change with others or never. */
const NOT_COMPARED = ['id', 'createdAt', 'updatedAt', 'fullName', 'workspaceId'];

/** The fields of a contact that are compared (part 2.1); each is known by the character of its place in the contract. */
const FIELDS = Object.keys(contact.shape)
	.map((name, index) => ({ name, mark: index.toString(36) }))
	.filter(({ name }) => !NOT_COMPARED.includes(name));

/** Characters that stand for a field's value; 18 bits, so that one change in 262,144 goes unnamed. */
const LENGTH = 3;

/**
 * A contact's fields in some 40 characters, to see later which of them have changed: for each field that holds something,
 * its mark and the beginning of a hash of its value.
 */
export function fingerprintOf(record: IDataObject): string {
	return FIELDS.filter(({ name }) => !isEmpty(record[name]))
		.map(({ name, mark }) => mark + hashOf(stableStringify(record[name])))
		.join('');
}

/** The names of the fields in which two states of a contact differ, by their fingerprints. */
export function changedFields(before: string, after: string): string[] {
	const [old, now] = [partsOf(before), partsOf(after)];
	return FIELDS.filter(({ mark }) => old.get(mark) !== now.get(mark)).map(({ name }) => name);
}

function partsOf(fingerprint: string): Map<string, string> {
	const parts = fingerprint.match(new RegExp(`.{${1 + LENGTH}}`, 'g')) ?? [];
	return new Map(parts.map((part) => [part[0], part.slice(1)]));
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, LENGTH);
}

/** Whether a value says nothing; then it takes no room in a fingerprint. */
function isEmpty(value: unknown): boolean {
	return [undefined, null, false, ''].includes(value as never) || stableStringify(value) === '[]';
}
