import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { conversationApi } from '../../contract/conversation';
import { recover } from '../../transport/errors/ApiError';
import { isObject } from '../../transport/guards';
import type { PollHost } from '../types';

/**
 * Marks the conversations of items as read in the workspace. The items start the workflow anyway, so a failure is only a warning
 * in n8n's log, and the other conversations stay unread.
 */
export async function markAsRead(
	items: Array<IDataObject | INodeExecutionData>,
	host: PollHost,
): Promise<void> {
	const conversations = items
		.map((item) => (isObject(item.json) ? item.json : item) as IDataObject)
		.map(({ conversation }) => (isObject(conversation) ? conversation.id : undefined));
	const client = host.requesterForOne(true);
	const mark = async (conversationId: unknown) =>
		await client
			.request(conversationApi.readConversation, { params: { conversationId: String(conversationId) } })
			.then(
				() => true,
				recover(
					() => true,
					({ message }) => {
						host.warn(`Conversations could not be marked as read. ${message}`);
						return false;
					},
				),
			);
	for (const id of new Set(conversations.filter((each) => each !== undefined))) {
		if (!host.hasTime() || !(await mark(id))) return;
	}
}
