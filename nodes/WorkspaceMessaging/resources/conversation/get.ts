import { findConversationId, ofContactInstead } from '../../conversations/find';
import { simpleConversation, simplifyConversations } from '../../conversations/simplify';
import { conversationApi } from '../../contract/conversation';
import { optional, simplify } from '../../panel/fields';
import { contactLocator, defaultCountryCode } from '../../panel/locators';
import { defineOperation } from '../../run/operation';
import { readRecord } from '../../transport/lists/records';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get conversation',
	description: 'Get the conversation with a contact: who answers it, to whom it is assigned, its state',
	endpoint: ofContactInstead(conversationApi.getConversation),
	fields: [contactLocator, simplify, optional('options', [defaultCountryCode])],
	output: simpleConversation,

	async run(item) {
		const params = { conversationId: await findConversationId(item) };
		const conversation = await readRecord(item, conversationApi.getConversation, { params });
		return item.isSimplified ? simplifyConversations([conversation]) : [conversation];
	},
});
