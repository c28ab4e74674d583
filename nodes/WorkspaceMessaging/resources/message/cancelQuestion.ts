import { lookUpContactOf } from '../../contacts/findByIdentifier';
import { contactOutput, describeContact } from '../../contacts/output';
import { findConversationByContact } from '../../conversations/find';
import { conversationApi } from '../../contract/conversation';
import { contactLocator } from '../../panel/contactLocator';
import { defineOperation } from '../../run/operation';
import { endNotedPause } from './question/chat/botPause';
import { cancelNote } from './question/chat/openAndCloseNote';
import { boolean } from '../../contract/values';

/**
 * Ends the question that a contact has not answered in the chat: its workflow goes on with the next
 * look as if nobody had answered.
 */
export const cancelQuestion = defineOperation({
	name: 'Cancel Question',
	value: 'cancelQuestion',
	action: 'Cancel question',
	description: 'End the question in the chat that a contact has not answered, and return the bot',
	endpoint: findConversationByContact(conversationApi.enableBot),
	fields: [contactLocator],
	output: contactOutput.extend({
		/** False if no question was open. */
		cancelled: boolean,
	}),

	async run(item) {
		const contact = await lookUpContactOf(item);
		const note = await cancelNote(item, contact);
		if (note) await endNotedPause(item, contact, note.pause);
		return [{ success: true, ...describeContact(item), cancelled: note !== undefined }];
	},
});
