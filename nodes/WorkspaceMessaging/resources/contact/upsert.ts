import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { ApiError, isNotFound, notOfferedError, partiallyDone, refusedError } from '../../api/errors';
import { readRecord } from '../../api/pagination';
import { apiRequest } from '../../api/request';
import { rethrow } from '../../api/rethrow';
import { anyChanges, createContact, getContact, rules, updateContact, upsertContact } from '../../contract';
import { identifier as identifierRule } from '../../contract/values';
import type { Item } from '../../execution/item';
import type { Operation } from '../../execution/operation';
import { toIdentifier } from '../../validation/identifier';
import { optional } from '../shared/fields';
import { contactLocator } from '../shared/locators';
import { simplify } from '../shared/simplifyField';
import { missingContact, NOT_DOCUMENTED } from '../shared/undocumented';
import { ContactCache } from './contactCache';
import { withCustomFields } from './customFieldFields';
import {
	byName,
	newValuesOf,
	valuesBeside,
	withWritten,
	writeValues,
	writeValuesAfter,
} from './customFields';
import type { CheckedValue } from './customFields';
import { avatar, email, firstName, gender, lastName, phoneNumber } from './personFields';
import { simpleContact, simplifyContacts } from './simplify';

/** The fields of a contact that can be given. */
type Wanted = Partial<
	Record<'firstName' | 'lastName' | 'email' | 'phoneNumber' | 'avatar' | 'gender', string>
>;

type Outcome = 'created' | 'updated' | 'unchanged' | 'createdOrUpdated';

/** A contact may be chosen, but need not be. */
const optionalContact = z.strictObject({ identifier: identifierRule.optional() });

/** Changes of a contact that has to be found by what it is to be like. */
const findableContact = anyChanges.refine((body) => Boolean(body.email ?? body.phoneNumber), {
	message: 'or Phone Number is required when no contact is chosen',
	path: ['email'],
});

export const upsert: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update contact',
	description: 'Create a new contact, or update the current one if it already exists (upsert)',
	endpoint: upsertContact,
	fields: [
		{
			...contactLocator,
			required: false,
			hint: 'Leave it empty to find the contact by Email, then by Phone Number; whoever has that number gets the new email',
			description:
				'The contact to update. Leave it empty to find the contact by the email address below, then by the phone number; a contact found by its number gets the email address below. Chosen by email or phone and not found, the contact is created.',
		},
		{
			...email,
			description:
				'A valid email address. Needed to create a contact; empty to leave it as it is. Upper and lower case count as the same.',
		},
		{
			...phoneNumber,
			description: `${rules.phoneNumber}; no spaces or dashes. Needed to create a contact; empty to leave it as it is. With and without the + counts as the same.`,
		},
		optional(
			'additionalFields',
			[avatar, firstName, { ...gender, description: 'A new contact without it gets "unknown"' }, lastName],
			'Fields that are empty, for example an empty cell of a spreadsheet, stay as they are',
		),
		...withCustomFields,
		simplify,
		optional('options', [
			{
				displayName: 'Use Upsert of the Service',
				name: 'serverUpsert',
				type: 'boolean',
				default: false,
				description: `Whether to let the service find, create or update in one request. ${NOT_DOCUMENTED}. It does not say which of the two it did.`,
			},
		]),
	],
	output: simpleContact.extend({
		outcome: z.enum(['created', 'updated', 'unchanged', 'createdOrUpdated']),
	}),

	accepts(item) {
		const isChosen = toIdentifier(item.parameter('identifier', '')) !== '';
		return { params: optionalContact, body: isChosen ? anyChanges : findableContact };
	},

	async run(item) {
		const wanted = withoutEmpty(item.body as Wanted);
		const identifiers = identifiersOf(item.params.identifier as string | undefined, wanted);
		const useService = item.parameter('options.serverUpsert', false) === true;

		// Rows that mean the same contact wait for each other, so that two of them do not create two contacts.
		const names = [...identifiers, ...identifiersOf(undefined, wanted)].map(ContactCache.keyOf);
		const { contact, outcome, values } = await item.run.runExclusive(names, async () => {
			// Checked first: what is not valid must not come out when the contact has been changed.
			const checked = await valuesBeside(item);
			const job: Job = { item, wanted, identifiers, values: checked ?? [] };
			return { ...(useService ? await serviceUpsert(job) : await findOrCreate(job)), values: checked };
		});
		if (!item.isSimplified) return [{ ...contact, ...(values && { customFields: byName(values) }), outcome }];
		const [shown] = await simplifyContacts([contact], item);
		const customFields = { ...(shown.customFields as IDataObject), ...byName(values ?? []) };
		return [{ ...shown, customFields, outcome }];
	},
};

