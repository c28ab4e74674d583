import type { IDataObject } from 'n8n-workflow';
import { getChannelType, getInboxId } from '../../channels/channel';
import {
	getMessageTime,
	getMessageText,
	getMessageAttachments,
	findMessageInbox,
} from '../../conversations/messages';
import { getInCharge } from '../../conversations/conversation';
import { isObject } from '../../transport/guards';
import type { MessageSettings } from './settings';

/* From the messages of a conversation to items: groups and fields. */

/** The most messages of a group. */
const MAX_MESSAGES = 20;
/** A group ends after so many times the quiet time, whether or not the contact is quiet. */
const MAX_QUIET_TIMES = 10;

/** Messages that come close together, and those that wait for others. */
interface Groups {
	/** Oldest first. */
	groups: IDataObject[][];
	/**
	 * When n8n first saw the last message, if the last group waits; its messages are in no group
	 * then.
	 */
	heldSince?: number;
}

/**
 * Groups the messages of a contact. A group is complete when the contact has been quiet for some
 * time, with 20 messages, after ten times the quiet time, or when the contact writes on another
 * channel. The last messages wait if their group is not complete.
 *
 * @param messages oldest first
 * @param quietMs how long a contact is quiet at the end of a group, in milliseconds; 0 for one
 * message per group
 * @param now n8n's time, in milliseconds since 1970
 * @param seenAt when n8n first saw the last message: the service's clock can be ahead
 */
export function groupMessages(
	messages: IDataObject[],
	quietMs: number,
	now: number,
	seenAt = now,
): Groups {
	if (quietMs <= 0) return { groups: messages.map((message) => [message]) };
	if (messages.length === 0) return { groups: [] };
	const groups: IDataObject[][] = [];
	let group: IDataObject[] = [];
	const isComplete = (until: number) =>
		group.length === MAX_MESSAGES ||
		until - getMessageTime(group[group.length - 1]) >= quietMs ||
		until - getMessageTime(group[0]) >= MAX_QUIET_TIMES * quietMs;
	for (const message of messages) {
		if (group.length === 0) {
			group.push(message);
			continue;
		}
		const isOnOtherChannel = getChannelKey(message) !== getChannelKey(group[0]);
		if (isOnOtherChannel || isComplete(getMessageTime(message))) {
			groups.push(group);
			group = [];
		}
		group.push(message);
	}
	if (!isComplete(now) && now - seenAt < quietMs) return { groups, heldSince: seenAt };
	return { groups: [...groups, group] };
}

const getChannelKey = ({ contactInboxId }: IDataObject) => String(contactInboxId ?? '');

/**
 * Makes an item of messages. `chatInput` and `sessionId` are what n8n's AI Agent and its memory
 * read by themselves.
 */
export function makeMessageItem(
	conversation: IDataObject,
	messages: IDataObject[],
	contact: IDataObject,
	{ simplify: isSimplified, parameters: { options } }: MessageSettings,
): IDataObject {
	const last = messages[messages.length - 1];
	const text = messages
		.map(({ text: each }) => each)
		.filter(Boolean)
		.join('\n');
	const inbox = findMessageInbox(conversation, last);
	const channel = {
		id: getInboxId(inbox),
		name: inbox.inbox?.name ?? null,
		type: getChannelType(inbox),
	};
	const { id, assignedUser, archivedAt } = conversation;
	const message: IDataObject = { ...(isSimplified ? simplifyReceived(last) : last), text };
	// What people drag first comes first.
	return {
		contact,
		text,
		channel: channel.id === undefined ? null : channel,
		...message,
		attachments: messages.flatMap(getMessageAttachments),
		...(options.groupMessages > 0 && {
			messages: isSimplified ? messages.map(simplifyReceived) : messages,
		}),
		chatInput: messages.map(getMessageText).join('\n'),
		sessionId: String(contact.id),
		conversation: isSimplified
			? {
					id,
					contactId: contact.id,
					answeredBy: getInCharge(conversation),
					assignedTo: isObject(assignedUser) ? assignedUser.name : null,
					archived: Boolean(archivedAt),
				}
			: conversation,
		receivedAt: last.createdAt,
	};
}

function simplifyReceived(message: IDataObject): IDataObject {
	const { id, text, type, contentType, createdAt } = message;
	return {
		messageId: id,
		text: text ?? '',
		type,
		contentType,
		attachments: getMessageAttachments(message),
		receivedAt: createdAt,
	};
}
