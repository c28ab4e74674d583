import { z } from 'zod/v4';
import { patterns } from '../../../nodes/WorkspaceMessaging/contract/limits';
import type { StoredContact, StoredValue } from './contacts';
import type { CustomField } from '../../records';
import { after, type Workspace } from '../../workspace';

const fits: Record<CustomField['type'], (value: string) => boolean> = {
	shortText: () => true,
	longText: () => true,
	number: (value) => value.trim() !== '' && Number.isFinite(Number(value)),
	date: (value) => z.iso.date().safeParse(value).success,
	datetime: (value) => z.iso.datetime({ offset: true }).safeParse(value).success,
	boolean: (value) => value === 'true' || value === 'false',
	email: (value) => z.email().safeParse(value).success,
	phoneNumber: (value) => patterns.phoneNumber.test(value),
};

/** Whether a custom field of this type can hold a value. */
export const fitsField = ({ type }: CustomField, value: string): boolean => fits[type](value);

/** Finds a custom field by its id or its exact name. */
export function fieldByIdOrName({ tables }: Workspace, idOrName: string): CustomField | undefined {
	return (
		tables.customFields.get(idOrName) ??
		[...tables.customFields.values()].find(({ name }) => name === idOrName)
	);
}

/** A contact's values with some of them written; values that were there keep their id. */
export function withValues(
	workspace: Workspace,
	contact: Pick<StoredContact, 'values'>,
	entries: ReadonlyArray<{ field: CustomField; value: string }>,
): Map<string, StoredValue> {
	const values = new Map(contact.values);
	const now = new Date().toISOString();
	for (const { field, value } of entries) {
		const known = values.get(field.id);
		values.set(field.id, {
			id: known?.id ?? workspace.nextId(),
			createdAt: known?.createdAt ?? now,
			updatedAt: known ? after(known.updatedAt) : now,
			value,
		});
	}
	return values;
}

/**
 * A value as the list of a contact's custom fields shows it; undefined if the field no longer
 * exists.
 */
export function showValue(workspace: Workspace, [customFieldId, stored]: [string, StoredValue]) {
	const field = workspace.tables.customFields.get(customFieldId);
	return field ? [{ ...stored, customFieldId, name: field.name, type: field.type }] : [];
}
