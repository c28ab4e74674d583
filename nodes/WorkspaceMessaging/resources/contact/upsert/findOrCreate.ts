import type { IDataObject } from 'n8n-workflow';
import { customFieldsById } from '../../../contacts/customFields/value';
import { contactApi } from '../../../contract/contact';
import type { Item } from '../../../execution/item';
import { oncePerRun } from '../../../execution/run';
import {
	ApiError,
	isDuplicate,
	isNotFound,
	partiallyDone,
	recover,
	rejected,
} from '../../../transport/errors/ApiError';
import { readRecord } from '../../../transport/pagination';
import { comparableIdentifier } from '../../../validation/identifier';
import type { CheckedValue } from '../customFields/values';
import { mergeValues, newValuesOf, writeValues } from '../customFields/writeValues';
import { mayExist, withChannelType } from '../shared/contactFields';
import { contactRef } from '../shared/contactOutput';
import { ContactCache, keysOf } from './contactCache';
import { createOnService, newContact, updatable, upsertOnService } from './createContact';
import type { ContactInput } from './createContact';

/** What one item asks for. */
interface UpsertJob {
	item: Item;
	fields: ContactInput;
	/** Identifiers to find the contact by; the first that finds one counts. */
	identifiers: string[];
	values: CheckedValue[];
	/** Whether to return what would change without saving it. */
	isPreview: boolean;
}

export interface UpsertResult {
	contact: IDataObject;
	outcome: 'created' | 'updated' | 'unchanged' | 'createdOrUpdated';
	/** The old and new value of each field that changed; custom fields by their names. */
	changes: Record<string, { from: unknown; to: unknown }>;
}

/** Creates or updates a contact in one request. The service does not say which of the two it did (API §4.6). */
export async function serviceUpsert(job: UpsertJob): Promise<UpsertResult> {
	return await inOrder(job, undefined, async () => {
		const contact = await upsertOnService(job.item, job.identifiers[0], job.fields);
		return await setCustomFields(job, { contact, outcome: 'createdOrUpdated', changes: {} });
	});
}

/** Finds the contact and updates what differs, or creates it. Uses documented endpoints as far as they suffice. */
export async function findOrCreate(job: UpsertJob): Promise<UpsertResult> {
	const cache = await ContactCache.of(job.item);
	// What nobody has changed so far.
	const known = await job.item.run.inOrder(async () => await find(job, cache, lookUpOnce));
	return await inOrder(job, known, async (hasWaited) => {
		const found = hasWaited ? await find(job, cache) : known;
		return found ? await applyChanges(job, cache, found, false) : await create(job, cache);
	});
}

/**
 * Runs work after that of earlier items about the same contact, however they name it: they do not create it twice, and the
 * last one counts.
 */
async function inOrder<T>(
	{ item, identifiers, fields, isPreview }: UpsertJob,
	known: IDataObject | undefined,
	work: (hasWaited: boolean) => Promise<T>,
): Promise<T> {
	const names = [...identifiers.map(comparableIdentifier), ...keysOf(fields), ...keysOf(known ?? {})];
	const lines = names.map((name) => `upsert ${name}`);
	if (!isPreview) return await item.run.runExclusive(lines, work);
	// A row that the real run would refuse must not stop the preview.
	const [result] = await item.run.runExclusive(
		lines,
		async (hasWaited) => await Promise.allSettled([work(hasWaited)]),
	);
	if (result.status === 'rejected') throw result.reason;
	return result.value;
}

/**
 * Asks the service for a contact; undefined if there is none. A run that has read the whole list knows a contact in another
 * form already.
 */
async function lookUp(item: Item, identifier: string): Promise<IDataObject | undefined> {
	const { isComplete } = await ContactCache.of(item);
	const parts = { params: { identifier }, isExact: isComplete };
	return await readRecord(item, contactApi.getContact, parts).catch(recover(isNotFound, () => undefined));
}

/** The same, once for all items of a run. */
const lookUpOnce = oncePerRun(lookUp);

/**
 * Finds a contact by the first identifier, or else by the second. Asks the service for what the cache lacks before it tries
 * the next identifier: which contact an item means must not depend on the items before it. That applies even if the whole
 * list was read, because the contact may be new. Only items that change an email or create a contact need this request.
 */
async function find(
	{ item, identifiers, isPreview }: UpsertJob,
	cache: ContactCache,
	look = lookUp,
): Promise<IDataObject | undefined> {
	for (const identifier of identifiers) {
		const known = cache.find(identifier);
		if (known) return known;
		const contact = await look(item, identifier);
		// In a preview, a contact that the cache has under its ID would have another email or phone number by now.
		if (contact && !(isPreview && cache.find(`id:${String(contact.id)}`))) return contact;
	}
	return undefined;
}

/** Updates the fields that differ, then the custom fields that differ. */
async function applyChanges(
	job: UpsertJob,
	cache: ContactCache,
	contact: IDataObject,
	isNew: boolean,
): Promise<UpsertResult> {
	const apply = async () => {
		await refuseTakenNumber(job, cache, contact);
		const updated = await update(job, contact, isNew);
		cache.add(updated.contact);
		const result = await setCustomFields(job, updated);
		cache.add(result.contact);
		return result;
	};
	return await apply().catch((error: unknown) => {
		// Its state is unknown now, so the next item reads it again.
		cache.forget(contact);
		throw error;
	});
}

/**
 * Throws if the item would give the contact a phone number that another contact has, in whatever form. Services refuse that,
 * but not in every form.
 */