interface Job {
	item: Item;
	/** What the contact is to be like. */
	wanted: Wanted;
	/** What to find it by, in this order. */
	identifiers: string[];
	/** The custom field values that it is to have. */
	values: CheckedValue[];
}

interface Result {
	contact: IDataObject;
	outcome: Outcome;
}

/** What an outcome says has been done to a contact. */
const doneWords: Record<Outcome, string | undefined> = {
	created: 'created',
	updated: 'updated',
	createdOrUpdated: 'created or updated',
	unchanged: undefined,
};

/** Lets the service find, create or update (part 4.6); it does not say which of the two it did. */
async function serviceUpsert(job: Job): Promise<Result> {
	const { item, identifiers, wanted } = job;
	const [identifier] = identifiers;
	const parts = { params: { identifier }, body: wanted };
	const contact = await readRecord(item, upsertContact, parts).catch(async (error: unknown) => {
		if (!isNotFound(error)) return await rethrow(error);
		// Whom it does not find, an upsert creates: only an ID can be nobody's.
		const isNobody = isId(identifier) && (await missingContact(item, identifier)) !== undefined;
		const request = apiRequest(upsertContact, parts);
		return await rethrow(isNobody ? nobody(identifier) : notOfferedError(request, error));
	});
	return await setCustomFields(job, { contact, outcome: 'createdOrUpdated' });
}

/** Finds the contact, updates what differs, or creates it: documented calls only (part 4.1). */
async function findOrCreate(job: Job): Promise<Result> {
	const cache = await ContactCache.of(job.item);
	return (await updateFound(job, cache)) ?? (await create(job, cache));
}

/** How often a contact is looked for again when another row has changed what it was found by. */
const MAX_LOOKS = 5;

/**
 * Finds the contact and updates what differs; undefined when there is none.
 *
 * @param isNew whether it has been created by a call whose answer was lost
 */
async function updateFound(job: Job, cache: ContactCache, isNew = false): Promise<Result | undefined> {
	for (let look = 0; look < MAX_LOOKS; look++) {
		const found = await find(job, cache);
		if (!found) return undefined;
		const identifier = `id:${String(found.id)}`;
		// Another row may have found the same contact by something else.
		const result = await job.item.run.runExclusive([`contact ${identifier}`], async () => {
			const now = cache.find(identifier);
			const isAsFound = now && now.email === found.email && now.phoneNumber === found.phoneNumber;
			return isAsFound ? await applyChanges(job, cache, now, isNew) : undefined;
		});
		if (result) return result;
	}
	throw refusedError('The contact kept being changed by other items.');
}

/**
 * The contact that the first identifier finds, or else the second. What the cache lacks, the service is asked for before the
 * next identifier counts: whom a row means must not depend on the rows before it. That is so even when the list was read to
 * its end, because the contact may have come since, or be written otherwise than here; only rows that change an email or
 * create a contact cost a request for this.
 */
