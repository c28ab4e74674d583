import { z } from 'zod/v4';
import { notFound, conflict } from '../../../http/problems';
import type { FileStorage } from '../../../files/storage';
import type { Workspace } from '../../../workspace';
import type { StoredContact } from '../../reference/contacts';
import { contactInboxIdOf } from '../contactRecord';
import {
	changeConversation,
	conversationOf,
	newConversation,
	type Conversation,
} from './conversation';
import type { Attachment, Message } from './messageStore';

const time = z.iso.datetime().transform((text) => new Date(text).toISOString());

/** What a contact writes; a plain text is the usual case. */
export const writtenMessage = z.strictObject({
	text: z.string().optional(),
	type: z.string().optional(),
	contentType: z.string().optional(),
	/** The channel on which the contact writes; the contact's first one by default. */
	inboxId: z.string().optional(),
	attachments: z
		.array(
			z.union([
				/** A file that the sandbox stores; `content` is base64. */
				z
					.strictObject({ name: z.string(), mimeType: z.string(), content: z.base64() })
					.transform((file) => ({
						file: { ...file, content: Buffer.from(file.content, 'base64') },
					})),
				/** Kept as it is, to test addresses that a client must not trust. */
				z.looseObject({ url: z.string() }).transform((row) => ({ row })),
			]),
		)
		.optional(),
	/** When; now by default. */
	at: time.optional(),
});
export type WrittenMessage = z.input<typeof writtenMessage>;

/** What a person answers. */
export const personsReply = z.strictObject({ text: z.string(), at: time.optional() });

interface Place {
	workspace: Workspace;
	storage: FileStorage;
}

type NewMessage = Pick<Message, 'messageType' | 'senderType'> & Partial<Message>;

/**
 * Stores a message of a contact's conversation; `moved` are the times of the conversation that it
 * sets.
 */
export function storeMessage(
	workspace: Workspace,
	contact: StoredContact,
	{ inboxId, ...message }: NewMessage & { inboxId: string | undefined },
	moved: ReadonlyArray<keyof Conversation> = [],
): Message {
	const conversation = conversationOf(contact);
	if (!conversation) throw notFound('Conversation');
	const createdAt = message.createdAt ?? workspace.messages.nextTime();
	const stored: Message = {
		id: workspace.nextId(),
		workspaceId: workspace.record.id,
		conversationId: conversation.id,
		contactInboxId: inboxId === undefined ? null : contactInboxIdOf(contact, inboxId),
		text: null,
		senderId: null,
		contentType: 'text',
		type: 'message',
		contentAttributes: {},
		attachments: [],
		sourceId: null,
		sendError: null,
		parentId: null,
		attributes: { liked: false, hidden: false },
		updatedAt: createdAt,
		deletedAt: null,
		...message,
		createdAt,
	};
	workspace.messages.add(contact.id, stored);
	const times = Object.fromEntries(['lastActivityAt', ...moved].map((field) => [field, createdAt]));
	changeConversation(workspace, contact, times);
	return stored;
}

/** Stores a file, and returns it as an attachment with a signed address. */
export function storeFile(
	{ workspace, storage }: Place,
	{ name, mimeType, content }: { name: string; mimeType: string; content: Buffer },
): Attachment {
	const id = workspace.nextId();
	const url = storage.offer({ workspace, mimeType, content });
	return { id, originPath: `attachments/${id}/${name}`, name, mimeType, size: content.length, url };
}

const emptyAttachment = { originPath: null, name: null, mimeType: null, size: null };

/** Returns the inbox on which a contact writes, and starts the conversation if there is none. */
function placeOnInbox(
	workspace: Workspace,
	contact: StoredContact,
	asked: string | undefined,
): string {
	const { channels } = workspace.tables;
	const webchat = [...channels.values()].find(({ channel }) => channel === 'webchat');
	const inboxId = asked ?? contact.inboxIds[0] ?? webchat?.id;
	if (inboxId === undefined || !channels.has(inboxId)) throw notFound('Inbox');
	workspace.contacts.change(contact, {
		inboxIds: [...new Set([...contact.inboxIds, inboxId])],
		conversation: contact.conversation ?? newConversation(workspace, contact.id),
	});
	return inboxId;
}

/** Stores what a contact writes on a channel: the contact is no longer blocked from then on. */
export function writeAsContact(
	place: Place,
	contact: StoredContact,
	{ inboxId, attachments = [], at, ...sent }: z.output<typeof writtenMessage>,
): Message {
	const { workspace } = place;
	if (workspace.service === 'reference') {
		throw conflict('The reference has no conversations: make a workspace of the service "newer"');
	}
	const onInbox = placeOnInbox(workspace, contact, inboxId);
	if (contact.blockedAt !== null) workspace.changeContact(contact, { blockedAt: null });
	const message = {
		messageType: 'incoming',
		senderType: 'contact',
		senderId: contact.id,
		inboxId: onInbox,
		...sent,
		attachments: attachments.map((each) =>
			'file' in each
				? storeFile(place, each.file)
				: { id: workspace.nextId(), ...emptyAttachment, ...each.row },
		),
		...(at !== undefined && { createdAt: at }),
	} as const;
	return storeMessage(workspace, contact, message, ['contactRepliedAt']);
}

/** Moves all that has happened in a contact's conversation so many hours into the past. */
export function letTimePass(workspace: Workspace, contact: StoredContact, hours: number): void {
	const earlier = (at: unknown) =>
		new Date(Date.parse(String(at)) - hours * 3_600_000).toISOString();
	for (const message of workspace.messages.of(contact.id))
		message.createdAt = earlier(message.createdAt);
	const times = Object.entries(conversationOf(contact) ?? {}).filter(
		([name, value]) => name.endsWith('At') && value !== null,
	);
	const moved = times.map(([name, value]) => [name, earlier(value)] as const);
	changeConversation(workspace, contact, Object.fromEntries(moved));
}

/** Stores what a person answers in the inbox. */
export function replyAsPerson(
	workspace: Workspace,
	contact: StoredContact,
	{ text, at }: z.output<typeof personsReply>,
): Message {
	const [member] = workspace.tables.members.values();
	const reply = {
		messageType: 'outgoing',
		senderType: 'user',
		senderId: member?.userId ?? null,
		inboxId: contact.inboxIds[0],
		text,
		...(at !== undefined && { createdAt: at }),
	} as const;
	return storeMessage(workspace, contact, reply, ['adminRepliedAt']);
}
