import { z } from 'zod/v4';
import { splitIdentifier, type StoredContact } from '../reference/contacts';
import { fitsField, withValues } from '../reference/customFieldValues';
import type { Channel } from '../../records';
import type { Workspace } from '../../workspace';
import { contactOf, showContact } from './contactRecord';
import { newConversation } from './conversations/conversation';
import { operation, type Operations } from './router';
import { id, ofContact, trimmed } from './inputs';
import { e164, isPhoneForm } from './phone';
import { businessRefusal, invalidInput, notFound, problem } from './problems';

const name = trimmed(0, 100);
const gender = z.enum(['male', 'female', 'unknown']);
const email = z.union([z.literal(''), z.email().max(100)]);
const phoneForm = z.string().refine(isPhoneForm, 'Invalid phone number');

const newContactBody = z.object({
	email,
	gender,
	channel: z.string(),
	inboxId: id,
	phoneNumber: z.union([z.literal(''), phoneForm]).optional(),
	contactId: z.string().max(255).optional(),
	firstName: name.optional(),
	lastName: name.optional(),
});

type NewContact = z.output<typeof newContactBody>;

/** What a channel needs to reach a new contact, and the error if it is missing. */
function refuseUnreachable(
	workspace: Workspace,
	{ channel, phoneNumber, email: address, contactId }: NewContact,
) {
	const needs: Record<
		string,
		[field: string, value: string | undefined, message: string] | undefined
	> = {
		whatsapp: ['phoneNumber', phoneNumber, 'Phone number is required for WhatsApp'],
		smtp: ['email', address, 'Email is required for the Email channel'],
		webchat: undefined,
		omnichannel: undefined,
	};
	const need =
		channel in needs
			? needs[channel]
			: (['contactId', contactId, 'User ID is required for this channel'] as const);
	if (need && !need[1]) throw invalidInput(workspace, need[0], need[2]);
}

/** The person's id on the platform of an inbox; undefined where the platform gives none. */
function platformIdOf(
	{ channel }: Channel,
	contact: Partial<StoredContact>,
	contactId: string | undefined,
) {
	if (channel === 'whatsapp') return contact.phoneNumber?.slice(1);
	if (channel === 'smtp') return contact.email ?? undefined;
	return contactId || undefined;
}

/** Refuses a phone number that another contact has. */
function refuseTakenPhone(workspace: Workspace, phoneNumber: string, self?: StoredContact): void {
	const holder = workspace.contacts.find(`phone:${phoneNumber}`);
	if (holder && holder !== self)
		throw businessRefusal(workspace, 'phoneNumber', 'Phone number is exists');
}

/** Whether somebody on an inbox has an id of the platform. */
export const isOnInbox = (workspace: Workspace, inboxId: string, platformId: string): boolean =>
	[...workspace.contacts.values()].some(({ platformIds }) => platformIds?.[inboxId] === platformId);

/** Adds a contact on an inbox, with a conversation. */
export function addOnInbox(
	workspace: Workspace,
	inbox: Channel,
	fields: Partial<StoredContact>,
	platformId: string | undefined,
): StoredContact {
	const contactId = workspace.nextId();
	return workspace.addContact({
		...fields,
		id: contactId,
		inboxIds: [inbox.id],
		platformIds: platformId === undefined ? {} : { [inbox.id]: platformId },
		conversation: newConversation(workspace, contactId),
	});
}

function create(workspace: Workspace, body: NewContact) {
	refuseUnreachable(workspace, body);
	const inbox = workspace.tables.channels.get(body.inboxId);
	if (!inbox) throw notFound('Inbox');
	if (inbox.channel !== body.channel) {
		throw businessRefusal(
			workspace,
			'channel',
			'Selected inbox does not match the selected source',
		);
	}
	let phoneNumber: string | null = null;
	if (body.phoneNumber) {
		phoneNumber = e164(body.phoneNumber, workspace.options.defaultCountryCode) ?? null;
		if (phoneNumber === null) {
			throw businessRefusal(workspace, 'phoneNumber', 'Please include the country code (e.g. +84)');
		}
		refuseTakenPhone(workspace, phoneNumber);
	}
	const fields = {
		email: body.email || null,
		phoneNumber,
		gender: body.gender,
		firstName: body.firstName || null,
		lastName: body.lastName || null,
	};
	const platformId = platformIdOf(inbox, fields, body.contactId);
	if (
		inbox.channel !== 'webchat' &&
		platformId !== undefined &&
		isOnInbox(workspace, inbox.id, platformId)
	) {
		throw businessRefusal(
			workspace,
			'contactId',
			'This contact already exists on the selected inbox',
		);
	}
	return addOnInbox(workspace, inbox, fields, platformId);
}

