import type { IDataObject } from 'n8n-workflow';
import { isNotFound, recover, rejected } from '../../transport/errors/ApiError';
import type { ApiError } from '../../transport/errors/ApiError';
import { readPages, readRecord, rowsOf, SIDE_BY_SIDE } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { oncePerService } from '../../transport/service';
import { contactApi } from '../../contract/contact';
import type { Endpoint } from '../../contract/endpoint';
import { limits } from '../../contract/limits';
import { undocumentedApi } from '../../contract/undocumented';
import type { Item } from '../../execution/item';
import { oncePerRun } from '../../execution/run';
import { customFieldChoice } from '../../validation/identifier';
import { quoted } from '../../validation/labels';
import { serverFilterFor } from '../conditions/filterContacts';
import { readTime } from '../conditions/dates';
import { valueTypeOf } from '../conditions/parse';
import { isUnknownRequest } from '../list/serviceSupport';
import { customFieldNamed } from './definitions';
import type { CustomFieldDefinition } from './definitions';
import { customFieldsById, isStored, storedForm } from './value';

/** IDs of contacts that an error shows at most. */
const MAX_SHOWN = 5;
/** A value that no custom field has. */
const NOTHING = 'Nothing 8d1f6b0e-52c7-4f0a-9b53-0c7a2e4d9f16';

/**
 * Sets the item's identifier to the ID of the contact if the user selects it by a custom field, or if the items of a run
 * that changes contacts name them in different ways: only the ID shows that two items are about the same contact.
 *
 * Throws an `ApiError` if there is no such field, or not exactly one such contact.
 *
 * @param endpoint what the item is going to request
 */
export async function resolveContact(item: Item, endpoint: Endpoint): Promise<void> {
	await findChosenContact(item, endpoint);
	const { params } = item;
	const identifier = String(params.identifier ?? '');
	if (endpoint.method === 'GET' || !isEmailOrPhone(identifier) || identifierKinds(item).size < 2) return;
	const contact = await contactOf(item, identifier);
	// If there is none, the operation says so in its own words.
	if (!contact) return;
	const byId = `id:${String(contact.id)}`;
	item.params = { ...params, identifier: byId };
	item.contacts.set(byId, contact);
}

const isEmailOrPhone = (identifier: string) => /^(email|phone):/.test(identifier);

/** The ways in which the items of a run name contacts; a custom field leads to an ID. */
const identifierKinds = oncePerRun(({ run }: Item) => {
	const identifiers = run.items.map(({ params }) => String(params.identifier ?? '')).filter(Boolean);
	return new Set(identifiers.map((text) => (isEmailOrPhone(text) ? text.split(':')[0] : 'id')));
});

/** Returns the contact with an email or phone number; undefined if there is none. */
const contactOf = oncePerRun(
	async (item: Item, identifier: string) =>
		await readRecord(item, contactApi.getContact, { params: { identifier } }).catch(
			recover(isNotFound, () => undefined),
		),
);

/**
 * Finds the contact of an item that the user selects by the value of a custom field, and sets the item's identifier to its
 * ID. Exactly one contact must have the value. With Ignore Not Found, the identifier stays as it is if no contact has it.
 *
 * Text must be the same letter by letter, also in upper and lower case, because it tells people apart. A number, date or
 * yes/no may be written in other ways: if no contact has the exact text, the same number, moment or answer counts. A time
 * without an offset is in the time zone of the workflow, but a contact that has exactly this text is found, too.
 *
 * The service looks for the contact if it can. Otherwise n8n reads the list of contacts, once for all items of the run.
 */
async function findChosenContact(item: Item, endpoint: Endpoint): Promise<void> {
	const choice = customFieldChoice(String(item.params.identifier ?? ''));
	if (!choice) return;
	const field = await customFieldNamed(item, choice.field);
	const value = storedForm(item, field, choice.value);
	const ids = await contactsWith(item, field.id, value, isLocalTime(choice.value) ? choice.value : value);
	const subject = `${field.name} = ${quoted(choice.value).slice(1, -1)}`;
	if (ids.length === 0 && ignoresMissing(item)) return;
	if (ids.length === 0) throw noContact(subject, field, endpoint);
	if (ids.length > 1) throw severalContacts(ids, subject, endpoint);
	item.params = { ...item.params, identifier: `id:${ids[0]}` };
}

/** Whether the user selected a contact by a custom field, and no contact was found. */
export function isGone({ params }: Item): boolean {
	return customFieldChoice(String(params.identifier)) !== undefined;
}

/** Whether the operation has Ignore Not Found and the user turned it on. */
function ignoresMissing(item: Item): boolean {
	return 'ignoreMissing' in item.run.labels && item.parameter('options.ignoreMissing', false) === true;
}

function noContact(subject: string, field: CustomFieldDefinition, endpoint: Endpoint): ApiError {
	const rule = hasOtherForms(field) ? '' : 'Upper and lower case count.';
	return rejected(`No contact has ${subject}.`, rule, { endpoint, status: 404 });
}

