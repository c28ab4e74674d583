import type { IDataObject } from 'n8n-workflow';
import { knownContact, rememberContact } from '../contacts/lookUp';
import { contactApi, ofContact } from '../contract/contact';
import { conversationApi } from '../contract/conversation';
import type { Endpoint } from '../contract/endpoint';
import { patterns } from '../contract/limits';
import type { Item } from '../run/item';
import { oncePerRun } from '../run/run';
import { rejected } from '../transport/errors/ApiError';
import { isObject } from '../transport/guards';
import { readPages } from '../transport/lists/pages';
import { readRecord } from '../transport/lists/records';
import { readServiceAge } from '../transport/serviceAge';
import { contactParams, findIdentifiers, formatIdentifier } from '../values/identifier';

/* A conversation is chosen by its contact: each contact has one. */

/** An item about the conversation of a contact. */
type ConversationItem = Item<{ identifier: string }, object>;

/** Returns an endpoint about a conversation as that of an operation: the user chooses a contact, and n8n writes the body. */
export const ofContactInstead = (endpoint: Endpoint): Endpoint & { params: typeof ofContact } => ({
	...endpoint,
	params: ofContact,
	body: undefined,
});

/**
 * Returns the ID of the conversation with an item's contact: from the input if that shows it, or else from the contact's record,
 * which takes one request. Throws an `ApiError` if there is none.
 */
export async function findConversationId(item: ConversationItem): Promise<string> {
	const { identifier } = item.params;
	const shown = findShownId(item.input.json, identifier);
	if (shown !== undefined) return shown;
	const { conversation } = await readContactOf(item);
	if (isObject(conversation) && isId(conversation.id)) return String(conversation.id);
	throw await explainNone(item);
}

/** Shorter runs read each contact, because reading the list would delay their first result. */
const MIN_CONTACTS = 20;

/**
 * Returns the contact of an item with its channels and its conversation: from the list of contacts if the run reads it, or else
 * by one request. Throws an `ApiError` if there is none.
 */
export async function readContactOf(item: ConversationItem): Promise<IDataObject> {
	const { identifier } = item.params;
	const known = knownContact(item, identifier) ?? (await readListed(item)).get(identifier);
	const contact = known ?? (await readOne(item, identifier));
	rememberContact(item, identifier, contact);
	return contact;
}

const readOne = oncePerRun(
	async (item: ConversationItem, identifier: string) =>
		await readRecord(item, contactApi.getContact, { params: { identifier } }),
);

/** Reads the contacts of a run from their list if that takes clearly fewer requests. Whom it misses is read one by one. */
const readListed = oncePerRun(async (item: ConversationItem): Promise<Map<string, IDataObject>> => {
	const wanted = new Set(item.run.items.map(({ params }) => String(params.identifier)));
	const found = new Map<string, IDataObject>();
	if (wanted.size < MIN_CONTACTS) return found;
	// Without hints about a list that ends too early.
	const client = { service: item.service, request: item.request.bind(item) };
	try {
		for await (const { rows, pageCount, isLast } of readPages(client, contactApi.listContacts)) {
			const isLong = pageCount === undefined || pageCount > wanted.size / 2;
			if (isLong && !isLast) break;
			for (const row of rows)
				for (const text of findIdentifiers(row).map(formatIdentifier))
					if (wanted.has(text)) found.set(text, row);
			if (found.size === wanted.size) break;
		}
	} catch {
		// Then each contact is read.
	}
	return found;
});

/**
 * Returns the conversation's ID as the input shows it: an item of the trigger, a conversation, a contact with its conversation,
 * or the output of an operation. Only IDs are compared: other apps have the same emails.
 */
function findShownId(json: IDataObject, identifier: string): string | undefined {
	const { id, contactId, contact, conversation, conversationId } = json;
	const isContact = (value: unknown) => isId(value) && contactParams(value).identifier === identifier;
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
	return rejected("This service doesn't have conversations.", 'Newer versions of the service have them.', {
		endpoint: conversationApi.getConversation,
	});
}
