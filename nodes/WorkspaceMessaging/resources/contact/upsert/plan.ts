import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';
import { withChannelType } from '../../../channels/list';
import {
	customFieldsById,
	findNewValues,
	mergeValues,
} from '../../../contacts/customFields/contactValues';
import type { CheckedValue } from '../../../contacts/customFields/mappedValues';
import { withoutOwnName } from '../../../contacts/fullName';
import { anyChanges, type createContactOnChannel } from '../../../contract/contact';
import type { Item } from '../../../run/item';
import { refusedError } from '../../../transport/errors/ApiError';
import { notFoundSentence } from '../../../transport/errors/sentences';
import { nameRequestSubjects } from '../../../transport/request';
import {
	formatIdentifier,
	getIdentifiers,
	identifierKeys,
	sameContactKeys,
	showIdentifier,
	type Identifier,
} from '../../../values/identifier';
import type { ContactCache } from './contactCache';

/* What Create or Update is going to do with an item. Nothing here changes a contact. */

/** The fields of a contact; those of a channel only count for a new one. */
export type ContactInput = Partial<
	z.output<typeof createContactOnChannel.body> & z.output<typeof anyChanges>
>;

/** What one item asks for. */
export interface UpsertRow {
	item: Item;
	fields: ContactInput;
	/** The full name that its first and last name are made of; empty if they were entered. */
	fullName: string;
	/** What finds the contact, in this order. */
	identifiers: Identifier[];
	/** The values of custom fields. */
	values: CheckedValue[];
}

/** What is going to happen to one contact. */
export interface UpsertPlan {
	outcome: 'created' | 'updated' | 'unchanged';
	/** The fields to create the contact with, or those to change. */
	fields: ContactInput;
	/** The values of custom fields to write. */
	values: CheckedValue[];
	/** The old and new value of each field that changes; custom fields by their names. */
	changes: Record<string, { from: unknown; to: unknown }>;
	/** The contact after the change, without what only the service knows. */
	contact: IDataObject;
}

/**
 * Plans what to do, with what the service has to say first: who has the phone number, and the type
 * of the channel.
 */
export async function makePlan(
	row: UpsertRow,
	cache: ContactCache,
	found?: IDataObject,
): Promise<UpsertPlan> {
	if (found) {
		await refuseTakenNumber(row, cache, found);
		return planUpdate(found, row);
	}
	const plan = planCreation(row);
	const fields = await withChannelType(row.item, plan.fields);
	return { ...plan, fields };
}

/**
 * Throws if the item would give the contact a phone number that another contact has, in whatever
 * form. Services refuse that, but not in every form.
 */
async function refuseTakenNumber(
	{ item, fields }: UpsertRow,
	cache: ContactCache,
	contact: IDataObject,
) {
	const { phoneNumber } = fields;
	if (phoneNumber === undefined) return;
	const isKept = hasPlannedValue(contact, 'phoneNumber', phoneNumber);
	if (isKept) return;
	const owner = await cache.find(item, [{ kind: 'phone', value: phoneNumber }]);
	if (!owner || owner.id === contact.id) return;
	const ids = `${String(owner.id)}, ${String(contact.id)}`;
	throw refusedError(
		`The phone number ${phoneNumber} belongs to a different contact from the one to update (IDs: ${ids}).`,
		'Correct the row, or select the contact by ID.',
	);
}

/** Plans to change the fields and custom fields of a contact that differ. */
export function planUpdate(
	contact: IDataObject,
	{ fields, values, fullName = '' }: Pick<UpsertRow, 'fields' | 'values'> & { fullName?: string },
): UpsertPlan {
	const wanted = withoutOwnName(fields, fullName, contact);
	const updatable = Object.entries(pickUpdatable(wanted));
	const differing = updatable.filter(([name, value]) => !hasPlannedValue(contact, name, value));
	const newFields = Object.fromEntries(differing);
	const newValues = findNewValues(contact, values);
	const current = customFieldsById(contact);
	const fieldChanges = differing.map(([name, to]) => {
		const from = contact[name] ?? null;
		return [name, { from, to }];
	});
	const valueChanges = newValues.map(({ field, value: to }) => {
		const from = current?.get(field.id)?.value ?? null;
		return [nameChangedField(field), { from, to }];
	});
	const hasChanges = differing.length + newValues.length > 0;
	return {
		outcome: hasChanges ? 'updated' : 'unchanged',
		fields: newFields,
		values: newValues,
		changes: Object.fromEntries([...fieldChanges, ...valueChanges]),
		contact: mergeValues({ ...contact, ...newFields }, newValues),
	};
}

