import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { objectsIn, toObject } from '../transport/guards';
import { toIsoText } from '../values/dates';
import { getActivity, getContactRepliedAt, getInCharge, isUnread } from './conversation';
import { getMessageText, getMessageAttachments } from './messages';

const time = z.iso.datetime().nullable();

/** A conversation with the fields that people use most. */
export const simpleConversation = z.object({
	id: z.string(),
	contactId: z.string(),
	contactName: z.string().nullable(),
	inCharge: z.enum(['bot', 'person']),
	assignedTo: z.string().nullable(),
	archived: z.boolean(),
	unread: z.boolean(),
	lastMessage: z.string().nullable(),
	contactRepliedAt: time,
	lastActivityAt: time,
});

/** Reduces conversations to the fields that people use most. */
export const simplifyConversations = (conversations: IDataObject[]): IDataObject[] =>
	conversations.map(simplifyConversation);

function simplifyConversation(conversation: IDataObject): IDataObject {
	const { id, contactId, archivedAt, messages } = conversation;
	const [last] = objectsIn(messages);
	return {
		id,
		contactId,
		contactName: getContactName(conversation),
		inCharge: getInCharge(conversation),
		assignedTo: getAssigneeName(conversation),
		archived: Boolean(archivedAt),
		unread: isUnread(conversation),
		lastMessage: last ? getMessageText(last) : null,
		contactRepliedAt: toTime(getContactRepliedAt(conversation)),
		lastActivityAt: toTime(getActivity(conversation)),
	};
}

function getContactName({ contact }: IDataObject): string | null {
	const { fullName, firstName, lastName } = toObject(contact);
	if (fullName) return String(fullName);
	return [firstName, lastName].filter(Boolean).join(' ') || null;
}

function getAssigneeName({ assignedUser, assignedInboxTeam }: IDataObject) {
	return toObject(assignedUser).name ?? toObject(assignedInboxTeam).name ?? null;
}

const toTime = (ms: number) => (ms > 0 ? toIsoText(ms) : null);

/** A message with the fields that people use most. */
export const simpleMessage = z.object({
	id: z.string(),
	text: z.string(),
	type: z.string(),
	direction: z.string(),
	from: z.string(),
	attachments: z.array(
		z
			.object({ name: z.string(), mimeType: z.string(), size: z.number(), url: z.string() })
			.partial(),
	),
	/** Whether the channel has accepted a message to the contact; null if that is unknown. */
	accepted: z.boolean().nullable(),
	sendError: z.string().nullable(),
	createdAt: z.iso.datetime(),
});

/** Reduces a message to the fields that people use most. */
export function simplifyMessage(message: IDataObject): IDataObject {
	const { id, text, type, messageType, senderType, sendError, createdAt } = message;
	return {
		id,
		text: text ?? '',
		type,
		direction: messageType,
		from: senderType === 'user' ? 'person' : senderType,
		attachments: getMessageAttachments(message),
		accepted: messageType === 'outgoing' ? isAccepted(message) : null,
		sendError: sendError ?? null,
		createdAt,
	};
}

/**
 * A message without an ID of the channel and without an error is still on its way, or the channel
 * gives no IDs.
 */
function isAccepted({ sourceId, sendError }: IDataObject): boolean | null {
	if (sourceId) return true;
	return sendError ? false : null;
}
