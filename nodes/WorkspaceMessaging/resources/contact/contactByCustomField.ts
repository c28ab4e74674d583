import type { IDataObject } from 'n8n-workflow';
import { ApiError, refusedError } from '../../api/errors';
import { readPages, readRecord, rowsOf } from '../../api/pagination';
import type { Requester } from '../../api/request';
import { rethrow } from '../../api/rethrow';
import { getContact, listContacts } from '../../contract';
import type { Endpoint } from '../../contract';
import { findContactsByCustomField } from '../../contract/beyondReference';
import type { Item } from '../../execution/item';
import { customFieldChoice } from '../../validation/identifier';
import { quoted } from '../../validation/messages';
import { customFieldSubject } from './conditions/given';
import type { Condition, ValueType } from './conditions/condition';
import { narrowed } from './conditions/meeting';
import { customFieldNamed } from './customFieldDefinitions';
import type { CustomFieldDefinition } from './customFieldDefinitions';
import { heldBy } from './customFields';
import { isStored, toStored } from './customFieldValue';

/** Contacts that a service finds by a custom field at most. */
const MOST_FOUND = 100;
/** IDs of contacts that an error shows at most. */
const MOST_SHOWN = 5;
/** Pages that are read side by side. */
const AHEAD = 32;
/** What no custom field holds. */
const NOTHING = 'Nothing 8d1f6b0e-52c7-4f0a-9b53-0c7a2e4d9f16';

interface ContactValues {
	contactId: string;
	/** What its custom fields hold, by their IDs. */
	values: Map<string, unknown>;
}

/**
 * Finds the contact of an item that is chosen by the value of a custom field, and gives the item its ID in place of that
 * choice. It must be the only contact with this value.
 *
 * Text must be the same letter by letter, upper and lower case included, because it tells people apart. Numbers, dates and
 * yes/no may be written in other ways: where nobody has the very text, whoever has the same number, moment or answer is
 * meant.
 *
 * The service looks for it where it can. Elsewhere the list of contacts is read, once for all items of the run.
 *
 * Throws an `ApiError` where there is no such field, or not exactly one such contact.
 *
 * @param endpoint what the item is going to ask for
 */
export async function findChosenContact(item: Item, endpoint: Endpoint): Promise<void> {
	const choice = customFieldChoice(String(item.params.identifier ?? ''));
	if (!choice) return;
	const field = await customFieldNamed(item, choice.field);
	const value = storedForm(item, field, choice.value);
	const ids = await item.run.once(`contacts with ${field.id}=${value}`, async () => {
		return await contactsWith(item, field, value);
	});
	const subject = `${field.name} = ${quoted(choice.value).slice(1, -1)}`;
	if (ids.length === 0) throw noContact(subject, field, endpoint);
	if (ids.length > 1) throw severalContacts(ids, subject, endpoint);
	item.params = { ...item.params, identifier: `id:${ids[0]}` };
}

/** The value as it would be stored; what cannot be a value of this field is refused. */
function storedForm(item: Item, field: CustomFieldDefinition, value: string): string {
	try {
		return toStored(field, value, item.run.context.getTimezone(), item.readPhoneNumber);
	} catch (error) {
		throw refusedError(`${(error as Error).message}.`);
	}
}

/** IDs of the contacts that have a value, in its stored form. */
async function contactsWith(item: Item, field: CustomFieldDefinition, value: string): Promise<string[]> {
	const found = await foundByService(item, field, value);
	if (found && (found.length > 0 || !hasOtherForms(field))) return found;
	const filtered = await filteredByService(item, field, value);
	if (filtered) return meant(byValue(filtered, field), field, value);
	const all = await item.run.once('contacts by custom field', async () => {
		item.hint(
			'The service cannot find contacts by a custom field, so that all contacts were read once for it. In a large workspace this takes longer.',
		);
		return await readValues(item, {});
	});
	const index = item.run.once(`contacts by ${field.id}`, () => byValue(all, field));
	return meant(index, field, value);
}

/** Whether the same value can be written in several ways, other than text. */
const hasOtherForms = ({ type }: CustomFieldDefinition) => valueTypeOf(type) !== 'text';

const valueTypeOf = (type: string) => customFieldSubject({ id: '', type }).slice(1) as ValueType;