const upsertBody = ofContact.extend({
	firstName: name.optional(),
	lastName: name.optional(),
	email: email.optional(),
	phoneNumber: phoneForm.optional(),
	avatar: z.string().optional(),
	gender: gender.optional(),
});

function upsert(workspace: Workspace, { identifier, ...sent }: z.output<typeof upsertBody>) {
	const known = workspace.contacts.find(identifier);
	const [kind, value] = splitIdentifier(identifier);
	// Refuses an invalid identifier and an id that no contact has; creates a contact for an email or
	// a phone number.
	if (!known && !['email', 'phone'].includes(kind)) contactOf(workspace, identifier);
	const changes = { ...sent, ...(sent.email === '' && { email: null }) };
	// Not brought into one form here, unlike on creating: stored and compared as it came.
	const taken =
		changes.phoneNumber === undefined
			? undefined
			: workspace.contacts.find(`phone:${changes.phoneNumber}`);
	if (taken && taken !== known) throw problem(422, 'phoneExists', 'Phone number already exists');
	if (known) {
		workspace.changeContact(known, changes);
		return known;
	}
	const webchat = [...workspace.tables.channels.values()].find(
		({ channel }) => channel === 'webchat',
	);
	if (!webchat) throw notFound('Inbox');
	const reach = kind === 'email' ? { email: value } : { phoneNumber: value };
	return addOnInbox(workspace, webchat, { ...reach, ...changes }, undefined);
}

const standardFields = [
	'firstName',
	'lastName',
	'email',
	'phoneNumber',
	'avatar',
	'gender',
	'country',
	'state',
	'city',
	'locale',
	'timezone',
] as const;

/**
 * Changes a contact by a flat object: standard fields, and custom fields by their id; other keys
 * are ignored.
 */
function update(workspace: Workspace, { identifier, ...sent }: Record<string, string>): void {
	const contact = contactOf(workspace, identifier);
	const changes: Record<string, unknown> = {};
	for (const field of standardFields) {
		if (field in sent) changes[field] = sent[field] || null;
	}
	if (sent.phoneNumber) {
		const phoneNumber =
			e164(sent.phoneNumber, workspace.options.defaultCountryCode) ?? sent.phoneNumber;
		refuseTakenPhone(workspace, phoneNumber, contact);
		changes.phoneNumber = phoneNumber;
	}
	const entries = Object.entries(sent).flatMap(([key, value]) => {
		const field = workspace.tables.customFields.get(key);
		return field ? [{ field, value }] : [];
	});
	const wrong = entries.find(({ field, value }) => !fitsField(field, value));
	if (wrong) {
		throw problem(
			400,
			'invalidCustomFieldValue',
			`Invalid value for custom field ${wrong.field.name}`,
		);
	}
	if (entries.length > 0) changes.values = withValues(workspace, contact, entries);
	workspace.changeContact(contact, changes);
}

const updateOperation = operation(
	z.record(z.string(), z.string()).and(ofContact),
	({ workspace }, input) => update(workspace, input),
);

const setBlocked = (blocked: boolean) =>
	operation(ofContact, ({ workspace }, { identifier }) => {
		const contact = contactOf(workspace, identifier);
		workspace.changeContact(contact, { blockedAt: blocked ? new Date().toISOString() : null });
	});

/** Reading and writing one contact, as in newer and older services alike. */
export const contactOperations = {
	createContact: operation(newContactBody, ({ workspace }, body) =>
		showContact(workspace, create(workspace, body)),
	),
	getContact: operation(ofContact, ({ workspace }, { identifier }) =>
		showContact(workspace, contactOf(workspace, identifier)),
	),
	upsertContact: operation(upsertBody, ({ workspace }, body) =>
		showContact(workspace, upsert(workspace, body)),
	),
	updateContact: updateOperation,
	deleteContact: operation(ofContact, ({ workspace }, { identifier }) =>
		workspace.contacts.remove(contactOf(workspace, identifier)),
	),
	blockContact: setBlocked(true),
	unblockContact: setBlocked(false),
} satisfies Operations;

/** The newer way to change a contact. */
export const patchContact = updateOperation;
