import type { IDataObject } from 'n8n-workflow';
import { conversationApi } from '../contract/conversation';
import { limits } from '../contract/limits';
import { describeAttachments } from './attachments';
import { readByCursor } from '../service/lists/cursors';
import type { Requester } from '../transport/request';
import { parseTime } from '../values/dates';
import { getInboxes, getInboxId } from '../channels/channel';
import { ascendingBy } from '../values/numbers';

/** Messages per page. */
const MESSAGES = { first: limits.messagesPerPage.max };

/** Returns when a message was written, in milliseconds since 1970; 0 if it has no time. */
export const getMessageTime = (message: IDataObject) => parseTime(message.createdAt);

/** Whether a member of the workspace wrote a message. */
export const isByMember = ({ senderType }: IDataObject) => senderType === 'user';

/** Which messages of a conversation to read; all of them by default. */
interface MessageChoice {
	/** Only messages after this time, in milliseconds since 1970. */
	after?: number;
	isChosen?: (message: IDataObject) => boolean;
	/** Called with each message of the pages that are read, chosen or not. */
	onRead?: (message: IDataObject) => void;
	/** How many messages are enough. */
	limit?: number;
	/** How many pages to read at most. */
	pages?: number;
}

/**
 * Reads the messages of a contact, oldest first, except deleted ones.
 *
 * @param identifier of the contact
 */
export async function readMessages(
	client: Requester,
	identifier: string,
	{
		after = -Infinity,
		isChosen = () => true,
		onRead = () => {},
		limit = Infinity,
		pages = Infinity,
	}: MessageChoice,
): Promise<IDataObject[]> {
	const found = new Map<unknown, IDataObject>();
	let left = pages;
	const list = readByCursor(
		client,
		conversationApi.listContactMessages,
		{ params: { identifier } },
		MESSAGES,
	);
	for await (const { rows } of list) {
		rows.forEach(onRead);
		const recent = rows.filter((row) => getMessageTime(row) > after);
		for (const row of recent) {
			if (!row.deletedAt && isChosen(row)) found.set(row.id, row);
		}
		left--;
		const hasOlder = recent.length < rows.length;
		if (left === 0 || hasOlder || found.size >= limit) break;
	}
	const oldestFirst = [...found.values()].reverse();
	return oldestFirst.sort(ascendingBy(getMessageTime));
}

/** Returns the text of a message, or says what it is: an agent needs a text. */
export function getMessageText(message: IDataObject): string {
	const { text, contentType } = message;
	if (text) return String(text);
	const kind = String(contentType ?? 'message');
	return describeAttachments(message) || `[${kind}]`;
}

/** Returns the text of a message and the names of its attachments, as an agent reads it. */
export function describeMessage(message: IDataObject): string {
	const attachments = message.text ? describeAttachments(message) : '';
	return [getMessageText(message), attachments].filter(Boolean).join(' ');
}

/** Returns the channel of a message, as its conversation shows it. */
export function findMessageInbox(conversation: IDataObject, { contactInboxId }: IDataObject) {
	const inboxes = getInboxes(conversation);
	if (contactInboxId) {
		const ownId = String(contactInboxId);
		const own = inboxes.find(({ id }) => String(id) === ownId);
		return own ?? {};
	}
	const [first = {}] = inboxes;
	const channelId = getInboxId(first);
	const isOnly = inboxes.every((inbox) => getInboxId(inbox) === channelId);
	// Of several channels, nobody knows which one it is.
	return isOnly ? first : {};
}
