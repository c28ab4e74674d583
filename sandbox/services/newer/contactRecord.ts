import { fullNameOf, splitIdentifier, type StoredContact } from '../reference/contacts';
import { showValue } from '../reference/customFieldValues';
import type { Contact } from '../../records';
import type { Workspace } from '../../workspace';
import { conversationOf } from './conversations/conversation';
import type { Message } from './conversations/messageStore';
import { problem, notFound } from './problems';

/** The parts that a client can add to a row of the list of contacts. */
export const inclusions = ['tags', 'customFields', 'inboxes', 'conversation'] as const;
export type Inclusion = (typeof inclusions)[number];

/** The contact that an identifier names, as exact text. */
export function contactOf({ contacts }: Workspace, identifier: string): StoredContact {
	const [kind, value] = splitIdentifier(identifier);
	if (!['id', 'email', 'phone'].includes(kind)) {
		throw problem(404, 'notFound', 'Invalid identifier format. Use id:, email:, or phone: prefix');
	}
	const contact = kind === 'id' && !/^\d+$/.test(value) ? undefined : contacts.find(identifier);
	if (!contact) throw notFound('Contact');
	return contact;
}

/** A contact's own fields. */
function ownFields(workspace: Workspace, contact: StoredContact) {
	return {
		id: contact.id,
		workspaceId: workspace.record.id,
		createdAt: contact.createdAt,
		updatedAt: contact.updatedAt,
		firstName: contact.firstName,
		lastName: contact.lastName,
		fullName: fullNameOf(contact),
		email: contact.email,
		emailVerified: contact.emailVerified,
		emailOptIn: contact.emailOptIn,
		phoneNumber: contact.phoneNumber,
		gender: contact.gender,
		avatar: contact.avatar,
		locale: contact.locale,
		timezone: contact.timezone,
		country: contact.country,
		state: contact.state,
		city: contact.city,
		location: null,
		ref: contact.ref,
		lastReadAt: contact.lastReadAt,
		subscribedAt: contact.subscribedAt,
		broadcastSubscribedAt: contact.broadcastSubscribedAt,
		blockedAt: contact.blockedAt,
	};
}

/** ID of a contact's account on an inbox. */
export const contactInboxIdOf = ({ id, inboxIds }: StoredContact, inboxId: string): string =>
	String(BigInt(id) * 10n + BigInt(inboxIds.indexOf(inboxId)));

/**
 * When the last message of a contact's inbox was written, and the last one by the contact; null
 * without one.
 */
export function timesOf({ messages }: Workspace, contact: StoredContact, inboxId: string) {
	const id = contactInboxIdOf(contact, inboxId);
	const own = messages.of(contact.id).filter(({ contactInboxId }) => contactInboxId === id);
	const isIncoming = ({ messageType }: Message) => messageType === 'incoming';
	return {
		lastMessageAt: own.at(-1)?.createdAt ?? null,
		lastIncomingMessageAt: own.findLast(isIncoming)?.createdAt ?? null,
	};
}

const related: Record<
	Inclusion,
	(workspace: Workspace, contact: StoredContact) => Partial<Contact>
> = {
	tags: (workspace, contact) => ({
		tags: contact.tagIds.flatMap((id) => workspace.tables.tags.get(id) ?? []),
	}),
	customFields: (_, contact) => ({
		contactCustomFields: [...contact.values].map(([customFieldId, value]) => ({
			...value,
			contactId: contact.id,
			customFieldId,
		})),
	}),
	inboxes: (workspace, contact) => ({
		contactInboxes: contact.inboxIds.flatMap((inboxId) => {
			const inbox = workspace.tables.channels.get(inboxId);
			if (!inbox) return [];
			return {
				id: contactInboxIdOf(contact, inboxId),
				contactId: contact.id,
				inboxId,
				channel: inbox.channel,
				sourceId: contact.platformIds?.[inboxId] ?? null,
				...(inbox.channel === 'whatsapp' && contact.whatsappUser),
				...(workspace.faults.settings.showsChannelTimes && timesOf(workspace, contact, inboxId)),
				inbox: { id: inboxId, name: inbox.name, channel: inbox.channel },
			};
		}),
	}),
	conversation: (_, contact) => ({ conversation: conversationOf(contact) }),
};

/**
 * A contact as lists show it: without its tags, values and channels, unless the request includes
 * them.
 */
export const showRow = (
	workspace: Workspace,
	contact: StoredContact,
	include: readonly Inclusion[] = [],
) =>
	Object.assign(
		ownFields(workspace, contact),
		...include.map((what) => related[what](workspace, contact)),
	);

/** A contact in the answer about one contact. */
export const showContact = (workspace: Workspace, contact: StoredContact) => ({
	...showRow(workspace, contact, inclusions),
	contactNotes: contact.contactNotes,
});

/** A contact's custom field values as their own list shows them. */
export const showValues = (workspace: Workspace, { values }: StoredContact) =>
	[...values].flatMap((entry) => showValue(workspace, entry));
