import type { IDataObject } from 'n8n-workflow';
import { findConversationId } from '../../../conversations/find';
import { contactApi } from '../../../contract/contact';
import { conversationApi } from '../../../contract/conversation';
import type { Endpoint } from '../../../contract/endpoint';
import { patterns, rules } from '../../../contract/limits';
import type { AnyItem, Item } from '../../../run/item';
import type { Field } from '../../../run/operation';
import { errorBeforeChange } from '../../../transport/errors/ApiError';
import { objectsIn } from '../../../transport/guards';
import { readRecord } from '../../../service/lists/records';
import { describeInvalidValue } from '../../../values/validate';

/** The message that a message quotes. */
export const replyTo: Field = {
	displayName: 'Reply To',
	name: 'replyToMessageId',
	type: 'string',
	default: '',
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

const readReplyTo = (item: AnyItem) => item.parameter(`options.${replyTo.name}`, '');

const getQuotedId = (item: AnyItem) => String(readReplyTo(item) ?? '').trim();

/** Throws an error if the user entered something other than the ID of a message. */
export function checkReplyTo(item: AnyItem): void {
	const id = getQuotedId(item);
	if (id === '' || patterns.numericId.test(id)) return;
	const entered = describeInvalidValue(readReplyTo(item));
	throw new Error(`${replyTo.displayName} must be ${rules.numericId}, but ${entered}`);
}

/**
 * Returns where the messages of an item go: to the contact, or to the conversation if they quote a
 * message of it. Services want the time of that message, too: if the input does not show it, n8n
 * asks for the message. Throws an `ApiError` if there is no such message.
 */
export async function findReplyDestination(item: ReplyItem): Promise<ReplyDestination> {
	const { params } = item;
	const messageId = getQuotedId(item);
	if (messageId === '') return { endpoint: contactApi.sendMessage, params };
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
