import { z } from 'zod/v4';
import { findConversationByContact } from '../../conversations/find';
import { conversationApi } from '../../contract/conversation';
import { oneOf } from '../../contract/values';
import { inBody, toNamedOptions } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { defineOperation } from '../../run/operation';
import { changeConversation, changeOutput } from '../../conversations/changeConversation';

const stateChange = oneOf(['archive', 'follow', 'read', 'unarchive', 'unfollow', 'unread']);
const changeEndpoints = {
	archive: conversationApi.archiveConversation,
	follow: conversationApi.followConversation,
	read: conversationApi.readConversation,
	unarchive: conversationApi.unarchiveConversation,
	unfollow: conversationApi.unfollowConversation,
	unread: conversationApi.unreadConversation,
};

export const changeState = defineOperation({
	name: 'Change State',
	value: 'changeState',
	action: 'Change state of conversation',
	description:
		'Archive or unarchive a conversation, follow or unfollow it, mark it as read or unread',
	endpoint: findConversationByContact(conversationApi.archiveConversation),
	fields: [
		contactLocator,
		inBody({
			displayName: 'Change',
			name: 'change',
			type: 'options',
			options: toNamedOptions({
				archive: 'Archive',
				follow: 'Follow',
				read: 'Mark as Read',
				unread: 'Mark as Unread',
				unarchive: 'Unarchive',
				unfollow: 'Unfollow',
			}),
			default: 'archive',
			description:
				'Archived conversations leave the inbox. Followed ones are marked for follow-up.',
		}),
	],
	schema: { body: z.strictObject({ change: stateChange }) },
	output: changeOutput.extend({ change: stateChange }),

	run: (item) => changeConversation(item, changeEndpoints[item.body.change], item.body),
});
