import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { contact } from '../contract';
import { canonical } from './canonical';

/** Fields that change with others or never. */
const NOT_COMPARED = ['id', 'createdAt', 'updatedAt', 'fullName', 'workspaceId'];

/** The fields of a contact that are compared (part 2.1); each is known by its place in the contract. */
const FIELDS = Object.keys(contact.shape)
	.map((name, index) => ({ name, mark: index.toString(36) }))
	.filter(({ name }) => !NOT_COMPARED.includes(name));

/** Characters that stand for a field's value; 18 bits, so that one change in 262,144 goes unnamed. */
const LENGTH = 3;

/**
 * A contact's fields in some 40 characters, by which a later state is compared: for each field that holds something, its
 * mark and what stands for its value.
 */
export function printOf(record: IDataObject): string {
	return FIELDS.filter(({ name }) => !isEmpty(record[name]))
		.map(({ name, mark }) => mark + digest(canonical(record[name])))
		.join('');
}

/** The names of the fields in which two states of a contact differ. */
export function changedFields(before: string, after: string): string[] {
	const [old, now] = [partsOf(before), partsOf(after)];
	return FIELDS.filter(({ mark }) => old.get(mark) !== now.get(mark)).map(({ name }) => name);
}

function partsOf(print: string): Map<string, string> {
	const parts = new Map<string, string>();
	for (let at = 0; at < print.length; at += 1 + LENGTH)
		parts.set(print[at], print.slice(at + 1, at + 1 + LENGTH));
	return parts;
}

function digest(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, LENGTH);
}

/** Whether a value says nothing; then it takes no room in a print. */
function isEmpty(value: unknown): boolean {
	return (
		value === undefined || value === null || value === false || value === '' || canonical(value) === '[]'
	);
}
