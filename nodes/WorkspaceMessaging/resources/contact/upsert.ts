import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';
import {
	anyChanges,
	createContact,
	findableContact,
	getContact,
	optionalContact,
	rules,
	updateContact,
	upsertContact,
} from '../../contract';
import { callOf } from '../../routing/call';
import type { Caller } from '../../routing/client';
import { CallError, halfDone } from '../../routing/errors';
import type { Labels } from '../../routing/labels';
import { isSimplified, route } from '../../routing/operation';
import { readRecord } from '../../routing/pages';
import { checkRequest, toIdentifier } from '../../routing/prepare';
import { runOf, shared } from '../../routing/run';
import { inTurn } from '../../routing/turns';
import { avatar, email, firstName, gender, lastName, optional, phoneNumber, showFor } from '../shared/fields';
import { contactLocator } from '../shared/locators';
import { isNotFound, missingContact, NOT_DOCUMENTED, notOffered } from '../shared/undocumented';
import { simplify } from '../shared/simplifyField';
import { ContactBook } from './contactBook';
import {
	byName,
	newValuesOf,
	refused,
	setAfter,
	valuesBeside,
	withCustomFields,
	withWritten,
	writeValues,
} from './customFields';
import type { CheckedValue } from './customFields';
import { simplifyContacts } from './simplify';

export const upsertFields: INodeProperties[] = showFor('contact', 'upsert', [
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
]);

/** The fields of a contact that can be given. */
type Wanted = Partial<
	Record<'firstName' | 'lastName' | 'email' | 'phoneNumber' | 'avatar' | 'gender', string>
>;

type Outcome = 'created' | 'updated' | 'unchanged' | 'createdOrUpdated';

export const upsertRouting = route(upsertContact, upsertFields, {
	accepts: (context) => {
		const isChosen = toIdentifier(context.getNodeParameter('identifier', '')) !== '';
		return { ...optionalContact, body: isChosen ? anyChanges : findableContact };
	},

	run: async (caller, { params, body }, context, labels) => {
		const wanted = withoutEmpty(body as Wanted);
		const identifiers = identifiersOf(params.identifier as string | undefined, wanted);
		const useServer = context.getNodeParameter('options.serverUpsert', false) === true;

		// Rows that mean the same contact wait for each other, so that two of them do not create two contacts.
		const names = [...identifiers, ...identifiersOf(undefined, wanted)].map(ContactBook.keyOf);
		const { contact, outcome, values } = await inTurn(context, names, async () => {
			// Checked first: what is not valid must not come out when the contact has been changed.
			const checked = await valuesBeside(caller, context);
			const job: Job = { caller, context, labels, wanted, identifiers, values: checked ?? [] };
			return { ...(useServer ? await byServer(job) : await byUs(job)), values: checked };
		});
		if (!isSimplified(context))
			return [{ ...contact, ...(values && { customFields: byName(values) }), outcome }];
		const [shown] = await simplifyContacts([contact], caller, context);
		const customFields = { ...(shown.customFields as IDataObject), ...byName(values ?? []) };
		return [{ ...shown, customFields, outcome }];
	},
});

