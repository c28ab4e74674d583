import { findConversationId, findConversationByContact } from '../../conversations/find';
import {
	simpleConversation,
	simplifyConversations,
	withContactFirst,
} from '../../conversations/simplify';
import { conversationApi } from '../../contract/conversation';
import { simplify } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { defineOperation } from '../../run/operation';
import { readRecord } from '../../service/lists/records';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get conversation',
	description:
		'Get the conversation with a contact: who answers it, to whom it is assigned, its state',
	endpoint: findConversationByContact(conversationApi.getConversation),
	fields: [contactLocator, simplify],
	output: simpleConversation,
	simplify: simplifyConversations,

	async run(item) {
		const params = { conversationId: await findConversationId(item) };
		const conversation = await readRecord(item, conversationApi.getConversation, { params });
		return [withContactFirst(conversation)];
	},
});
