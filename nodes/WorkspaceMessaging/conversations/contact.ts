import type { IDataObject } from 'n8n-workflow';
import { contactApi } from '../contract/contact';
import { readRecord } from '../service/lists/records';
import { hasReason, onApiError } from '../transport/errors/ApiError';
import { isObject } from '../transport/guards';
import type { Requester } from '../transport/request';

/** Reads the contact of a conversation. Who was deleted since is in the conversation. */
export async function readContactOfConversation(
	client: Requester,
	{ contactId, contact }: IDataObject,
): Promise<IDataObject> {
	const params = { identifier: `id:${String(contactId)}` };
	const fromConversation = () => ({ ...(isObject(contact) && contact), id: String(contactId) });
	const ifGone = onApiError(isContactGone, fromConversation);
	return await readRecord(client, contactApi.getContact, { params }).catch(ifGone);
}

/**
 * Whether the service says that a contact or its conversation is gone; a proxy's 404 means
 * something else.
 */
export const isContactGone = hasReason('objectMissing', 'noConversation');

/** Returns the conversation of a contact as the contact's record shows it. */
export async function readConversationByContact(
	client: Requester,
	{ contactId }: IDataObject,
): Promise<IDataObject> {
	const { conversation, ...contact } = await readContactOfConversation(client, { contactId });
	const { contactInboxes } = contact;
	return { ...(isObject(conversation) && conversation), contactId, contact, contactInboxes };
}
