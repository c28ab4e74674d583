import { z } from 'zod/v4';

/*
 * A question in the chat that waits for its answer. n8n stores it with the execution, and a later
 * version of this package may read it: fields may be added here, each with a default, and none may
 * change. What becomes of the question stands in the contact's note; see `questionNote.ts`.
 */

const words = z.array(z.string());

const form = z.union([
	// Words that the user entered for yes and no, besides those that everybody types.
	z.object({ type: z.literal('approval'), yes: words, no: words }),
	z.object({ type: z.literal('choices'), choices: words }),
	z.object({ type: z.enum(['text', 'file', 'number', 'date', 'email', 'phoneNumber']) }),
]);

/** What the contact can answer in the chat. */
export type ChatForm = z.output<typeof form>;

export const chatQuestion = z.object({
	/** The question's own ID, which tells its note from that of another one. */
	id: z.string(),
	/** The contact's ID. */
	contactId: z.string(),
	/** Where the contact's note is; undefined if the service cannot hold one. */
	fieldId: z.string().optional(),
	/** The conversation in which n8n has paused the bot for the question. */
	pausedConversationId: z.string().optional(),
	/** Who was asked, as the output says it. */
	contact: z.looseObject({}),
	/** The message that the contact got. */
	text: z.string(),
	form,
	/** Whether the workflow goes on with a text that n8n does not understand. */
	goesOnIfNotUnderstood: z.boolean(),
	/**
	 * The newest messages of the conversation before the question: their time, in milliseconds since
	 * 1970 by the service's clock, and their IDs.
	 */
	before: z.object({ at: z.number(), ids: words }),
	/** The contact's accounts on the channel that the user chose. */
	contactInboxIds: words.optional(),
	/** When it was asked, and when the wait ends, in milliseconds since 1970 by n8n's clock. */
	askedAt: z.number(),
	until: z.number(),
	/** Only if the workflow has gone on before all was done: the IDs of the answer. */
	answers: words.optional(),
});

export type ChatQuestion = z.output<typeof chatQuestion>;
