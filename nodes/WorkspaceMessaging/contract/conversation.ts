import { z } from 'zod/v4';
import { ofContact } from './contact';
import type { Endpoint } from './endpoint';
import { limits } from './limits';
import { anyText, timestamps } from './values';

/* Conversations and their messages, as services return them; the reference shows neither. */

/** A file or picture of a message. Services sign its address, which works for a short time. */
const attachment = z.looseObject({
	id: z.string(),
	originPath: z.string().nullable(),
	url: z.string().nullable(),
});

/** A message of a contact, an answer to it, or a line of the service. */
const message = z.looseObject({
	id: z.string(),
	conversationId: z.string(),
	contactInboxId: z.string().nullable(),
	text: z.string().nullable(),
	/** `incoming` from the contact, `outgoing` to the contact, or `activity` for a line of the service. */
	messageType: z.string(),
	/** `contact`, `user`, `bot`, `api` or `system`. */
	senderType: z.string(),
	/** `text`, `location` or `refLink`. */
	contentType: z.string(),
	/** `message` or `comment`. */
	type: z.string(),
	attachments: z.array(attachment),
	deletedAt: z.iso.datetime().nullish(),
	...timestamps,
});

/** The conversation with a contact. Each contact has one. */
const conversation = z.looseObject({
	id: z.string(),
	contactId: z.string(),
	/** Whether the bot answers, and not a person. */
	botEnabled: z.boolean(),
	archivedAt: z.iso.datetime().nullable(),
	followed: z.boolean(),
	/** When anybody wrote last. */
	lastActivityAt: z.iso.datetime().nullable(),
	/** When the contact wrote last. */
	contactRepliedAt: z.iso.datetime().nullable(),
	/** The contact's accounts on channels, each with its channel on newer services. */
	contactInboxes: z.array(
		z.looseObject({ id: z.string(), inboxId: z.string(), inbox: z.looseObject({}).optional() }),
	),
});

const cursorQuery = { cursor: anyText.optional(), perPage: z.number().int().min(1).optional() };

const listOf = (record: z.ZodObject) =>
	z.looseObject({ data: z.array(record), nextCursor: z.string().nullable() });

/** The calls for conversations. */
export const conversationApi = {
	/**
	 * All conversations by their last activity, newest first. Archived ones and those of blocked contacts are left out unless
	 * `tags` asks for them, in a JSON list.
	 */
	listConversations: {
		method: 'GET',
		path: '/api/v1/conversations',
		query: z.strictObject({ ...cursorQuery, tags: anyText.optional() }),
		response: listOf(conversation),
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
		response: listOf(message),
		undocumented: {},
	},
} satisfies Record<string, Endpoint>;
