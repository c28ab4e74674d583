import type { IDataObject } from 'n8n-workflow';
import {
	ApiError,
	isDuplicate,
	isNotFound,
	isRefusal,
	unsupportedError,
	partiallyDone,
	rejected,
} from '../../../transport/errors/errors';
import { readRecord } from '../../../transport/pagination';
import { apiRequest } from '../../../transport/request';
import { rethrow } from '../../../transport/rethrow';
import { anyChanges, createContact, getContact, updateContact, upsertContact } from '../../../contract';
import type { Item } from '../../../execution/item';
import { missingContact } from '../../shared/undocumented';
import { customFieldsById } from '../../../contacts/customFields/value';
import { channelOf } from './contactChannel';
import { ContactCache } from './contactCache';
import { newValuesOf, mergeValues, writeValues, writeValuesAfter } from '../customFields/values';
import type { CheckedValue } from '../customFields/values';

/** The fields of a contact that can be given; those of a channel count for a new contact only. */
export type Wanted = Partial<
	Record<
		| 'firstName'
		| 'lastName'
		| 'email'
		| 'phoneNumber'
		| 'avatar'
		| 'gender'
		| 'inboxId'
		| 'channel'
		| 'contactId',
		string
	>
>;

export type UpsertOutcome = 'created' | 'updated' | 'unchanged' | 'createdOrUpdated';

/** What one item asks for. */
export interface UpsertJob {
	item: Item;
	/** What the contact is to be like. */
	wanted: Wanted;
	/** What to find it by, in this order. */
	identifiers: string[];
	/** The custom field values that it is to have. */
	values: CheckedValue[];
	/** Whether nothing is to be written, only told. */
	isPreview: boolean;
}

/** What became of it, or would. */
export interface UpsertResult {
	contact: IDataObject;
	outcome: UpsertOutcome;
	/** What each field that changed was before and is now, custom fields by their names. */
	changes: Record<string, { from: unknown; to: unknown }>;
}

/** What an outcome says has been done to a contact. */
const doneWords: Record<UpsertOutcome, string | undefined> = {
	created: 'created',
	updated: 'updated',
	createdOrUpdated: 'created or updated',
	unchanged: undefined,
};

/** Lets the service find, create or update (part 4.6); it does not say which of the two it did. */
export async function serviceUpsert(job: UpsertJob): Promise<UpsertResult> {
	const { item, identifiers, wanted } = job;
	const [identifier] = identifiers;
	const parts = { params: { identifier }, body: ofContact(wanted) };
	const contact = await readRecord(item, upsertContact, parts).catch(async (error: unknown) => {
		if (!isNotFound(error)) return await rethrow(error);
		// Whom it does not find, an upsert creates: only an ID can be nobody's.
		const isNobody = isId(identifier) && (await missingContact(item, identifier)) !== undefined;
		const request = apiRequest(upsertContact, parts);
		return await rethrow(isNobody ? nobody(identifier) : unsupportedError(request, error));
	});
	return await setCustomFields(job, { contact, outcome: 'createdOrUpdated', changes: {} });
}

/** Finds the contact, updates what differs, or creates it: documented calls only (part 4.1), as far as that goes. */
export async function findOrCreate(job: UpsertJob): Promise<UpsertResult> {
	const cache = await ContactCache.of(job.item);
	return (await updateFound(job, cache)) ?? (await create(job, cache));
}

/**
 * Finds the contact and updates what differs; undefined when there is none.
 *
 * @param isNew whether it has been created by a call whose answer was lost
 */
async function updateFound(
	job: UpsertJob,
	cache: ContactCache,
	isNew = false,
): Promise<UpsertResult | undefined> {
	const found = await find(job, cache);
	if (!found) return undefined;
	const identifier = `id:${String(found.id)}`;
	const result = await job.item.run.runExclusive([`contact ${identifier}`], async () => {
		const isUnchanged = cache.find(identifier) === found;
		return isUnchanged ? await applyChanges(job, cache, found, isNew) : undefined;
	});
	// Another item found the same contact by something else and changed it first, so this one looks again.
	return result ?? (await updateFound(job, cache, isNew));
}

/**
 * The contact that the first identifier finds, or else the second. What the cache lacks, the service is asked for before
 * the next identifier counts: whom a row means must not depend on the rows before it. That is so even when the list was
 * read to its end, because the contact may have come since, or be written otherwise than here; only rows that change an
 * email or create a contact cost a request for this.
 */
