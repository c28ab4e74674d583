import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { getFullName } from '../contacts/fullName';
import { objectsIn, toObject } from '../transport/guards';
import { toIsoText } from '../values/dates';
import { getActivity, getContactRepliedAt, getInCharge, isUnread } from './conversation';
import { getMessageText } from './messages';
import { getMessageAttachments } from './attachments';
import {
	boolean,
	dateTime,
	dateTimeOrNull,
	number,
	string,
	stringOrNull,
} from '../contract/values';

/** A conversation with the fields that people use most: what they drag or read first comes first. */
export const simpleConversation = z.object({
	contact: z.object({
		id: string,
		fullName: stringOrNull,
		email: stringOrNull,
		phoneNumber: stringOrNull,
	}),
	lastMessage: stringOrNull,
	contactName: stringOrNull,
	unread: boolean,
	answeredBy: z.enum(['bot', 'person']),
	assignedTo: stringOrNull,
	followed: boolean,
	archived: boolean,
	contactRepliedAt: dateTimeOrNull,
	lastActivityAt: dateTimeOrNull,
	id: string,
	contactId: string,
});

/** Reduces conversations to the fields that people use most. */
export const simplifyConversations = (conversations: IDataObject[]): IDataObject[] =>
	conversations.map(simplifyConversation);

function simplifyConversation(conversation: IDataObject): IDataObject {
	const { id, contactId, followed, archivedAt, messages } = conversation;
	const [last] = objectsIn(messages);
	const contact = getContact(conversation);
	return {
		contact,
		lastMessage: last ? getMessageText(last) : null,
		contactName: contact.fullName,
		unread: isUnread(conversation),
		answeredBy: getInCharge(conversation),
		assignedTo: getAssigneeName(conversation),
		followed: followed === true,
		archived: Boolean(archivedAt),
		contactRepliedAt: toTime(getContactRepliedAt(conversation)),
		lastActivityAt: toTime(getActivity(conversation)),
		id,
		contactId,
	};
}

/** Returns the contact of a conversation, as far as the service shows it. */
function getContact(conversation: IDataObject): IDataObject {
	const { email = null, phoneNumber = null } = toObject(conversation.contact);
	const fullName = getFullName(toObject(conversation.contact)) || null;
	return { id: conversation.contactId, fullName, email, phoneNumber };
}

/** Returns a conversation with all its fields, the contact first, so that people can drag it. */
export function withContactFirst(conversation: IDataObject): IDataObject {
	const known = getContact(conversation);
	const contact = { ...known, ...toObject(conversation.contact) };
	const complete: IDataObject = { ...conversation, contact };
	return { contact, ...complete };
}

function getAssigneeName({ assignedUser, assignedInboxTeam }: IDataObject) {
	const user = toObject(assignedUser);
	const team = toObject(assignedInboxTeam);
	return user.name ?? team.name ?? null;
}

const toTime = (ms: number) => (ms > 0 ? toIsoText(ms) : null);

/** A message with the fields that people use most. */
export const simpleMessage = z.object({
	text: string,
	from: string,
	direction: string,
	type: string,
	attachments: z.array(
		z.object({ name: string, mimeType: string, size: number, url: string }).partial(),
	),
	/** Whether the channel has accepted a message to the contact; null if that is unknown. */
	accepted: boolean.nullable(),
	sendError: stringOrNull,
	createdAt: dateTime,
	id: string,
});

/** Reduces a message to the fields that people use most. */
export function simplifyMessage(message: IDataObject): IDataObject {
	const { id, text, type, messageType, senderType, sendError, createdAt } = message;
	return {
		text: text ?? '',
		from: senderType === 'user' ? 'person' : senderType,
		direction: messageType,
		type,
		attachments: getMessageAttachments(message),
		accepted: messageType === 'outgoing' ? isAccepted(message) : null,
		sendError: sendError ?? null,
		createdAt,
		id,
	};
}

/**
 * A message without an ID of the channel and without an error is still on its way, or the channel
 * gives no IDs.
 */
function isAccepted({ sourceId, sendError }: IDataObject) {
	// A message can have both: the channel has given it an ID and refused it later.
	if (sendError) return false;
	return sourceId ? true : null;
}
