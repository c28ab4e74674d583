import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';
import {
	anyChanges,
	createContact,
	findableContact,
	getContact,
	optionalContact,
	updateContact,
	upsertContact,
} from '../../contract';
import { callOf } from '../../routing/call';
import type { Caller } from '../../routing/client';
import { CallError, halfDone } from '../../routing/errors';
import type { Labels } from '../../routing/labels';
import { isSimplified, route } from '../../routing/operation';
import { readRecord } from '../../routing/pages';
import { toIdentifier } from '../../routing/prepare';
import { runOf, shared } from '../../routing/run';
import { inTurn } from '../../routing/turns';
import { avatar, email, firstName, gender, lastName, optional, phoneNumber, showFor } from '../shared/fields';
import { contactLocator } from '../shared/locators';
import { simplify } from '../shared/simplify';
import { ContactBook } from './contactBook';
import { andCustomFields, withCustomFields } from './customFields';
import { simplifyContacts } from './simplify';

export const upsertFields: INodeProperties[] = showFor('contact', 'upsert', [
	{
		...contactLocator,
		required: false,
		hint: 'Leave it empty to find the contact by Email, then by Phone Number',
		description:
			'The contact to update. Leave it empty to find the contact by the email address below, then by the phone number.',
	},
	{
		...email,
		description: 'A valid email address. Needed to create a contact; empty to leave it as it is.',
	},
	{
		...phoneNumber,
		description:
			'10 to 20 digits, with an optional leading +; no spaces or dashes. Needed to create a contact; empty to leave it as it is.',
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
			displayName: 'Use Upsert of the Server',
			name: 'serverUpsert',
			type: 'boolean',
			default: false,
			description:
				'Whether to let the service find, create or update in one request. The API does not document this; the service has to support it. It does not say which of the two it did.',
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
		const job: Job = { caller, context, labels, wanted, identifiers };
		const useServer = context.getNodeParameter('options.serverUpsert', false) === true;

		// Rows that mean the same contact wait for each other, so that two of them do not create two contacts.
		const names = [...identifiers, ...identifiersOf(undefined, wanted)].map(ContactBook.keyOf);
		const { result, customFields } = await inTurn(
			context,
			names,
			async () =>
				await andCustomFields(caller, context, async () => {
					const upserted = useServer ? await byServer(job) : await byUs(job);
					return {
						identifier: `id:${String(upserted.contact.id)}`,
						result: upserted,
						done: doneWord(upserted),
					};
				}),
		);
		const { contact, outcome } = result;
		const [shown] = isSimplified(context) ? await simplifyContacts([contact], caller, context) : [contact];
		return [{ ...shown, ...(customFields && { customFields }), outcome }];
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
}

interface Result {
	contact: IDataObject;
	outcome: Outcome;
}

function doneWord({ outcome }: Result): string {
	if (outcome === 'createdOrUpdated') return 'created or updated';
	return outcome === 'unchanged' ? 'left as it is' : outcome;
}

async function byServer({ caller, identifiers, wanted, labels }: Job): Promise<Result> {
	const call = callOf(upsertContact, { params: { identifier: identifiers[0] }, body: wanted, labels });
	return { contact: await readRecord(caller, call), outcome: 'createdOrUpdated' };
}

/** Finds the contact, updates what differs, or creates it: documented calls only (part 4.1). */
async function byUs(job: Job): Promise<Result> {
	const { context, caller, identifiers, wanted, labels } = job;
	const book = await shared(context, 'contacts', async () => await ContactBook.open(caller, runOf(context)));
	const updated = await updateFound(job, book);
	if (updated) return updated;

	const missing = (['email', 'phoneNumber'] as const).filter((name) => wanted[name] === undefined);
	if (missing.length > 0) {
		const names = missing.map((name) => labels[name]).join(' and ');
		throw new CallError(
			`There is no contact ${identifiers.join(' or ')}, and without ${names} none can be created. Nothing was changed.`,
			{ outcome: 'refused' },
		);
	}
	return await create(job, book);
}

/** How often a contact is looked for again when another row has changed what it was found by. */
const MAX_LOOKS = 5;

/** Finds the contact and updates what differs; undefined when there is none. */
async function updateFound(job: Job, book: ContactBook): Promise<Result | undefined> {
	for (let look = 0; look < MAX_LOOKS; look++) {
		const found = await find(job, book);
		if (!found) return undefined;
		const identifier = `id:${String(found.id)}`;
		// Another row may have found the same contact by something else.
		const result = await inTurn(job.context, [`contact ${identifier}`], async () => {
			const now = book.find(identifier) ?? found;
			const isAsFound = now.email === found.email && now.phoneNumber === found.phoneNumber;
			return isAsFound ? await update(job, book, now) : undefined;
		});
		if (result) return result;
	}
	throw new CallError('The contact kept being changed by other items. Nothing was changed for this one.', {
		outcome: 'refused',
	});
}

async function find({ caller, identifiers }: Job, book: ContactBook): Promise<IDataObject | undefined> {
	for (const identifier of identifiers) {
		const known = book.find(identifier);
		if (known) return known;
	}
	// What the list did not show may have come since, or be written otherwise than here.
	for (const identifier of identifiers) {
		try {
			const contact = await readRecord(caller, callOf(getContact, { params: { identifier } }));
			book.add(contact);
			return contact;
		} catch (error) {
			if (!(error instanceof CallError) || error.details.status !== 404) return await Promise.reject(error);
		}
	}
	return undefined;
}

async function update(
	{ caller, labels, wanted }: Pick<Job, 'caller' | 'labels' | 'wanted'>,
	book: ContactBook,
	contact: IDataObject,
): Promise<Result> {
	const changes = Object.fromEntries(
		Object.entries(wanted).filter(([name, value]) => contact[name] !== value),
	);
	if (Object.keys(changes).length === 0) return { contact, outcome: 'unchanged' };
	const params = { identifier: `id:${String(contact.id)}` };
	await caller.send(callOf(updateContact, { params, body: changes, labels }));
	// As the service has it now; as it should be, when that cannot be read.
	const updated = await readRecord(caller, callOf(getContact, { params })).catch(() => ({
		...contact,
		...changes,
	}));
	book.add(updated);
	return { contact: updated, outcome: 'updated' };
}

async function create(job: Job, book: ContactBook): Promise<Result> {
	const { caller, labels, wanted } = job;
	const { avatar: avatarUrl, gender: wantedGender = 'unknown', ...rest } = wanted;
	let created: IDataObject;
	try {
		const call = callOf(createContact, { body: { ...rest, gender: wantedGender }, labels });
		created = await readRecord(caller, call);
	} catch (error) {
		// Someone else has just created it, or nobody knows whether this call did: then it can be found.
		const { status, outcome } =
			error instanceof CallError ? error.details : { status: 0, outcome: 'refused' };
		const found = status === 409 || outcome === 'unknown' ? await updateFound(job, book) : undefined;
		if (!found) return await Promise.reject(error);
		return status === 409 ? found : { ...found, outcome: 'created' };
	}
	book.add(created);
	// Creating takes no avatar.
	if (avatarUrl === undefined) return { contact: created, outcome: 'created' };
	const setAvatar = update({ caller, labels, wanted: { avatar: avatarUrl } }, book, created);
	const { contact } = await setAvatar.catch(
		async (error: CallError) =>
			await Promise.reject(
				halfDone(error, `The contact id:${String(created.id)} was created, but its avatar was not set.`),
			),
	);
	return { contact, outcome: 'created' };
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
