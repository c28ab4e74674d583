import type { IDataObject } from 'n8n-workflow';
import type { AnyItem } from '../../../execution/item';
import { ApiError } from '../../../transport/errors/ApiError';
import { join, sentence } from '../../../transport/errors/render';
import type { UpsertResult } from './findOrCreate';

/* What Create or Update returns with the option Preview. */

/** The outcomes that only a preview has. */
export const previewOutcomes = ['wouldCreate', 'wouldUpdate', 'invalid'] as const;

const planned: Record<string, string> = { created: 'wouldCreate', updated: 'wouldUpdate' };

/** Whether the user only wants to know what would change. An expression that fails counts as no. */
export function isPreview(item: AnyItem): boolean {
	try {
		return item.parameter('options.preview', false) === true;
	} catch {
		return false;
	}
}

/** Returns what the run would do with a row. */
export function previewRow(item: AnyItem, { contact, outcome, changes }: UpsertResult): IDataObject {
	const { email = null, phoneNumber = null } = contact;
	return preview(item, {
		outcome: planned[outcome] ?? outcome,
		contactId: outcome === 'created' ? null : contact.id,
		email,
		phoneNumber,
		fullName: fullNameOf(contact, changes),
		changedFields: Object.keys(changes),
		changes,
	});
}

/** Returns why the run would refuse a row; undefined if the error says nothing about the row, such as a lost connection. */
export function invalidRow(item: AnyItem, error: Error): IDataObject | undefined {
	const reason = reasonOf(item, error);
	if (reason === undefined) return undefined;
	return preview(item, {
		outcome: 'invalid',
		reason,
		contactId: null,
		email: entered(item, 'email'),
		phoneNumber: entered(item, 'phoneNumber'),
		fullName: null,
		changedFields: [],
		changes: {},
	});
}

function preview(item: AnyItem, row: IDataObject): IDataObject {
	item.hint('Preview: nothing was written.');
	return { ...row, preview: true };
}

/** The name after the change. */
function fullNameOf({ fullName, firstName, lastName }: IDataObject, changes: object) {
	const isNew = !fullName || 'firstName' in changes || 'lastName' in changes;
	return isNew ? [firstName, lastName].filter(Boolean).join(' ') || null : fullName;
}

function reasonOf({ problem }: AnyItem, error: Error): string | undefined {
	if (!(error instanceof ApiError)) return problem && sentence(error.message);
	const { kind, outcome, cause, advice } = error.details;
	// A preview only reads, so what would write was refused by the node itself.
	return kind === 'write' && outcome === 'refused' ? join(error.what, cause, advice) : undefined;
}

/** The value of a field as the user entered it; null if there is none. */
function entered(item: AnyItem, name: string) {
	try {
		return (item.parameter(name, '') as string) || null;
	} catch {
		return null;
	}
}