async function find(
	{ item, identifiers, isPreview }: UpsertJob,
	cache: ContactCache,
): Promise<IDataObject | undefined> {
	for (const identifier of identifiers) {
		const known = cache.find(identifier);
		if (known) return known;
		try {
			const contact = await readRecord(item, getContact, { params: { identifier } });
			// By an earlier row it would have another email or number now.
			if (isPreview && cache.find(`id:${String(contact.id)}`)) continue;
			cache.add(contact);
			return contact;
		} catch (error) {
			if (!isNotFound(error)) return await rethrow(error);
		}
	}
	return undefined;
}

/**
 * Makes a contact what it is to be: updates what differs, then sets the custom fields that differ.
 *
 * @param isNew whether it has just been created, which is then the outcome
 */
async function applyChanges(
	job: UpsertJob,
	cache: ContactCache,
	contact: IDataObject,
	isNew: boolean,
): Promise<UpsertResult> {
	try {
		const updated = await update(job, contact, isNew);
		cache.add(updated.contact);
		const result = await setCustomFields(job, isNew ? { ...updated, outcome: 'created' } : updated);
		cache.add(result.contact);
		return result;
	} catch (error) {
		// What it is like now is not certain: the next row that means it has to read it.
		cache.forget(contact);
		return await rethrow(error);
	}
}

async function update(job: UpsertJob, contact: IDataObject, isNew: boolean): Promise<UpsertResult> {
	const { item, wanted, values, isPreview } = job;
	const entries = Object.entries(ofContact(wanted));
	const changed = entries.filter(([name, value]) => !isSame(name, contact[name], String(value)));
	if (changed.length === 0) return { contact, outcome: 'unchanged', changes: {} };
	const body = Object.fromEntries(changed);
	const changes = Object.fromEntries(
		changed.map(([name, to]) => [name, { from: contact[name] ?? null, to }]),
	);
	if (isPreview) return { contact: { ...contact, ...body }, outcome: 'updated', changes };

	const params = { identifier: `id:${String(contact.id)}` };
	try {
		await item.request(updateContact, { params, body });
	} catch (error) {
		if (!isNew) return await rethrow(error);
		const rest = values.length > 0 ? 'its avatar and its custom fields were' : 'its avatar was';
		const sentence = `The contact ${params.identifier} was created, but ${rest} not set.`;
		return await rethrow(partiallyDone(error as ApiError, sentence));
	}
	// As the service has it now; as it should be, when that cannot be read.
	const updated = await readRecord(item, getContact, { params }).catch(() => ({ ...contact, ...body }));
	return { contact: updated, outcome: 'updated', changes };
}

/** Sets the custom field values that differ from what the contact shows; none that it has already. */
async function setCustomFields(
	{ item, values, isPreview }: UpsertJob,
	{ contact, outcome, changes }: UpsertResult,
): Promise<UpsertResult> {
	const fresh = newValuesOf(contact, values);
	if (fresh.length === 0) return { contact, outcome, changes };
	const identifier = `id:${String(contact.id)}`;
	const done = doneWords[outcome];
	if (!isPreview && done === undefined) await writeValues(item, identifier, fresh);
	else if (!isPreview) await writeValuesAfter(item, identifier, fresh, done!);
	const held = customFieldsById(contact);
	const ofFields = fresh.map(({ field, value }) => [
		field.name,
		{ from: held?.get(field.id)?.value ?? null, to: value },
	]);
	return {
		contact: mergeValues(contact, fresh),
		outcome: outcome === 'unchanged' ? 'updated' : outcome,
		changes: { ...changes, ...Object.fromEntries(ofFields) },
	};
}

/** What is known of the service after its first refusals in a run. */
interface Creating {
	/** Whether it creates contacts on a channel only, and none was given. */
	needsChannel: boolean;
}

async function create(job: UpsertJob, cache: ContactCache): Promise<UpsertResult> {
	const { item } = job;
	const creating = item.run.once<Creating>('creating contacts', () => ({ needsChannel: false }));
	const { avatar, ...given } = newContact(job);
	const body = { ...given, ...(await channelOf(item, given)) };
	const hasChannel = 'inboxId' in body || 'channel' in body;
	if (job.isPreview) return await previewOfNew(job, cache, { ...given, ...(avatar && { avatar }) });

	const isUpsert = creating.needsChannel && !hasChannel;
	let created: IDataObject;
	try {
		if (isUpsert) return await createByUpsert(job, cache, { ...given, ...(avatar && { avatar }) });
		created = await readRecord(item, createContact, { body });
	} catch (error) {
		if (!(error instanceof ApiError)) return await rethrow(error);
		const { outcome, fields = [] } = error.details;
		const wantsChannel = fields.some((field) => field === 'inboxId' || field === 'channel');
		if (wantsChannel && !hasChannel && !isUpsert) {
			creating.needsChannel = true;
			return await create(job, cache);
		}
		// It exists already, however the service says so, or nobody knows whether this call created it.
		if (!isDuplicate(error) && !isRefusal(error) && outcome !== 'unknown') return await rethrow(error);
		const found = await updateFound(job, cache, outcome === 'unknown');
		return found ?? (await rethrow(withCountryCodeAdvice(error, given)));
	}
	// Creating takes no avatar.
	const rest = avatar === undefined ? {} : { avatar };
	const result = await applyChanges({ ...job, wanted: rest }, cache, created, true);
	return { ...result, changes: { ...changesOfNew(given), ...result.changes } };
}

