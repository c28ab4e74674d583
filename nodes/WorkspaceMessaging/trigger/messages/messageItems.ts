import type { IDataObject } from 'n8n-workflow';
import { getChannelType, getInboxId } from '../../channels/channel';
import { describeMessage, findMessageInbox } from '../../conversations/messages';
import { getMessageAttachments } from '../../conversations/attachments';
import { getInCharge } from '../../conversations/conversation';
import { isObject } from '../../transport/guards';
import type { MessageSettings } from './settings';

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
		chatInput: messages.map(describeMessage).join('\n'),
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
