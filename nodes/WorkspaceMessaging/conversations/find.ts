import type { IDataObject } from 'n8n-workflow';
import { readContactOf } from '../contacts/lookUp';
import { ofContact } from '../contract/contact';
import { conversationApi } from '../contract/conversation';
import type { Endpoint } from '../contract/endpoint';
import { patterns } from '../contract/limits';
import type { Item } from '../run/item';
import { rejected } from '../transport/errors/ApiError';
import { isObject } from '../transport/guards';
import { readServiceAge } from '../transport/serviceAge';
import { contactParams } from '../values/identifier';

/* A conversation is chosen by its contact: each contact has one. */

/** An item about the conversation of a contact. */
type ConversationItem = Item<{ identifier: string }, object>;

/**
 * Returns an endpoint about a conversation as that of an operation: the user chooses a contact, and
 * n8n writes the body.
 */
export const ofContactInstead = (endpoint: Endpoint): Endpoint & { params: typeof ofContact } => ({
	...endpoint,
	params: ofContact,
	body: undefined,
});

/**
 * Returns the ID of the conversation with an item's contact: from the input if that shows it, or
 * else from the contact's record, which takes one request. Throws an `ApiError` if there is none.
 */
export async function findConversationId(item: ConversationItem): Promise<string> {
	const { identifier } = item.params;
	const shown = findShownId(item.input.json, identifier);
	if (shown !== undefined) return shown;
	const { conversation } = await readContactOf(item);
	if (isObject(conversation) && isId(conversation.id)) return String(conversation.id);
	throw await explainNone(item);
}

/**
 * Returns the conversation's ID as the input shows it: an item of the trigger, a conversation, a
 * contact with its conversation, or the output of an operation. Only IDs are compared: other apps
 * have the same emails.
 */
function findShownId(json: IDataObject, identifier: string): string | undefined {
	const { id, contactId, contact, conversation, conversationId } = json;
	const isContact = (value: unknown) =>
		isId(value) && contactParams(value).identifier === identifier;
	const ids: unknown[] = [];
	if (isObject(conversation)) {
		const isOwn = isContact(conversation.contactId) || (isObject(contact) && isContact(contact.id));
		if (isOwn) ids.push(conversation.id);
	}
	if (isContact(contactId)) {
		const isConversation = 'botEnabled' in json || 'inCharge' in json;
		ids.push(conversationId, isConversation ? id : undefined);
	}
	const found = ids.find(isId);
	return found === undefined ? undefined : String(found);
}

const isId = (value: unknown) => value !== undefined && patterns.numericId.test(String(value));

/** Returns the error for a contact without a conversation. */
export const noConversationError = () =>
	rejected(
		'This contact has no conversation.',
		'A conversation begins when the contact writes on a channel.',
		{
			endpoint: conversationApi.getConversation,
		},
	);

async function explainNone(item: ConversationItem) {
	const age = await readServiceAge(item).catch(() => 'other');
	if (age === 'newer') return noConversationError();
	return rejected(
		"This service doesn't have conversations.",
		'Newer versions of the service have them.',
		{
			endpoint: conversationApi.getConversation,
		},
	);
}
