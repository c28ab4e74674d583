import type { IDataObject } from 'n8n-workflow';
import { refusedError } from '../transport/errors/ApiError';
import { findsByCustomField } from '../service/capabilities';
import { searchByCustomField } from '../service/contacts';
import { readRecord } from '../service/lists/records';
import { readMovingList } from '../service/lists/movingLists';
import { contactApi } from '../contract/contact';
import type { Endpoint } from '../contract/endpoint';
import { limits } from '../contract/limits';
import type { Item } from '../run/item';
import { oncePerRun } from '../run/run';
import { toIdentifierParams } from '../values/identifier';
import { quoted } from '../values/labels';
import { readTime } from '../values/dates';
import { getServerFilter } from './conditions/serverConditions';
import { getConditionFieldType } from './conditions/conditionFields';
import { customFieldsById } from './customFields/contactValues';
import { getCustomField, type CustomFieldDefinition } from './customFields/definitions';
import { isSameAsStoredText, toStoredText } from './customFields/storedText';
import { idsOf } from '../transport/guards';

/** The maximum number of contacts that an error lists. */
const MAX_SHOWN = 5;

/**
 * Returns the ID of the contact that has a value in a custom field. Throws an `ApiError` if there is
 * no such field, or not exactly one such contact; with Ignore Not Found, returns undefined if there
 * is none.
 *
 * Text must be the same letter by letter, also in upper and lower case, because it tells people
 * apart. A number, date or yes/no may be written in other ways: if no contact has the exact text,
 * the same number, moment or answer finds it. A time without an offset is in the time zone of the
 * workflow, but a contact that has exactly this text is found, too.
 *
 * The service looks for the contact if it can. Otherwise n8n reads the list of contacts, once for
 * all items of the run.
 *
 * @param endpoint what the item is going to request
 * @param choice the ID or name of the field, and the value as the user entered it
 */
export async function findIdByCustomField(
	item: Item,
	endpoint: Endpoint,
	{ field: idOrName, value }: { field: string; value: string },
): Promise<string | undefined> {
	const field = await getCustomField(item, idOrName);
	const texts = toStoredTexts(item, field, value);
	const ids = await findContactsWith(item, field, texts);
	if (ids.length === 1) return ids[0];
	// As errors quote a value, but without the quotation marks.
	const subject = `${field.name} = ${quoted(value).slice(1, -1)}`;
	if (ids.length > 1) throw severalMatchesError(ids, subject, endpoint);
	if (ignoresMissing(item)) return undefined;
	throw noMatchError(subject, field, endpoint);
}

/** Returns the text of a value that the user entered, and another that a service may have for it. */
function toStoredTexts(item: Item, field: CustomFieldDefinition, entered: string) {
	const text = toStoredText(item, field, entered);
	// A service may have stored a time without an offset as it was entered.
	const isAmbiguous = readTime(entered)?.hasOffset === false && entered !== text;
	return isAmbiguous ? [text, entered] : [text];
}

/** Whether the operation has Ignore Not Found and the user turned it on. */
function ignoresMissing(item: Item) {
	return 'ignoreMissing' in item.run.labels && item.isOn('options.ignoreMissing');
}

function noMatchError(subject: string, field: CustomFieldDefinition, endpoint: Endpoint) {
	const rule = hasOtherForms(field) ? '' : 'Upper and lower case count.';
	return refusedError(`No contact has ${subject}.`, rule, { endpoint, status: 404 });
}

function severalMatchesError(ids: string[], subject: string, endpoint: Endpoint) {
	const { max } = limits.foundContacts;
	const count = ids.length < max ? ids.length : `${max} or more`;
	const shown = ids.slice(0, MAX_SHOWN);
	if (ids.length > MAX_SHOWN) shown.push('…');
	return refusedError(
		`${count} contacts have ${subject}, so n8n can't tell which one to use.`,
		`Select it by ID, email or phone (IDs: ${shown.join(', ')}), or by a custom field with a different value for each contact.`,
		{ endpoint },
	);
}

/**
 * Returns the IDs of the contacts whose custom field has a value: those with the exact text, or
 * else those with the same number, moment or answer in another form. A service that finds more than
 * `limits.foundContacts` names the first of them (difference 18).
 *
 * @param texts the value, and another text that finds contacts, too, if there is one
 */
