import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';
import {
	customFieldsById,
	findNewValues,
	mergeValues,
} from '../../../contacts/customFields/contactValues';
import type { CheckedValue } from '../../../contacts/customFields/mappedValues';
import { getFullName, joinNameParts } from '../../../contacts/fullName';
import { anyChanges, type createContactOnChannel } from '../../../contract/contact';
import type { AnyItem, Item } from '../../../run/item';
import { ApiError, refusedError } from '../../../transport/errors/ApiError';
import { notFoundSentence, endSentence, joinSentences } from '../../../transport/errors/sentences';
import { nameRequestSubjects } from '../../../transport/request';
import {
	formatIdentifier,
	getIdentifiers,
	identifierKeys,
	sameContactKeys,
	showIdentifier,
} from '../../../values/identifier';
import type { Identifier } from '../../../values/identifier';
import { oncePerRun } from '../../../run/run';
import { counted } from '../../../values/labels';

/* What Create or Update is going to do with an item. Nothing here sends a request. */

/** The fields of a contact; those of a channel only count for a new one. */
export type ContactInput = Partial<
	z.output<typeof createContactOnChannel.body> & z.output<typeof anyChanges>
>;

/** What one item asks for. */
export interface UpsertRow {
	item: Item;
	fields: ContactInput;
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

/** Plans to change the fields and custom fields of a contact that differ. */
export function planUpdate(
	contact: IDataObject,
	{ fields, values }: Omit<UpsertRow, 'item' | 'identifiers'>,
): UpsertPlan {
	const updatable = Object.entries(pickUpdatable(fields));
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
export function planCreation({
	item,
	identifiers: [identifier],
	fields,
	values,
}: UpsertRow): UpsertPlan {
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

/** Returns the fields that can be updated, without those of a channel. */
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
export function hasPlannedValue(contact: IDataObject, name: string, value: string): boolean {
	// Numbers and emails can be the same although they are written in different ways.
	const [present] = identifierKeys({ [name]: contact[name] });
	const [planned] = getIdentifiers({ [name]: value });
	if (present === undefined || !planned) return contact[name] === value;
	return sameContactKeys(planned).includes(present);
}

const noContact = (identifier: Identifier) =>
	notFoundSentence(nameRequestSubjects({ identifier: formatIdentifier(identifier) })[0]);

/** The error if no contact has the ID that the user chose it by. */
export const planUpdateError = (identifier: Identifier) =>
	refusedError(
		`${noContact(identifier)}.`,
		'Leave Contact empty to find the contact by Email or Phone Number.',
	);

/** The outcomes that only a preview has. */
export const previewOutcomes = ['wouldCreate', 'wouldUpdate', 'invalid'] as const;

const plannedOutcomes = { created: 'wouldCreate', updated: 'wouldUpdate', unchanged: 'unchanged' };

/** Whether the user turned on Preview; false if its expression fails. */
export function isPreview(item: AnyItem): boolean {
	try {
		return item.isOn('options.preview');
	} catch {
		return false;
	}
}

/** Returns what the run would do with a row. */
export function describePlan(
	item: AnyItem,
	{ contact, outcome, changes }: UpsertPlan,
): IDataObject {
	const { email = null, phoneNumber = null } = contact;
	return previewOutput(item, {
		outcome: plannedOutcomes[outcome],
		reason: null,
		contactId: outcome === 'created' ? null : contact.id,
		email,
		phoneNumber,
		fullName: describeName(contact, changes),
		changedFields: Object.keys(changes),
		changes,
	});
}

/**
 * Returns why the run would refuse a row; undefined if the error says nothing about the row, such
 * as a lost connection.
 */
export function planInvalidRow(item: AnyItem, error: Error): IDataObject | undefined {
	const reason = describeRefusal(item, error);
	if (reason === undefined) return undefined;
	return previewOutput(item, {
		outcome: 'invalid',
		reason,
		contactId: null,
		email: readFieldOrNull(item, 'email'),
		phoneNumber: readFieldOrNull(item, 'phoneNumber'),
		fullName: null,
		changedFields: [],
		changes: {},
	});
}

/**
 * Returns the output of a row of a preview. All rows have the same fields, so that a table shows
 * them in this order.
 */
function previewOutput(item: AnyItem, row: IDataObject): IDataObject {
	outcomesOfPreview(item).set(item.index, String(row.outcome));
	return { ...row, preview: true };
}

/** The outcomes of the rows of a preview, by the numbers of their items; a hint counts them. */
const outcomesOfPreview = oncePerRun((item: AnyItem) => {
	const outcomes = new Map<number, string>();
	item.hint(() => `Preview: nothing was saved. ${countOutcomes([...outcomes.values()])}`);
	return outcomes;
});

const outcomeWords = [
	['wouldCreate', 'would be created'],
	['wouldUpdate', 'would be updated'],
	['unchanged', 'unchanged'],
	['invalid', 'invalid'],
] as const;

/** Counts the outcomes of rows: `30 rows: 12 would be created, 18 unchanged.` */
function countOutcomes(outcomes: string[]): string {
	const parts: string[] = [];
	for (const [outcome, words] of outcomeWords) {
		const { length } = outcomes.filter((each) => each === outcome);
		if (length === 0) continue;
		const count = length.toLocaleString('en-US');
		parts.push(`${count} ${words}`);
	}
	const rows = counted(outcomes.length, 'row');
	return `${rows}: ${parts.join(', ')}.`;
}

/**
 * The name of a custom field among the changes: with its ID if a field of the contact has the same
 * name.
 */
function nameChangedField({ id, name }: CheckedValue['field']): string {
	const isTaken = Object.hasOwn(anyChanges.shape, name);
	return isTaken ? `customField ${id}` : name;
}

/** The name after the change. */
function describeName(contact: IDataObject, changes: object): string | null {
	const hasChanged = 'firstName' in changes || 'lastName' in changes;
	const name = hasChanged ? joinNameParts(contact) : getFullName(contact);
	return name || null;
}

function describeRefusal({ problem }: AnyItem, error: Error): string | undefined {
	if (!(error instanceof ApiError)) return problem && endSentence(error.message);
	const { what, details } = error;
	const { nothingWas, outcome, cause, advice } = details;
	// A preview only reads, so what would write was refused by the node itself.
	const isOfNode = nothingWas === 'changed' && outcome === 'refused';
	return isOfNode ? joinSentences(what, cause, advice) : undefined;
}

/** The value of a field as the user entered it; null if there is none. */
function readFieldOrNull(item: AnyItem, name: string) {
	try {
		return (item.parameter(name, '') as string) || null;
	} catch {
		return null;
	}
}