/** IDs of contacts by what a custom field of theirs holds. */
function byValue(contacts: ContactValues[], { id }: CustomFieldDefinition): Map<string, string[]> {
	const index = new Map<string, string[]>();
	for (const { contactId, values } of contacts) {
		const value = values.get(id);
		if (value === undefined || value === null) continue;
		const ids = index.get(String(value));
		if (ids) ids.push(contactId);
		else index.set(String(value), [contactId]);
	}
	return index;
}

/** IDs of those that have the very text, or else of those that have the same value. */
function meant(index: Map<string, string[]>, field: CustomFieldDefinition, value: string): string[] {
	const exact = index.get(value);
	if (exact) return exact;
	if (!hasOtherForms(field)) return [];
	return [...index].filter(([text]) => isStored(field, text, value)).flatMap(([, ids]) => ids);
}

/** Asks the service, which compares text; undefined where it does not look for contacts in this way. */
async function foundByService(
	item: Item,
	field: CustomFieldDefinition,
	value: string,
): Promise<string[] | undefined> {
	const ask = async (text: string) =>
		rowsOf(
			await item.request(findContactsByCustomField, { query: { customFieldId: field.id, value: text } }),
		);
	// A service that does not know the question can take it for another, and bring anybody.
	const isOffered = await item.service.once('finding contacts by custom field', async () => {
		try {
			return (await ask(NOTHING)).length === 0;
		} catch (error) {
			const { status = 500, refusal } = error instanceof ApiError ? error.details : {};
			const isUnknown = [400, 404, 405, 422].includes(status);
			return isUnknown && (refusal === undefined || refusal.endsWith('Missing'))
				? false
				: await rethrow(error);
		}
	});
	if (!isOffered) return undefined;
	const rows = await ask(value);
	const ids = rows.map(({ id }) => String(id));
	if (ids.length !== 1) return ids;
	// What is done to the wrong person cannot be undone, so the contact itself is looked at.
	const [shown] = heldBy(rows[0]) ? rows : [await contactWith(item, ids[0])];
	const held = heldBy(shown);
	return !held || isStored(field, held.get(field.id)?.value, value) ? ids : [];
}

const contactWith = async (item: Item, id: string) =>
	await readRecord(item, getContact, { params: { identifier: `id:${id}` } });

/** Lets the service narrow its list by a filter, where it says that it can; undefined elsewhere. */
async function filteredByService(
	item: Item,
	field: CustomFieldDefinition,
	value: string,
): Promise<ContactValues[] | undefined> {
	const condition: Condition = {
		field: { customFieldId: field.id },
		type: valueTypeOf(field.type),
		operator: 'eq',
		values: [value],
	};
	const clock = { now: Date.now(), timezone: item.run.context.getTimezone() };
	const quiet: Requester = {
		request: async (...sent) => await item.request(...sent),
		service: item.service,
	};
	const segment = { conditions: { match: 'all' as const, conditions: [condition] }, clock };
	const query = await narrowed(quiet, segment, {});
	return query.contactFilter === undefined ? undefined : await readValues(item, query);
}

/** Reads the list of contacts (part 4.1), and of each what its custom fields hold. */
async function readValues(item: Item, query: IDataObject): Promise<ContactValues[]> {
	const contacts: ContactValues[] = [];
	for await (const { fresh } of readPages(item, listContacts, { query }, { ahead: AHEAD })) {
		for (const contact of fresh) {
			const held = heldBy(contact);
			if (!held) throw notShown();
			const values = new Map([...held].map(([id, { value }]) => [id, value]));
			contacts.push({ contactId: String(contact.id), values });
		}
	}
	return contacts;
}

function noContact(subject: string, field: CustomFieldDefinition, endpoint: Endpoint): ApiError {
	const rule = hasOtherForms(field) ? '' : 'Upper and lower case count.';
	return refusedError(`There is no contact with ${subject}.`, rule, { endpoint, status: 404 });
}

function severalContacts(ids: string[], subject: string, endpoint: Endpoint): ApiError {
	const count = ids.length < MOST_FOUND ? ids.length : `${MOST_FOUND} or more`;
	const shown = ids.slice(0, MOST_SHOWN).join(', ');
	return refusedError(
		`There are ${count} contacts with ${subject}, so it is not known which one is meant.`,
		`Choose it by ID, email or phone (IDs: ${shown}${ids.length > MOST_SHOWN ? ', …' : ''}), or by a custom field of which each contact has another value.`,
		{ endpoint },
	);
}

function notShown(): ApiError {
	return refusedError(
		'This service does not show in its list what the custom fields of contacts hold, so that none can be found by it.',
		'Choose the contact by ID, email or phone.',
	);
}
