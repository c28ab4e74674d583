import type { IDataObject } from 'n8n-workflow';
import { ApiError, rejected } from '../../transport/errors/errors';
import { readPages, readRecord, rowsOf, SIDE_BY_SIDE } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { rethrow } from '../../transport/rethrow';
import { getContact, listContacts } from '../../contract';
import { findContactsByCustomField } from '../../contract/undocumented';
import type { Item } from '../../execution/item';
import type { Condition } from '../conditions/condition';
import { valueTypeOf } from '../conditions/parse';
import { withServerFilter } from '../conditions/filterContacts';
import type { CustomFieldDefinition } from './definitions';
import { customFieldsById, isStored } from './value';

/** What no custom field holds. */
const NOTHING = 'Nothing 8d1f6b0e-52c7-4f0a-9b53-0c7a2e4d9f16';

interface ContactValues {
	contactId: string;
	/** What its custom fields hold, by their IDs. */
	values: Map<string, unknown>;
}

/**
 * IDs of the contacts of which a custom field holds a value: those that hold the very text, or else those that hold the same
 * number, moment or answer, written in another way. A service that finds more than `limits.foundContacts` names the first of them.
 *
 * The service is asked, or filters its list, where it can. Elsewhere the list is read, once for all items of the run.
 *
 * @param value in the form in which it would be stored
 */
export async function contactsWith(
	item: Item,
	field: CustomFieldDefinition,
	value: string,
): Promise<string[]> {
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
export const hasOtherForms = ({ type }: CustomFieldDefinition) => valueTypeOf(type) !== 'text';

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
			const { status = 500, reason: refusal } = error instanceof ApiError ? error.details : {};
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
	const [shown] = customFieldsById(rows[0]) ? rows : [await contactWith(item, ids[0])];
	const held = customFieldsById(shown);
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
	const query = await withServerFilter(quiet, segment, {});
	return query.contactFilter === undefined ? undefined : await readValues(item, query);
}

/** Reads the list of contacts (part 4.1), and of each what its custom fields hold. */
async function readValues(item: Item, query: IDataObject): Promise<ContactValues[]> {
	const contacts: ContactValues[] = [];
	for await (const { fresh } of readPages(item, listContacts, { query }, { ahead: SIDE_BY_SIDE })) {
		for (const contact of fresh) {
			const held = customFieldsById(contact);
			if (!held) throw notShown();
			const values = new Map([...held].map(([id, { value }]) => [id, value]));
			contacts.push({ contactId: String(contact.id), values });
		}
	}
	return contacts;
}

function notShown(): ApiError {
	return rejected(
		'This service does not show in its list what the custom fields of contacts hold, so that none can be found by it.',
		'Choose the contact by ID, email or phone.',
	);
}