const findContactsWith = oncePerRun(
	async (item: Item, field: CustomFieldDefinition, texts: string[]) => {
		const found = await searchOnService(item, field, texts);
		// The service compares the exact text only.
		const mayHaveOtherForm = found?.length === 0 && hasOtherForms(field);
		if (found && !mayHaveOtherForm) return found;
		return await findInRecords(item, field, texts);
	},
);

/** Finds the contacts that have one of some texts, or else the same value as the first text. */
async function findInRecords(
	item: Item,
	field: CustomFieldDefinition,
	texts: string[],
): Promise<string[]> {
	const [value] = texts;
	const holders = await readPossibleHolders(item, field, value);
	const idsByText = holders.get(field.id) ?? new Map<string, string[]>();
	const exact = texts.flatMap((text) => idsByText.get(text) ?? []);
	if (exact.length > 0 || !hasOtherForms(field)) return exact;
	const same: string[] = [];
	for (const [text, ids] of idsByText) {
		if (isSameAsStoredText(field, text, value)) same.push(...ids);
	}
	return same;
}

/** Whether there are several ways to write the same value, unlike with text. */
const hasOtherForms = ({ type }: CustomFieldDefinition) => getConditionFieldType(type) !== 'text';

/** Lets the service look for texts; undefined if it cannot do so. */
async function searchOnService(item: Item, field: CustomFieldDefinition, texts: string[]) {
	if (!(await findsByCustomField(item, field.id))) return undefined;
	const searches = texts.map((text) => searchIds(item, field, text));
	const found = await Promise.all(searches);
	return found.flat();
}

async function searchIds(item: Item, field: CustomFieldDefinition, text: string) {
	const contacts = await searchByCustomField(item, field.id, text);
	const ids = idsOf(contacts);
	if (ids.length !== 1) return ids;
	// Nobody can undo what happens to the wrong person, so n8n looks at the contact itself.
	let values = customFieldsById(contacts[0]);
	if (!values) {
		const params = toIdentifierParams(ids[0]);
		const contact = await readRecord(item, contactApi.getContact, { params });
		values = customFieldsById(contact);
	}
	if (!values) return ids;
	const shown = values.get(field.id)?.value;
	return isSameAsStoredText(field, shown, text) ? ids : [];
}

/** Reads who has which values: everyone, or at least those who have a value in any form. */
async function readPossibleHolders(item: Item, field: CustomFieldDefinition, value: string) {
	const contactFilter = await getFilterForValue(item, field, value);
	if (contactFilter === undefined) return await readAllHolders(item);
	return await readHolders(item, { contactFilter });
}

/**
 * Returns a filter by which the service can find the value in any form; undefined if it has none.
 */
async function getFilterForValue(item: Item, { id, type }: CustomFieldDefinition, value: string) {
	const condition = {
		field: { customFieldId: id },
		type: getConditionFieldType(type),
		operator: 'eq' as const,
		values: [value],
	};
	const clock = { now: Date.now(), timezone: item.run.timezone };
	return await getServerFilter(item, { match: 'all', conditions: [condition], clock });
}

/** IDs of contacts, by the ID of a custom field and its value. */
type Holders = Map<string, Map<string, string[]>>;

/** Reads all contacts, once for all items of a run. */
const readAllHolders = oncePerRun(async (item: Item): Promise<Holders> => {
	item.hint(
		"This service can't find contacts by a custom field, so n8n read all contacts once. In a large workspace this takes longer.",
	);
	return await readHolders(item, {});
});

async function readHolders(item: Item, query: IDataObject) {
	const contacts = await readMovingList(item, contactApi.listContacts, { query });
	const holders: Holders = new Map();
	for (const contact of contacts) {
		const values = customFieldsById(contact);
		if (!values)
			throw refusedError(
				"This service lists contacts without their custom fields, so n8n can't find a contact by one.",
				'Select the contact by ID, email or phone.',
			);
		for (const [fieldId, { value }] of values) {
			if (value === undefined || value === null) continue;
			addHolder(holders, fieldId, String(value), String(contact.id));
		}
	}
	return holders;
}

function addHolder(holders: Holders, fieldId: string, value: string, contactId: string) {
	const idsByValue = holders.get(fieldId) ?? new Map<string, string[]>();
	const ids = idsByValue.get(value) ?? [];
	ids.push(contactId);
	idsByValue.set(value, ids);
	holders.set(fieldId, idsByValue);
}
