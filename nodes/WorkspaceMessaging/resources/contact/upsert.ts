import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';
import { contactToUpsert, createContact, getContact, updateContact, upsertContact } from '../../contract';
import { callOf } from '../../routing/call';
import type { Caller } from '../../routing/client';
import { CallError } from '../../routing/errors';
import type { Labels } from '../../routing/labels';
import { isSimplified, route } from '../../routing/operation';
import { recordOf } from '../../routing/pages';
import { runOf, shared } from '../../routing/run';
import { avatar, email, firstName, gender, lastName, optional, phoneNumber, showFor } from '../shared/fields';
import { contactLocator } from '../shared/locators';
import { ContactBook } from './contactBook';
import { andCustomFields, withCustomFields } from './customFields';
import { simplifyContacts } from './simplify';

export const upsertFields: INodeProperties[] = showFor('contact', 'upsert', [
	{
		...contactLocator,
		required: false,
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
	accepts: () => contactToUpsert,

	run: async (caller, { params, body }, context, labels) => {
		const wanted = withoutEmpty(body as Wanted);
		const identifiers = identifiersOf(params.identifier as string | undefined, wanted);
		if (identifiers.length === 0) {
			throw new CallError(
				'Contact, Email and Phone Number are all empty, so that no contact can be found or created.',
				{
					outcome: 'notSent',
				},
			);
		}
		const useServer = context.getNodeParameter('options.serverUpsert', false) === true;
		const { result, customFields } = await andCustomFields(caller, context, async () => {
			const upserted = useServer
				? await byServer(caller, identifiers[0], wanted, labels)
				: await inTurn(
						context,
						identifiers,
						wanted,
						async () => await byUs(caller, context, identifiers, wanted, labels),
					);
			const { contact, outcome } = upserted;
			const done = outcome === 'unchanged' ? 'left as it is' : outcome === 'created' ? 'created' : 'updated';
			return { identifier: `id:${String(contact.id)}`, result: upserted, done };
		});
		const { contact, outcome } = result;
		const [shown] = isSimplified(context) ? await simplifyContacts([contact], caller, context) : [contact];
		return [{ ...shown, ...(customFields && { customFields }), outcome }];
	},
});

interface Result {
	contact: IDataObject;
	outcome: Outcome;
}

async function byServer(caller: Caller, identifier: string, wanted: Wanted, labels: Labels): Promise<Result> {
	const call = callOf(upsertContact, { params: { identifier }, body: wanted, labels });
	return { contact: recordOf(await caller.send(call)), outcome: 'createdOrUpdated' };
}

/** Finds the contact, updates what differs, or creates it: documented calls only (part 4.1). */
async function byUs(
	caller: Caller,
	context: IExecuteSingleFunctions,
	identifiers: string[],
	wanted: Wanted,
	labels: Labels,
): Promise<Result> {
	const book = await shared(context, 'contacts', async () => {
		const contacts = new ContactBook();
		await contacts.readIfCheaper(caller, runOf(context).size);
		return contacts;
	});
	const existing = await find(caller, book, identifiers);
	if (existing) return await update(caller, book, existing, wanted, labels);

	const missing = (['email', 'phoneNumber'] as const).filter((name) => wanted[name] === undefined);
	if (missing.length > 0) {
		const names = missing.map((name) => labels[name]).join(' and ');
		throw new CallError(
			`There is no contact ${identifiers.join(' or ')}, and without ${names} none can be created. Nothing was changed.`,
			{
				outcome: 'refused',
			},
		);
	}
	return await create(caller, book, identifiers, wanted, labels);
}

async function find(
	caller: Caller,
	book: ContactBook,
	identifiers: string[],
): Promise<IDataObject | undefined> {
	for (const identifier of identifiers) {
		const known = book.find(identifier);
		if (known) return known;
	}
	// What the list did not show may have come since, or be written otherwise than here.
	for (const identifier of identifiers) {
		try {
			const contact = recordOf(await caller.send(callOf(getContact, { params: { identifier } })));
			book.add(contact);
			return contact;
		} catch (error) {
			if (!(error instanceof CallError) || error.details.status !== 404) return await Promise.reject(error);
		}
	}
	return undefined;
}

async function update(
	caller: Caller,
	book: ContactBook,
	contact: IDataObject,
	wanted: Wanted,
	labels: Labels,
): Promise<Result> {
	const changes = Object.fromEntries(
		Object.entries(wanted).filter(([name, value]) => contact[name] !== value),
	);
	if (Object.keys(changes).length === 0) return { contact, outcome: 'unchanged' };
	const identifier = `id:${String(contact.id)}`;
	await caller.send(callOf(updateContact, { params: { identifier }, body: changes, labels }));
	const updated = await readBack(caller, identifier, { ...contact, ...changes });
	book.add(updated);
	return { contact: updated, outcome: 'updated' };
}

/** The contact as the service has it now; what it should be like when that cannot be read. */
async function readBack(caller: Caller, identifier: string, otherwise: IDataObject): Promise<IDataObject> {
	return await caller.send(callOf(getContact, { params: { identifier } })).then(recordOf, () => otherwise);
}

async function create(
	caller: Caller,
	book: ContactBook,
	identifiers: string[],
	wanted: Wanted,
	labels: Labels,
): Promise<Result> {
	const { avatar: avatarUrl, gender: wantedGender = 'unknown', ...rest } = wanted;
	let created: IDataObject;
	try {
		created = recordOf(
			await caller.send(callOf(createContact, { body: { ...rest, gender: wantedGender }, labels })),
		);
	} catch (error) {
		// Someone else has just created it, or nobody knows whether this call did: then it can be found.
		const { status, outcome } =
			error instanceof CallError ? error.details : { status: 0, outcome: 'refused' };
		const found = status === 409 || outcome === 'unknown' ? await find(caller, book, identifiers) : undefined;
		if (!found) return await Promise.reject(error);
		const result = await update(caller, book, found, wanted, labels);
		return status === 409 ? result : { ...result, outcome: 'created' };
	}
	book.add(created);
	// Creating takes no avatar.
	if (avatarUrl === undefined) return { contact: created, outcome: 'created' };
	const { contact } = await update(caller, book, created, { avatar: avatarUrl }, labels);
	return { contact, outcome: 'created' };
}

/**
 * Lets items that mean the same contact wait for each other, in the order of the items, so that two of them do not both
 * find nothing and create two contacts.
 */
async function inTurn(
	context: IExecuteSingleFunctions,
	identifiers: string[],
	{ email: address, phoneNumber: phone }: Wanted,
	work: () => Promise<Result>,
): Promise<Result> {
	const turns = shared(context, 'turns', () => new Map<string, Promise<unknown>>());
	const keys = new Set(identifiers);
	if (address) keys.add(`email:${address}`);
	if (phone) keys.add(`phone:${phone}`);
	const names = [...keys].map(ContactBook.keyOf);
	const before = Promise.allSettled(names.map(async (name) => await turns.get(name)));
	const own = before.then(work);
	for (const name of names) turns.set(name, own);
	return await own;
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
