import type { IDataObject } from 'n8n-workflow';
import { lookUpContactOf } from '../contacts/findByIdentifier';
import { ofContact } from '../contract/contact';
import { conversationApi } from '../contract/conversation';
import type { Endpoint } from '../contract/endpoint';
import { patterns } from '../contract/limits';
import type { Item } from '../run/item';
import { refusedError } from '../transport/errors/ApiError';
import { toObject } from '../transport/guards';
import { lacksError, supports } from '../service/capabilities';
import { toIdentifierParams } from '../values/identifier';

/* A conversation is chosen by its contact: each contact has one. */

/** An item about the conversation of a contact. */
type ConversationItem = Item<{ identifier: string }, object>;

/**
 * Returns an endpoint about a conversation as that of an operation: the user chooses a contact, and
 * n8n writes the body.
 */
export const findConversationByContact = (
	endpoint: Endpoint,
): Endpoint & { params: typeof ofContact } => ({
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
	const contact = await lookUpContactOf(item);
	const { id } = toObject(contact.conversation);
	if (isId(id)) return String(id);
	throw await explainNone(item);
}

/**
 * Returns the conversation's ID as the input shows it: an item of the trigger, a conversation, a
 * contact with its conversation, or the output of an operation. Only IDs are compared: other apps
 * have the same emails.
 */
function findShownId(json: IDataObject, identifier: string) {
	const isContact = (value: unknown) => {
		if (!isId(value)) return false;
		const params = toIdentifierParams(value);
		return params.identifier === identifier;
	};
	const conversation = toObject(json.conversation);
	const contact = toObject(json.contact);
	const isOfContact = isContact(conversation.contactId) || isContact(contact.id);
	if (isOfContact && isId(conversation.id)) return String(conversation.id);
	return isContact(json.contactId) ? getConversationId(json) : undefined;
}

/** Returns the conversation's ID that a record about a contact has. */
function getConversationId(json: IDataObject) {
	const { id, conversationId } = json;
	if (isId(conversationId)) return String(conversationId);
	// Other records about a contact have an ID, too.
	const isConversation = 'botEnabled' in json || 'answeredBy' in json;
	return isConversation && isId(id) ? String(id) : undefined;
}

const isId = (value: unknown) => value !== undefined && patterns.numericId.test(String(value));

/** Returns the error for a contact without a conversation. */
export const noConversationError = () =>
	refusedError(
		'This contact has no conversation.',
		'A conversation begins when the contact writes on a channel.',
		{ endpoint: conversationApi.getConversation },
	);

async function explainNone(item: ConversationItem) {
	const hasThem = await supports(item, 'conversations').catch(() => false);
	if (hasThem) return noConversationError();
	const failed = { endpoint: conversationApi.getConversation };
	return lacksError('have conversations', 'Newer versions of the service have them.', failed);
}
