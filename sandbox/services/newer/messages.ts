import { z } from 'zod/v4';
import type { StoredContact } from '../reference/contacts';
import { summaryOf } from '../../http/multipart';
import type { Workspace } from '../../workspace';
import { mediaFileOf } from './media';
import { contactInboxIdOf, contactOf, timesOf } from './contactRecord';
import type { Message as StoredMessage } from './conversations/messageStore';
import { ofConversation, talkById } from './conversations/operations';
import { storeFile, storeMessage } from './conversations/write';
import { logError } from './errorLog';
import { runFlow, runFlowOf } from './flows';
import { operation, type Operations } from './router';
import { id, ofContact } from './inputs';
import { notFound, problem } from './problems';
import type { ServiceContext } from '../service';

const largestFile = 5_000_000;

const common = {
	inboxId: id.optional(),
	clientId: z.string().regex(/^\d+$/).optional(),
	replyToMessageId: id.optional(),
	replyToMessageCreatedAt: z.iso.datetime().optional(),
};
const text = z.string().trim().min(1).max(1000);
const files = z.array(z.file().max(largestFile, 'Max image size is 5MB.')).min(1);
const mediaFile = z.object({
	path: z.string(),
	mimeType: z.string(),
	size: z.number(),
	name: z.string().optional(),
	url: z.string().optional(),
});
const mediaFileIds = z.array(id).min(1).max(10);
const flow = { flowId: id, nodeId: id.optional() };

const shape = <Shape extends z.ZodRawShape>(keys: Shape) => z.object({ ...common, ...keys });

/**
 * The shapes of a message, in the order in which they are tried: the first that fits wins, other
 * keys are dropped.
 */
const newerMessage = z.union([
	shape({ text, files }),
	shape({ text, mediaFile }),
	shape({ text, mediaFileId: id }),
	shape({ text, mediaFileIds }),
	shape({ text }),
	shape({ files }),
	shape({ mediaFile }),
	shape({ mediaFileId: id }),
	shape({ mediaFileIds }),
	shape(flow),
]);

const olderMessage = z.union([
	shape({ text, files }),
	shape({ text }),
	shape({ files }),
	shape(flow),
]);

type Message = z.output<typeof newerMessage>;

/**
 * The inbox that a contact is reached on: the one asked for, if it is one of the contact's, or else
 * the first.
 */
function inboxOf({ inboxIds, conversation }: StoredContact, asked: string | undefined): string {
	const inboxId = asked === undefined ? inboxIds[0] : inboxIds.find((each) => each === asked);
	if (conversation === null || inboxId === undefined) throw notFound('Conversation');
	return inboxId;
}

/** The files of a message: its own, or those of the media library that it names. */
function filesOf(workspace: Workspace, message: Message): File[] {
	if ('files' in message) return message.files;
	if ('mediaFileId' in message) return [mediaFileOf(workspace, message.mediaFileId)];
	if ('mediaFileIds' in message)
		return message.mediaFileIds.map((fileId) => mediaFileOf(workspace, fileId));
	return [];
}

/** Stores what was sent as a message of the conversation. */
async function store(
	context: ServiceContext,
	contact: StoredContact,
	inboxId: string,
	message: Message,
	files: readonly File[],
): Promise<StoredMessage> {
	const attachments = await Promise.all(
		files.map(async (file) => {
			const content = Buffer.from(await file.arrayBuffer());
			return storeFile(context, { name: file.name, mimeType: file.type, content });
		}),
	);
	const sent = {
		messageType: 'outgoing',
		senderType: 'api',
		inboxId,
		text: 'text' in message ? message.text : null,
		attachments,
		parentId: message.replyToMessageId ?? null,
	} as const;
	return storeMessage(context.workspace, contact, sent, ['adminRepliedAt']);
}