/**
 * Plans to create a contact. Throws an `ApiError` if the fields of the row do not suffice or are
 * not valid.
 */
function planCreation({ item, identifiers: [identifier], fields, values }: UpsertRow): UpsertPlan {
	const entered: ContactInput = { ...showIdentifier(identifier), ...fields };
	const newFields = fillNewContact(item, identifier, entered);
	// The next rows of a preview find it by this ID, and show it.
	const contact = {
		id: `same as row ${item.index + 1}`,
		...pickUpdatable(newFields),
		contactCustomFields: [],
	};
	const {
		values: newValues,
		changes,
		contact: withValues,
	} = planUpdate(contact, { fields: {}, values });
	const fieldChanges = Object.entries(entered).map(([name, to]) => [name, { from: null, to }]);
	return {
		outcome: 'created',
		fields: newFields,
		values: newValues,
		changes: { ...Object.fromEntries(fieldChanges), ...changes },
		contact: withValues,
	};
}

function fillNewContact(item: Item, identifier: Identifier, entered: ContactInput): ContactInput {
	if (identifier.kind === 'id') throw planUpdateError(identifier);
	const fields: ContactInput = { gender: 'unknown', ...entered };
	const { email, phoneNumber, inboxId, channel } = fields;
	// With a channel, the service says what it requires.
	const isEnough = email !== undefined && phoneNumber !== undefined;
	if (!isEnough && inboxId === undefined && channel === undefined) {
		const other = email === undefined ? 'an email' : 'a phone number';
		throw refusedError(`${noContact(identifier)}.`, `To create one, also enter ${other}.`);
	}
	try {
		// The identifier was not checked as a field yet.
		item.validate({ body: anyChanges }, { body: pickUpdatable(fields) });
	} catch (error) {
		throw refusedError(
			`${noContact(identifier)}. To create one, correct this: ${(error as Error).message}.`,
		);
	}
	// With a channel, a contact needs no email, but services require the key.
	return { email: '', ...fields };
}

/** Returns the fields of a contact that can be updated, without those of a channel. */
export function pickUpdatable(fields: ContactInput): Record<string, string> {
	return Object.fromEntries(
		Object.entries(fields).filter(
			([name, value]) => name in anyChanges.shape && value !== undefined,
		),
	);
}

/**
 * Whether a field of a contact has this value; emails and phone numbers are compared as identifiers
 * are. A mobile number has the value in both its forms, so that Create or Update keeps the one that
 * the service has.
 */
function hasPlannedValue(contact: IDataObject, name: string, value: string) {
	// Numbers and emails can be the same although they are written in different ways.
	const [present] = identifierKeys({ [name]: contact[name] });
	const [planned] = getIdentifiers({ [name]: value });
	if (present === undefined || !planned) return contact[name] === value;
	return sameContactKeys(planned).includes(present);
}

const noContact = (identifier: Identifier) =>
	notFoundSentence(nameRequestSubjects({ identifier: formatIdentifier(identifier) })[0]);

/** The error of Create or Update if no contact has the ID that the user chose it by. */
export const planUpdateError = (identifier: Identifier) =>
	refusedError(
		`${noContact(identifier)}.`,
		'Leave Contact empty to find the contact by Email or Phone Number.',
	);

/**
 * The name of a custom field among the changes: with its ID if a field of the contact has the same
 * name.
 */
function nameChangedField({ id, name }: CheckedValue['field']) {
	const isTaken = Object.hasOwn(anyChanges.shape, name);
	return isTaken ? `customField ${id}` : name;
}
