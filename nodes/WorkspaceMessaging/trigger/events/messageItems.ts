import type { IDataObject } from 'n8n-workflow';
import { channelTypeOf, inboxesOf, inboxIdOf } from '../../contacts/list/channels';
import { isObject } from '../../transport/guards';
import { attachmentsOf } from './attachments';

/** Who answers a conversation. */
export const inChargeOf = ({ botEnabled }: IDataObject) => (botEnabled === false ? 'person' : 'bot');

/** Returns the channel of a message, as its conversation shows it. */
export function inboxOf(conversation: IDataObject, { contactInboxId }: IDataObject) {
	const inboxes = inboxesOf(conversation);
	if (contactInboxId) return inboxes.find(({ id }) => String(id) === String(contactInboxId)) ?? {};
	const isOnly = inboxes.every((inbox) => inboxIdOf(inbox) === inboxIdOf(inboxes[0]));
	return isOnly ? (inboxes[0] ?? {}) : {};
}

/** What the user set about items. */
interface ItemSettings {
	simplify: boolean;
	parameters: { options: { groupMessages: number } };
}

/** Makes an item of messages. `chatInput` and `sessionId` are what n8n's AI Agent and its memory read by themselves. */
export function itemOf(
	conversation: IDataObject,
	messages: IDataObject[],
	contact: IDataObject,
	{ simplify: isSimplified, parameters: { options } }: ItemSettings,
): IDataObject {
	const last = messages[messages.length - 1];
	const text = messages
		.map(({ text: each }) => each)
		.filter(Boolean)
		.join('\n');
	const inbox = inboxOf(conversation, last);
	const channel = { id: inboxIdOf(inbox), name: inbox.inbox?.name ?? null, type: channelTypeOf(inbox) };
	const { id, assignedUser, archivedAt } = conversation;
	return {
		...(isSimplified ? simplifyMessage(last) : last),
		text,
		attachments: messages.flatMap(attachmentsOf),
		...(options.groupMessages > 0 && { messages: isSimplified ? messages.map(simplifyMessage) : messages }),
		chatInput: messages.map(chatInputOf).join('\n'),
		sessionId: String(contact.id),
		contact,
		conversation: isSimplified
			? {
					id,
					inCharge: inChargeOf(conversation),
					assignedTo: isObject(assignedUser) ? assignedUser.name : null,
					archived: Boolean(archivedAt),
				}
			: conversation,
		channel: channel.id === undefined ? null : channel,
		receivedAt: last.createdAt,
	};
}

function simplifyMessage(message: IDataObject): IDataObject {
	const { id, text, type, contentType, createdAt } = message;
	return {
		id,
		text: text ?? '',
		type,
		contentType,
		attachments: attachmentsOf(message),
		receivedAt: createdAt,
	};
}

/** Says what a message is if it has no text: an agent needs one. */
function chatInputOf(message: IDataObject): string {
	if (message.text) return String(message.text);
	const names = attachmentsOf(message).map(({ name }) => name);
	if (names.length > 0) return `[attachments: ${names.join(', ')}]`;
	return `[${String(message.contentType ?? 'message')}]`;
}