/** Sends a message to a contact, and returns it; null if it starts a flow. */
async function deliver(
	context: ServiceContext,
	contact: StoredContact,
	message: Message,
): Promise<StoredMessage | null> {
	const { workspace } = context;
	const inboxId = inboxOf(contact, message.inboxId);
	let stored: StoredMessage | null = null;
	const files = filesOf(workspace, message);
	if ('flowId' in message) runFlow(workspace, contact, { ...message, inboxId });
	else {
		stored = await store(context, contact, inboxId, message, files);
		noteIfTooLate(workspace, contact, inboxId);
	}
	const sent = files.length > 0 ? await Promise.all(files.map(summaryOf)) : undefined;
	workspace.journal.messages.push({
		at: Date.now(),
		contactId: contact.id,
		inboxId,
		...('text' in message && { text: message.text }),
		...(sent && { files: sent }),
		...('flowId' in message && { flowId: message.flowId, nodeId: message.nodeId }),
		...(message.clientId !== undefined && { clientId: message.clientId }),
	});
	// A message to a contact unblocks the contact.
	if (contact.blockedAt !== null) workspace.changeContact(contact, { blockedAt: null });
	return stored;
}

/** How long WhatsApp delivers all after a contact wrote; then, it delivers only templates. */
const WHATSAPP_WINDOW_MS = 24 * 3_600_000;

/** Notes in the error log that WhatsApp refuses what was accepted for a contact, if it does. */
function noteIfTooLate(workspace: Workspace, contact: StoredContact, inboxId: string): void {
	const { lastIncomingMessageAt } = timesOf(workspace, contact, inboxId);
	const isOnWhatsapp = workspace.tables.channels.get(inboxId)?.channel === 'whatsapp';
	if (!isOnWhatsapp || lastIncomingMessageAt === null) return;
	if (Date.now() - Date.parse(lastIncomingMessageAt) < WHATSAPP_WINDOW_MS) return;
	const detail = '(#131047) Re-engagement message';
	logError(workspace, contact, { action: 'whatsapp', detail, httpCode: null });
}

/** Returns the inbox on which a conversation last had a message; undefined if it had none. */
function lastInboxOf(workspace: Workspace, contact: StoredContact): string | undefined {
	const last = workspace.messages
		.of(contact.id)
		.findLast(({ contactInboxId }) => contactInboxId !== null);
	return contact.inboxIds.find(
		(inboxId) => contactInboxIdOf(contact, inboxId) === last?.contactInboxId,
	);
}

const triggered = ofContact.extend({ inboxId: id.optional() });

const sharedOperations = {
	triggerFlow: operation(triggered.extend({ flowId: id }), ({ workspace }, body) => {
		const contact = contactOf(workspace, body.identifier);
		runFlow(workspace, contact, { flowId: body.flowId, inboxId: inboxOf(contact, body.inboxId) });
	}),
	triggerAutoReply: operation(
		triggered.extend({ keyword: z.string().min(1) }),
		({ workspace }, body) => {
			const contact = contactOf(workspace, body.identifier);
			if (!runFlowOf(workspace, contact, body.keyword, inboxOf(contact, body.inboxId))) {
				throw problem(404, 'notFound', 'No automated response found for this keyword');
			}
		},
	),
} satisfies Operations;

/** Messages, flows and automatic replies of newer services. */
export const newerMessageOperations = {
	...sharedOperations,
	sendMessage: operation(newerMessage.and(ofContact), async (context, message) => {
		await deliver(context, contactOf(context.workspace, message.identifier), message);
	}),
	// Without an inbox, the conversation takes the one used last.
	replyToMessage: operation(newerMessage.and(ofConversation), async (context, message) => {
		const { workspace } = context;
		const { contact } = talkById(workspace, message.conversationId);
		const inboxId = message.inboxId ?? lastInboxOf(workspace, contact);
		return await deliver(context, contact, { ...message, inboxId });
	}),
} satisfies Operations;

/** The same of older services, which know fewer shapes of messages. */
export const olderMessageOperations = {
	...sharedOperations,
	sendMessage: operation(olderMessage.and(ofContact), async (context, message) => {
		await deliver(context, contactOf(context.workspace, message.identifier), message);
	}),
} satisfies Operations;
