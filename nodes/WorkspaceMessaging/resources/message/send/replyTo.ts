import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { findConversationId } from '../../../conversations/find';
import { contactApi } from '../../../contract/contact';
import { conversationApi } from '../../../contract/conversation';
import type { Endpoint } from '../../../contract/endpoint';
import { numericId } from '../../../contract/values';
import type { Item } from '../../../run/item';
import type { Field } from '../../../run/operation';
import { errorBeforeChange } from '../../../transport/errors/ApiError';
import { objectsIn } from '../../../transport/guards';
import { readRecord } from '../../../service/lists/records';

/** The message that a message quotes. */
export const replyTo: Field<string | undefined> = {
	displayName: 'Reply To',
	name: 'replyToMessageId',
	type: 'string',
	default: '',
	rule: z.preprocess((id) => String(id ?? '').trim() || undefined, numericId.optional()),
	placeholder: 'e.g. 4711',
	description:
		'ID of the message to quote: "messageId" of Message Received. Not available on every service.',
};

type ReplyItem = Item<{ identifier: string }, object>;

/** Where the messages of an item go, and what the first of them also has. */
export interface ReplyDestination {
	endpoint: Endpoint;
	params: IDataObject;
	quote?: { replyToMessageId: string; replyToMessageCreatedAt: unknown };
}

/**
 * Returns where the messages of an item go: to the contact, or to the conversation if they quote a
 * message of it. Services want the time of that message, too: if the input does not show it, n8n
 * asks for the message. Throws an `ApiError` if there is no such message.
 */
export async function findReplyDestination(item: ReplyItem): Promise<ReplyDestination> {
	const { params } = item;
	const messageId = item.value(replyTo);
	if (messageId === undefined) return { endpoint: contactApi.sendMessage, params };
	const notSent = errorBeforeChange('sent');
	const conversationId = await findConversationId(item).catch(notSent);
	const shown = findTime(item.input.json, messageId);
	const createdAt = shown ?? (await readMessageTime(item, messageId).catch(notSent));
	return {
		endpoint: conversationApi.replyToMessage,
		params: { conversationId },
		quote: { replyToMessageId: messageId, replyToMessageCreatedAt: createdAt },
	};
}

async function readMessageTime(item: ReplyItem, messageId: string): Promise<unknown> {
	const params = { ...item.params, messageId };
	const message = await readRecord(item, conversationApi.getContactMessage, { params });
	return message.createdAt;
}

/**
 * Returns when a message was written, if the input shows it: a message, or an item with several of
 * them.
 */
function findTime(json: IDataObject, id: string): unknown {
	const messages = [json, ...objectsIn(json.messages)];
	const found = messages.find((message) => {
		const ownId = message.messageId ?? message.id;
		return ownId === id;
	});
	return found?.createdAt ?? found?.receivedAt;
}