async function find({ item, identifiers }: Job, cache: ContactCache): Promise<IDataObject | undefined> {
	for (const identifier of identifiers) {
		const known = cache.find(identifier);
		if (known) return known;
		try {
			const contact = await readRecord(item, getContact, { params: { identifier } });
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
	job: Job,
	cache: ContactCache,
	contact: IDataObject,
	isNew: boolean,
): Promise<Result> {
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

async function update({ item, wanted, values }: Job, contact: IDataObject, isNew: boolean): Promise<Result> {
	const changes = Object.fromEntries(
		Object.entries(wanted).filter(([name, value]) => !isSame(name, contact[name], value)),
	);
	if (Object.keys(changes).length === 0) return { contact, outcome: 'unchanged' };
	const params = { identifier: `id:${String(contact.id)}` };
	try {
		await item.request(updateContact, { params, body: changes });
	} catch (error) {
		if (!isNew) return await rethrow(error);
		const rest = values.length > 0 ? 'its avatar and its custom fields were' : 'its avatar was';
		const sentence = `The contact ${params.identifier} was created, but ${rest} not set.`;
		return await rethrow(partiallyDone(error as ApiError, sentence));
	}
	// As the service has it now; as it should be, when that cannot be read.
	const updated = await readRecord(item, getContact, { params }).catch(() => ({
		...contact,
		...changes,
	}));
	return { contact: updated, outcome: 'updated' };
}

/** Sets the custom field values that differ from what the contact shows; none that it has already. */
async function setCustomFields({ item, values }: Job, { contact, outcome }: Result): Promise<Result> {
	const fresh = newValuesOf(contact, values);
	if (fresh.length === 0) return { contact, outcome };
	const identifier = `id:${String(contact.id)}`;
	const done = doneWords[outcome];
	if (done === undefined) await writeValues(item, identifier, fresh);
	else await writeValuesAfter(item, identifier, fresh, done);
	return { contact: withWritten(contact, fresh), outcome: outcome === 'unchanged' ? 'updated' : outcome };
}

async function create(job: Job, cache: ContactCache): Promise<Result> {
	const { avatar: avatarUrl, ...body } = newContact(job);
	let created: IDataObject;
	try {
		created = await readRecord(job.item, createContact, { body });
	} catch (error) {
		// Someone else has just created it, or nobody knows whether this call did: then it can be found.
		const { status, outcome } = error instanceof ApiError ? error.details : { status: 0, outcome: 'refused' };
		const isLost = outcome === 'unknown';
		const found = status === 409 || isLost ? await updateFound(job, cache, isLost) : undefined;
		return found ?? (await rethrow(error));
	}
	// Creating takes no avatar.
	const rest = avatarUrl === undefined ? {} : { avatar: avatarUrl };
	return await applyChanges({ ...job, wanted: rest }, cache, created, true);
}

/** What to create a contact with: what is given, and what it was looked for by. Refuses what is not enough or not valid. */
function newContact({ identifiers, wanted, item }: Job): Wanted {
	const [identifier] = identifiers;
	// An ID is given by the service.
	if (isId(identifier)) throw nobody(identifier);
	const chosen = identifier.startsWith('email:')
		? { email: identifier.slice('email:'.length) }
		: { phoneNumber: identifier.slice('phone:'.length) };
	const given: Wanted = { gender: 'unknown', ...chosen, ...wanted };
	const missing = (['email', 'phoneNumber'] as const).filter((name) => given[name] === undefined);
	if (missing.length > 0) {
		const names = missing.map((name) => item.run.labels[name]).join(' and ');
		throw refusedError(
			`There is no contact ${identifiers.join(' or ')}, and without ${names} none can be created.`,
		);
	}
	try {
		// What the contact was chosen by has been no field of a contact so far.
		item.validate({ body: anyChanges }, { body: given });
	} catch (error) {
		throw refusedError(
			`There is no contact ${identifier}, and none can be created: ${(error as Error).message}.`,
		);
	}
	return given;
}

/** The error for a contact that was chosen by an ID that none has. */
function nobody(identifier: string): ApiError {
	return refusedError(
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

function withoutEmpty(wanted: Wanted): Wanted {
	return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ''));
}

function identifiersOf(chosen: string | undefined, wanted: Wanted): string[] {
	if (chosen !== undefined) return [chosen];
	return [
		wanted.email && `email:${wanted.email}`,
		wanted.phoneNumber && `phone:${wanted.phoneNumber}`,
	].filter((identifier): identifier is string => Boolean(identifier));
}
