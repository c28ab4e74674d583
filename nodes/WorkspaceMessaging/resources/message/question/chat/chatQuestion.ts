import { z } from 'zod/v4';
import { pausedBot } from './botPause';
import { notedQuestion } from './openAndCloseNote';

/*
 * A question in the chat that waits for its answer. n8n stores it with the execution, and a later
 * version of this package may read it: fields may be added here, each with a default, and none may
 * change.
 */

const words = z.array(z.string());

const form = z.union([
	z.object({ type: z.literal('approval'), yes: words, no: words }),
	z.object({ type: z.literal('choices'), choices: words }),
	z.object({ type: z.enum(['text', 'file', 'number', 'date', 'email', 'phoneNumber']) }),
]);

export const chatQuestion = z.object({
	/** The contact's ID. */
	contactId: z.string(),
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
	/** When the wait ends, in milliseconds since 1970 by n8n's clock. */
	until: z.number(),
	/** The pause of the bot; none if it was not paused. */
	pausedBot: pausedBot.optional(),
	/** Where the question is noted; nowhere if the service cannot hold the note. */
	noted: notedQuestion.optional(),
});

export type ChatQuestion = z.output<typeof chatQuestion>;