function severalContacts(ids: string[], subject: string, endpoint: Endpoint): ApiError {
	const { max } = limits.foundContacts;
	const count = ids.length < max ? ids.length : `${max} or more`;
	const shown = ids.slice(0, MAX_SHOWN).join(', ');
	return rejected(
		`${count} contacts have ${subject}, so n8n can't tell which one to use.`,
		`Select it by ID, email or phone (IDs: ${shown}${ids.length > MAX_SHOWN ? ', …' : ''}), or by a custom field with a different value for each contact.`,
		{ endpoint },
	);
}

/** Whether a text is a time without an offset; a service may have stored it as it was entered. */
const isLocalTime = (text: string) => readTime(text)?.hasOffset === false;

/**
 * Returns the IDs of the contacts whose custom field has a value: those with the exact text, or else those with the same
 * number, moment or answer in another form. A service that finds more than `limits.foundContacts` names the first of them.
 *
 * @param entered another exact text that counts: the value as the user entered it
 */
const contactsWith = oncePerRun(
	async (item: Item, fieldId: string, value: string, entered: string): Promise<string[]> => {
		const field = await customFieldNamed(item, fieldId);
		const texts = [...new Set([value, entered])];
		const answers = await Promise.all(texts.map(async (text) => await foundByService(item, field, text)));
		const found = answers.includes(undefined) ? undefined : answers.flatMap((ids) => ids ?? []);
		if (found && (found.length > 0 || !hasOtherForms(field))) return found;
		const contactFilter = await filterForValue(item, field, value);
		const holders = contactFilter ? await readHolders(item, { contactFilter }) : await allHolders(item);
		const byValue = holders.get(field.id) ?? new Map<string, string[]>();
		const exact = texts.flatMap((text) => byValue.get(text) ?? []);
		if (exact.length > 0 || !hasOtherForms(field)) return exact;
		return [...byValue].filter(([text]) => isStored(field, text, value)).flatMap(([, ids]) => ids);
	},
);

/** Whether there are several ways to write the same value, unlike with text. */
const hasOtherForms = ({ type }: CustomFieldDefinition) => valueTypeOf(type) !== 'text';

/** Asks the service for the contacts whose custom field has exactly a text. */
async function find(client: Requester, customFieldId: string, value: string): Promise<IDataObject[]> {
	return rowsOf(
		await client.request(undocumentedApi.findContactsByCustomField, { query: { customFieldId, value } }),
	);
}

/** Whether the service finds contacts by a custom field. One that does not may take this for another request and return anyone. */
const findsByCustomField = oncePerService(
	async (client: Requester, fieldId: string) =>
		await find(client, fieldId, NOTHING)
			.then((contacts) => contacts.length === 0)
			.catch(recover(isUnknownRequest, () => false)),
);

/** Lets the service look for a text; undefined if it cannot do so. */
async function foundByService(
	item: Item,
	field: CustomFieldDefinition,
	value: string,
): Promise<string[] | undefined> {
	if (!(await findsByCustomField(item, field.id))) return undefined;
	const contacts = await find(item, field.id, value);
	const ids = contacts.map(({ id }) => String(id));
	if (ids.length !== 1) return ids;
	// Nobody can undo what happens to the wrong person, so n8n looks at the contact itself.
	const [contact] = customFieldsById(contacts[0])
		? contacts
		: [await readRecord(item, contactApi.getContact, { params: { identifier: `id:${ids[0]}` } })];
	const values = customFieldsById(contact);
	return !values || isStored(field, values.get(field.id)?.value, value) ? ids : [];
}

/** Returns a filter by which the service can find the value in any form; undefined if it has none. */
async function filterForValue(item: Item, { id, type }: CustomFieldDefinition, value: string) {
	const condition = {
		field: { customFieldId: id },
		type: valueTypeOf(type),
		operator: 'eq' as const,
		values: [value],
	};
	const clock = { now: Date.now(), timezone: item.run.context.getTimezone() };
	return await serverFilterFor(item, { match: 'all', conditions: [condition], clock });
}

/** IDs of contacts, by the ID of a custom field and its value. */
type Holders = Map<string, Map<string, string[]>>;

/** Reads all contacts, once for all items of a run. */
const allHolders = oncePerRun(async (item: Item): Promise<Holders> => {
	item.hint(
		"This service can't find contacts by a custom field, so n8n read all contacts once. In a large workspace this takes longer.",
	);
	return await readHolders(item, {});
});

async function readHolders(item: Item, query: IDataObject): Promise<Holders> {
	const holders: Holders = new Map();
	for await (const { fresh } of readPages(
		item,
		contactApi.listContacts,
		{ query },
		{ ahead: SIDE_BY_SIDE },
	)) {
		for (const contact of fresh) {
			const values = customFieldsById(contact);
			if (!values) throw notShown();
			for (const [fieldId, { value }] of values) {
				if (value === undefined || value === null) continue;
				const byValue = holders.get(fieldId) ?? new Map<string, string[]>();
				const ids = byValue.get(String(value)) ?? [];
				ids.push(String(contact.id));
				holders.set(fieldId, byValue.set(String(value), ids));
			}
		}
	}
	return holders;
}

function notShown(): ApiError {
	return rejected(
		"This service lists contacts without their custom fields, so n8n can't find a contact by one.",
		'Select the contact by ID, email or phone.',
	);
}