const changesOfNew = (given: Wanted) =>
	Object.fromEntries(Object.entries(given).map(([name, to]) => [name, { from: null, to }]));

/**
 * Creates a contact by the service's own upsert, where the service creates none without a channel and none was given. Such an
 * upsert puts it on the web chat.
 */
async function createByUpsert(job: UpsertJob, cache: ContactCache, given: Wanted): Promise<UpsertResult> {
	const result = await serviceUpsert({ ...job, wanted: given });
	cache.add(result.contact);
	job.item.run.hint(
		'This service creates contacts on a channel, and none was given: the new ones are on the web chat. To choose another, add Channel under Additional Fields.',
	);
	return { ...result, outcome: 'created', changes: { ...changesOfNew(given), ...result.changes } };
}

/** Shows what a new contact would be like, so that later rows find it. */
async function previewOfNew(job: UpsertJob, cache: ContactCache, given: Wanted): Promise<UpsertResult> {
	const contact: IDataObject = { id: `new ${job.item.index}`, ...ofContact(given), contactCustomFields: [] };
	const result = await setCustomFields(job, { contact, outcome: 'created', changes: changesOfNew(given) });
	cache.add(result.contact);
	return result;
}

/**
 * Adds to the error for a taken phone number why no contact was found by it: services that complete numbers have it with its
 * country code. Services that hide why they refuse a contact answer 500.
 */
function withCountryCodeAdvice(error: ApiError, { phoneNumber }: Wanted): ApiError {
	const { status = 0 } = error.details;
	const isTaken = isDuplicate(error) || status >= 500;
	if (!isTaken || phoneNumber === undefined || phoneNumber.startsWith('+')) return error;
	return new ApiError(
		`${error.message} The phone number has no country code, so a contact that has it with one was not found. Set Default Country Code in the options or in the credential.`,
		error.details,
	);
}

/** What to create a contact with: what is given, and what it was looked for by. Refuses what is not enough or not valid. */
function newContact({ identifiers, wanted, item }: UpsertJob): Wanted {
	const [identifier] = identifiers;
	// An ID is given by the service.
	if (isId(identifier)) throw nobody(identifier);
	const chosen = identifier.startsWith('email:')
		? { email: identifier.slice('email:'.length) }
		: { phoneNumber: identifier.slice('phone:'.length) };
	const given: Wanted = { gender: 'unknown', ...chosen, ...wanted };
	const missing = (['email', 'phoneNumber'] as const).filter((name) => given[name] === undefined);
	// What a channel needs, the service says.
	if (missing.length > 0 && given.inboxId === undefined && given.channel === undefined) {
		const names = missing.map((name) => item.run.labels[name]).join(' and ');
		throw rejected(
			`There is no contact ${identifiers.join(' or ')}, and without ${names} none can be created.`,
		);
	}
	try {
		// What the contact was chosen by has been no field of a contact so far.
		item.validate({ body: anyChanges }, { body: ofContact(given) });
	} catch (error) {
		throw rejected(
			`There is no contact ${identifier}, and none can be created: ${(error as Error).message}.`,
		);
	}
	// Where a channel is given, an email need not be, but its key has to be there.
	return given.email === undefined ? { email: '', ...given } : given;
}

/** The wanted fields without those of a channel. */
function ofContact(wanted: Wanted): IDataObject {
	return Object.fromEntries(Object.entries(wanted).filter(([name]) => name in anyChanges.shape));
}

/** The error for a contact that was chosen by an ID that none has. */
function nobody(identifier: string): ApiError {
	return rejected(
		`There is no contact with the ID ${identifier.slice('id:'.length)}.`,
		'Leave Contact empty to find the contact by Email or Phone Number.',
	);
}

function isId(identifier: string): boolean {
	return identifier.startsWith('id:');
}

/** Whether a field of a contact has this value, for email and phone number as contacts are found by them. */
function isSame(name: string, held: unknown, wanted: string): boolean {
	const prefix = { email: 'email:', phoneNumber: 'phone:' }[name];
	if (prefix === undefined || typeof held !== 'string') return held === wanted;
	return ContactCache.keyOf(prefix + held) === ContactCache.keyOf(prefix + wanted);
}