interface Job {
	caller: Caller;
	context: IExecuteSingleFunctions;
	labels: Labels;
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

async function byServer(job: Job): Promise<Result> {
	const { caller, identifiers, wanted, labels } = job;
	const [identifier] = identifiers;
	const call = callOf(upsertContact, { params: { identifier }, body: wanted, labels });
	const contact = await readRecord(caller, call).catch(async (error: unknown) => {
		if (!isNotFound(error)) return await Promise.reject(error);
		// Whom it does not find, an upsert creates: only an ID can be nobody's.
		const isNobody = isId(identifier) && (await missingContact(caller, identifier)) !== undefined;
		return await Promise.reject(isNobody ? nobody(identifier) : notOffered(upsertContact, error));
	});
	return await setCustomFields(job, { contact, outcome: 'createdOrUpdated' });
}

/** Finds the contact, updates what differs, or creates it: documented calls only (part 4.1). */
async function byUs(job: Job): Promise<Result> {
	const { context, caller } = job;
	const book = await shared(context, 'contacts', async () => await ContactBook.open(caller, runOf(context)));
	return (await updateFound(job, book)) ?? (await create(job, book));
}

/** How often a contact is looked for again when another row has changed what it was found by. */
const MAX_LOOKS = 5;

/**
 * Finds the contact and updates what differs; undefined when there is none.
 *
 * @param isNew whether it has been created by a call whose answer was lost
 */
async function updateFound(job: Job, book: ContactBook, isNew = false): Promise<Result | undefined> {
	for (let look = 0; look < MAX_LOOKS; look++) {
		const found = await find(job, book);
		if (!found) return undefined;
		const identifier = `id:${String(found.id)}`;
		// Another row may have found the same contact by something else.
		const result = await inTurn(job.context, [`contact ${identifier}`], async () => {
			const now = book.find(identifier);
			const isAsFound = now && now.email === found.email && now.phoneNumber === found.phoneNumber;
			return isAsFound ? await complete(job, book, now, isNew) : undefined;
		});
		if (result) return result;
	}
	throw refused('The contact kept being changed by other items.');
}

/**
 * The contact that the first identifier finds, or else the second. What the book lacks, the service is asked for before the
 * next identifier counts: whom a row means must not depend on the rows before it. That is so even when the list was read to
 * its end, because the contact may have come since, or be written otherwise than here; only rows that change an email or
 * create a contact cost a request for this.
 */
async function find({ caller, identifiers }: Job, book: ContactBook): Promise<IDataObject | undefined> {
	for (const identifier of identifiers) {
		const known = book.find(identifier);
		if (known) return known;
		try {
			const contact = await readRecord(caller, callOf(getContact, { params: { identifier } }));
			book.add(contact);
			return contact;
		} catch (error) {
			if (!isNotFound(error)) return await Promise.reject(error);
		}
	}
	return undefined;
}

/**
 * Makes a contact what it is to be: updates what differs, then sets the custom fields that differ.
 *
 * @param isNew whether it has just been created, which is then the outcome
 */
async function complete(job: Job, book: ContactBook, contact: IDataObject, isNew: boolean): Promise<Result> {
	try {
		const updated = await update(job, contact, isNew);
		book.add(updated.contact);
		const result = await setCustomFields(job, isNew ? { ...updated, outcome: 'created' } : updated);
		book.add(result.contact);
		return result;
	} catch (error) {
		// What it is like now is not certain: the next row that means it has to read it.
		book.forget(contact);
		return await Promise.reject(error);
	}
}

async function update(
	{ caller, labels, wanted, values }: Job,
	contact: IDataObject,
	isNew: boolean,
): Promise<Result> {
	const changes = Object.fromEntries(
		Object.entries(wanted).filter(([name, value]) => !isSame(name, contact[name], value)),
	);
	if (Object.keys(changes).length === 0) return { contact, outcome: 'unchanged' };
	const params = { identifier: `id:${String(contact.id)}` };
	try {
		await caller.send(callOf(updateContact, { params, body: changes, labels }));
	} catch (error) {
		if (!isNew) return await Promise.reject(error);
		const rest = values.length > 0 ? 'its avatar and its custom fields were' : 'its avatar was';
		const sentence = `The contact ${params.identifier} was created, but ${rest} not set.`;
		return await Promise.reject(halfDone(error as CallError, sentence));
	}
	// As the service has it now; as it should be, when that cannot be read.
	const updated = await readRecord(caller, callOf(getContact, { params })).catch(() => ({
		...contact,
		...changes,
	}));
	return { contact: updated, outcome: 'updated' };
}

/** Sets the custom field values that differ from what the contact shows; none that it has already. */
async function setCustomFields({ caller, values }: Job, { contact, outcome }: Result): Promise<Result> {
	const fresh = newValuesOf(contact, values);
	if (fresh.length === 0) return { contact, outcome };
	const identifier = `id:${String(contact.id)}`;
	const done = doneWords[outcome];
	if (done === undefined) await writeValues(caller, identifier, fresh);
	else await setAfter(caller, identifier, fresh, done);
	return { contact: withWritten(contact, fresh), outcome: outcome === 'unchanged' ? 'updated' : outcome };
}

async function create(job: Job, book: ContactBook): Promise<Result> {
	const { caller, labels } = job;
	const { avatar: avatarUrl, ...body } = newContact(job);
	let created: IDataObject;
	try {
		created = await readRecord(caller, callOf(createContact, { body, labels }));
	} catch (error) {
		// Someone else has just created it, or nobody knows whether this call did: then it can be found.
		const { status, outcome } =
			error instanceof CallError ? error.details : { status: 0, outcome: 'refused' };
		const isLost = outcome === 'unknown';
		const found = status === 409 || isLost ? await updateFound(job, book, isLost) : undefined;
		return found ?? (await Promise.reject(error));
	}
	// Creating takes no avatar.
	const rest = avatarUrl === undefined ? {} : { avatar: avatarUrl };
	return await complete({ ...job, wanted: rest }, book, created, true);
}

/** What to create a contact with: what is given, and what it was looked for by. Refuses what is not enough or not valid. */
function newContact({ identifiers, wanted, labels }: Job): Wanted {
	const [identifier] = identifiers;
	// An ID is given by the service.
	if (isId(identifier)) throw nobody(identifier);
	const chosen = identifier.startsWith('email:')
		? { email: identifier.slice('email:'.length) }
		: { phoneNumber: identifier.slice('phone:'.length) };
	const given: Wanted = { gender: 'unknown', ...chosen, ...wanted };
	const missing = (['email', 'phoneNumber'] as const).filter((name) => given[name] === undefined);
	if (missing.length > 0) {
		const names = missing.map((name) => labels[name]).join(' and ');
		throw refused(
			`There is no contact ${identifiers.join(' or ')}, and without ${names} none can be created.`,
		);
	}
	try {
		// What the contact was chosen by has been no field of a contact so far.
		checkRequest({ body: anyChanges }, labels, { body: given });
	} catch (error) {
		throw refused(`There is no contact ${identifier}, and none can be created: ${(error as Error).message}.`);
	}
	return given;
}

/** The error for a contact that was chosen by an ID that none has. */
function nobody(identifier: string): CallError {
	return refused(
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
	return ContactBook.keyOf(prefix + held) === ContactBook.keyOf(prefix + wanted);
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