async function refuseTakenNumber(job: UpsertJob, cache: ContactCache, contact: IDataObject) {
	const { phoneNumber } = job.fields;
	if (phoneNumber === undefined || isSame('phoneNumber', contact.phoneNumber, phoneNumber)) return;
	const owner = await find({ ...job, identifiers: [`phone:${phoneNumber}`] }, cache);
	if (!owner || owner.id === contact.id) return;
	throw rejected(
		`The phone number ${phoneNumber} belongs to another contact than the one to update (IDs: ${String(owner.id)}, ${String(contact.id)}).`,
		'Correct the row, or select the contact by ID.',
	);
}

async function update(job: UpsertJob, contact: IDataObject, isNew: boolean): Promise<UpsertResult> {
	const { item, fields, values, isPreview } = job;
	const changed = Object.entries(updatable(fields)).filter(
		([name, value]) => !isSame(name, contact[name], value),
	);
	const changes = Object.fromEntries(
		changed.map(([name, to]) => [name, { from: contact[name] ?? null, to }]),
	);
	if (changed.length === 0) return { contact, outcome: isNew ? 'created' : 'unchanged', changes };
	const body = Object.fromEntries(changed);
	const outcome = isNew ? 'created' : 'updated';
	if (isPreview) return { contact: { ...contact, ...body }, outcome, changes };

	const params = { identifier: `id:${String(contact.id)}` };
	await item.request(contactApi.updateContact, { params, body }).catch(
		recover(
			() => isNew,
			(error) => {
				const rest = values.length > 0 ? 'avatar and custom fields were' : 'avatar was';
				throw partiallyDone(error, `The contact ${params.identifier} was created, but its ${rest} not set.`);
			},
		),
	);
	const updated = await readRecord(item, contactApi.getContact, { params }).catch(() => ({
		...contact,
		...body,
	}));
	return { contact: updated, outcome, changes };
}

/** What an outcome has done to a contact. */
const doneWords = {
	created: 'created',
	updated: 'updated',
	createdOrUpdated: 'created or updated',
	unchanged: undefined,
};

/** Sets the custom fields whose values differ from those of the contact. */
async function setCustomFields(
	{ item, values, isPreview }: UpsertJob,
	result: UpsertResult,
): Promise<UpsertResult> {
	const { contact, outcome } = result;
	const newValues = newValuesOf(contact, values);
	if (newValues.length === 0) return result;
	const done = doneWords[outcome];
	if (!isPreview) await writeValues(item, `id:${String(contact.id)}`, newValues, { done });
	const current = customFieldsById(contact);
	const changes = newValues.map(({ field, value }) => [
		field.name,
		{ from: current?.get(field.id)?.value ?? null, to: value },
	]);
	return {
		contact: mergeValues(contact, newValues),
		outcome: outcome === 'unchanged' ? 'updated' : outcome,
		changes: { ...result.changes, ...Object.fromEntries(changes) },
	};
}

/** A preview cannot find out whether the service requires a channel. */
const CHANNEL_HINT =
	'New contacts have no channel. If the service requires one, it creates them on web chat. To change this, add Channel under Additional Fields.';

/** Creates the contact. If that fails because it exists, or may exist, finds and updates it after all. */
async function create(job: UpsertJob, cache: ContactCache): Promise<UpsertResult> {
	const { item, identifiers, isPreview } = job;
	const fields = newContact(item, identifiers[0], job.fields);
	const body = await withChannelType(item, fields);
	const entered = { ...contactRef(identifiers[0]), ...job.fields };
	const changes = Object.fromEntries(Object.entries(entered).map(([name, to]) => [name, { from: null, to }]));
	if (isPreview) {
		if (body.channel === undefined) item.hint(CHANNEL_HINT);
		// The next items find it by this.
		const contact = { id: `new ${item.index}`, ...updatable(fields), contactCustomFields: [] };
		const result = await setCustomFields(job, { contact, outcome: 'created', changes });
		cache.add(result.contact);
		return result;
	}
	return await createOnService(item, identifiers[0], body).then(
		async (created) => {
			// Creating takes no avatar.
			const { avatar } = fields;
			const result = await applyChanges({ ...job, fields: { avatar } }, cache, created, true);
			return { ...result, changes: { ...changes, ...result.changes } };
		},
		recover(mayExist, async (error) => {
			const found = await find(job, cache);
			if (!found) throw withCountryCodeAdvice(error, fields);
			const isNew = error.details.outcome === 'unknown';
			const result = await applyChanges(job, cache, found, isNew);
			return isNew ? { ...result, changes: { ...changes, ...result.changes } } : result;
		}),
	);
}

/**
 * Explains an error about a phone number without a country code: services that add one know the contact by another number.
 * Services that hide why they refuse a contact answer 500.
 */
function withCountryCodeAdvice(error: ApiError, { phoneNumber }: ContactInput): ApiError {
	const isTaken = (error.details.status ?? 0) >= 500 || isDuplicate(error);
	if (!isTaken || !phoneNumber || phoneNumber.startsWith('+')) return error;
	return new ApiError(error.what, {
		...error.details,
		advice:
			'The phone number has no country code. If a contact has it with one, set Default Country Code in the options or in the credential.',
	});
}

/** Whether a field has this value; emails and phone numbers are compared as identifiers are. */
function isSame(name: string, current: unknown, value: string): boolean {
	const prefix = { email: 'email:', phoneNumber: 'phone:' }[name];
	if (prefix === undefined || typeof current !== 'string') return current === value;
	return comparableIdentifier(prefix + current) === comparableIdentifier(prefix + value);
}
