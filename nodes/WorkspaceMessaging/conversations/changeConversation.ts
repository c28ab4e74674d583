import type { IDataObject } from 'n8n-workflow';
import { contactOutput, describeContact } from '../contacts/output';
import { findConversationId } from './find';
import type { Endpoint } from '../contract/endpoint';
import type { Item } from '../run/item';
import { errorBeforeChange } from '../transport/errors/ApiError';
import { string } from '../contract/values';

/** The output of an operation that changes a conversation. */
export const changeOutput = contactOutput.extend({
	/** As simplified conversations have it. */
	contactName: string.optional(),
	conversationId: string,
});

/**
 * Changes the conversation with an item's contact, and returns the output.
 *
 * @param outcome what the output says of the change
 */
export async function changeConversation(
	item: Item<{ identifier: string }, object>,
	endpoint: Endpoint,
	outcome: IDataObject,
	body?: IDataObject,
): Promise<IDataObject[]> {
	const conversationId = await findConversationId(item).catch(errorBeforeChange('changed'));
	await item.request(endpoint, { params: { conversationId }, body });
	const contact = describeContact(item);
	const contactName = contact.fullName;
	return [
		{
			success: true,
			...contact,
			...(contactName !== undefined && { contactName }),
			conversationId,
			...outcome,
		},
	];
}
