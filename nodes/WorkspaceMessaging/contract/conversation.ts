import { z } from 'zod/v4';
import { messageText, ofContact } from './contact';
import { makeMessageFieldsSchema } from './message';
import type { Endpoint } from './endpoint';
import { limits } from './limits';
import {
	anyText,
	boolean,
	dateTime,
	dateTimeOrNull,
	numericId,
	ofConversation,
	string,
	stringOrNull,
	timestamps,
} from './values';

/* Conversations and their messages, as services return them; the reference shows neither. */

/** A file or picture of a message. Services sign its address, which works for a short time. */
const attachment = z.looseObject({
	id: string,
	originPath: stringOrNull,
	url: stringOrNull,
});

/** A message of a contact, an answer to it, or a line of the service. */
const message = z.looseObject({
	id: string,
	conversationId: string,
	contactInboxId: stringOrNull,
	text: stringOrNull,
	/**
	 * `incoming` from the contact, `outgoing` to the contact, or `activity` for a line of the
	 * service.
	 */
	messageType: string,
	/** `contact`, `user`, `bot`, `api` or `system`. */
	senderType: string,
	/** `text`, `location` or `refLink`. */
	contentType: string,
	/** `message` or `comment`. */
	type: string,
	/**
	 * The channel's ID of the message; null until the channel has accepted it, and on channels that
	 * give no IDs.
	 */
	sourceId: string.nullish(),
	/** Why the channel refused it, on the newest services. */
	sendError: string.nullish(),
	attachments: z.array(attachment),
	deletedAt: dateTime.nullish(),
	...timestamps,
});

/** The conversation with a contact. Each contact has one. */
const conversation = z.looseObject({
	id: string,
	contactId: string,
	/** Whether the bot answers, and not a person. */
	botEnabled: boolean,
	/** When the bot comes back by itself. */
	botResumeAt: dateTime.nullish(),
	archivedAt: dateTimeOrNull,
	followed: boolean,
	/** When anybody wrote last. */
	lastActivityAt: dateTimeOrNull,
	/** When the contact wrote last. */
	contactRepliedAt: dateTimeOrNull,
	/** When somebody last answered or read it in the workspace. */
	adminRepliedAt: dateTime.nullish(),
	agentLastReadAt: dateTime.nullish(),
	/** The contact's accounts on channels, each with its channel on newer services. */
	contactInboxes: z.array(
		z.looseObject({ id: string, inboxId: string, inbox: z.looseObject({}).optional() }),
	),
	/** The last message, if there is one. */
	messages: z.array(message).optional(),
	contact: z.looseObject({}).nullish(),
	assignedUser: z.looseObject({}).nullish(),
	assignedInboxTeam: z.looseObject({}).nullish(),
});

const cursorQuery = { cursor: anyText.optional(), perPage: z.number().int().min(1).optional() };

const cursorListOf = (record: z.ZodObject) =>
	z.looseObject({ data: z.array(record), nextCursor: stringOrNull });

/**
 * A call that changes a conversation. Sending it twice leaves the conversation as sending it once.
 */
const change = <Action extends string>(action: Action) =>
	({
		method: 'POST',
		path: `/api/v1/conversations/{conversationId}/${action}`,
		params: ofConversation,
		response: z.looseObject({}),
		idempotent: true,
		undocumented: {},
	}) satisfies Endpoint;

/** The calls for conversations. */
export const conversationApi = {
	/**
	 * All conversations by their last activity, newest first. Archived ones and those of blocked
	 * contacts are left out unless `tags` asks for them, in a JSON list. Services ignore a filter
	 * that they cannot read.
	 */
	listConversations: {
		method: 'GET',
		path: '/api/v1/conversations',
		query: z.strictObject({
			...cursorQuery,
			tags: anyText.optional(),
			botEnabled: boolean.optional(),
			/** `u_` and the ID of a user, `t_` and the ID of a team, or `unassigned`. */
			assignedId: anyText.optional(),
			channel: anyText.optional(),
			keyword: anyText.optional(),
		}),
		response: cursorListOf(conversation),
		list: 'cursor',
		undocumented: {},
	},

	getConversation: {
		method: 'GET',
		path: '/api/v1/conversations/{conversationId}',
		params: ofConversation,
		response: z.looseObject({ data: conversation }),
		undocumented: {},
	},

	/** The messages of a contact's conversation, newest first. */
	listContactMessages: {
		method: 'GET',
		path: '/api/v1/contacts/{identifier}/messages',
		params: ofContact,
		query: z.strictObject({
			...cursorQuery,
			perPage: z.number().int().min(1).max(limits.messagesPerPage.max).optional(),
		}),
		response: cursorListOf(message),
		list: 'cursor',
		undocumented: {},
	},

	/** Returns one message of a contact. */
	getContactMessage: {
		method: 'GET',
		path: '/api/v1/contacts/{identifier}/messages/{messageId}',
		params: ofContact.extend({ messageId: numericId }),
		response: message,
		undocumented: {},
	},

	/**
	 * Sends a message that quotes another one, and returns it. Without a channel, it goes out on the
	 * one used last.
	 */
	replyToMessage: {
		method: 'POST',
		path: '/api/v1/conversations/{conversationId}/messages',
		params: ofConversation,
		body: makeMessageFieldsSchema(messageText).extend({
			replyToMessageId: numericId.optional(),
			replyToMessageCreatedAt: dateTime.optional(),
		}),
		status: 201,
		response: message.nullable(),
		isMessage: true,
		dedupeId: 'clientId',
		undocumented: { instead: 'remove Reply To' },
	},

	/** Some services assign to nobody, without an error, if they cannot read to whom. */
	assignConversation: {
		...change('assign'),
		body: z.strictObject({ assignedId: anyText.nullable() }),
	},

	archiveConversation: change('archive'),
	unarchiveConversation: change('unarchive'),
	readConversation: change('read'),
	unreadConversation: change('unread'),
	followConversation: change('follow'),
	unfollowConversation: change('unfollow'),

	/** Hands over to a person. Services bring the bot back after 24 hours. */
	disableBot: { ...change('disable-bot'), isUndone: true },
	/** Hands over to the bot. */
	enableBot: { ...change('enable-bot'), isUndone: true },
} satisfies Record<string, Endpoint>;
