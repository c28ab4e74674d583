import { z } from 'zod/v4';
import { conversationApi } from '../../../../contract/conversation';
import { inBody } from '../../../../panel/fields';
import { defineOperation } from '../../../../run/operation';
import { unitMs } from '../../../../values/dates';
import { renewPause, type PausedBot } from './botPause';
import { chatQuestion, type ChatQuestion } from './chatQuestion';
import { checkQuestion } from './lookForAnswer';

/** Minutes from one look to the next; the last one repeats. */
const MINUTES_TO_NEXT_LOOK = [1, 1, 1, 2, 5, 10, 15];

/** What n8n remembers of the looks, with the execution. */
interface LookState {
	looks?: number;
	/** The pause of the bot since it was last renewed; null if a person is in charge. */
	paused?: PausedBot | null;
	/** Whether the question is over; the workflow of `waitingWorkflow.ts` reads this. */
	isOver?: boolean;
}

/** The contact is part of the question. */
const endpoint = { ...conversationApi.listContactMessages, params: undefined, query: undefined };

const storedQuestion = z
	.string()
	.transform((json): ChatQuestion => chatQuestion.parse(JSON.parse(json)));

/**
 * Looks whether a contact has answered in the chat, and waits for the next look if not. The editor
 * shows no such operation: `waitingWorkflow.ts` repeats it until the question is over.
 */
export const checkAnswer = defineOperation({
	name: 'Check Answer',
	value: 'checkAnswer',
	action: 'Check answer',
	description: 'Look whether a contact has answered in the chat',
	endpoint,
	fields: [inBody({ displayName: 'Question', name: 'question', type: 'hidden', default: '' })],
	schema: { body: z.strictObject({ question: storedQuestion }) },
	output: z.object({}),

	async run(item) {
		const { context } = item.run;
		const { json, binary } = item.input;
		const { question } = item.body;
		const state: LookState = context.getContext('node');
		let paused = question.pausedBot;
		// What an earlier look remembers is newer.
		if (state.paused !== undefined) paused = state.paused ?? undefined;
		const outcome = await checkQuestion(item, question, paused);
		if (outcome.isOver) {
			state.isOver = true;
			const { output, binary: ownFiles } = outcome;
			item.addFilesToOutput(output ? ownFiles : binary);
			return [output ?? json];
		}
		const renewed = await renewPause(item, paused, outcome.hasPersonWritten);
		if (renewed !== paused) state.paused = renewed ?? null;
		const { looks = 0 } = state;
		state.looks = looks + 1;
		const last = MINUTES_TO_NEXT_LOOK.length - 1;
		const minutes = MINUTES_TO_NEXT_LOOK[Math.min(looks, last)];
		const next = Date.now() + minutes * unitMs.minutes;
		const wakesAt = Math.min(next, question.until);
		await context.putExecutionToWait(new Date(wakesAt));
		return [json];
	},
});
