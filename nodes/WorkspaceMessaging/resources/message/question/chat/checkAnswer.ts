import { z } from 'zod/v4';
import { conversationApi } from '../../../../contract/conversation';
import { inBody } from '../../../../panel/fields';
import { defineOperation } from '../../../../run/operation';
import { unitMs } from '../../../../values/dates';
import { chatQuestion, type ChatQuestion } from './chatQuestion';
import { look } from './look';
import { CHECK_ANSWER } from './waitingWorkflow';

/** The contact is part of the question. */
const lookEndpoint = {
	...conversationApi.listContactMessages,
	params: undefined,
	query: undefined,
};

const storedQuestion = z
	.string()
	.transform((json): ChatQuestion => chatQuestion.parse(JSON.parse(json)));

/**
 * Looks whether a contact has answered in the chat, and waits for the next look if not. The editor
 * shows no such operation: `waitingWorkflow.ts` repeats it until the question is over, and then, in
 * another workflow, until nothing is left to do.
 */
export const checkAnswer = defineOperation({
	name: 'Check Answer',
	value: CHECK_ANSWER,
	action: 'Check answer',
	description: 'Look whether a contact has answered in the chat',
	endpoint: lookEndpoint,
	fields: [inBody({ displayName: 'Question', name: 'question', type: 'hidden', default: '' })],
	schema: { body: z.strictObject({ question: storedQuestion }) },
	output: z.object({}),

	async run(item) {
		const { context } = item.run;
		const { json, binary } = item.input;
		const { question } = item.body;
		// If something is left to do, the service has just failed.
		const startsAt = question.answers ? question.until + unitMs.minutes : 0;
		const found = Date.now() < startsAt ? undefined : await look(item, question);
		if (!found?.isOver) {
			await context.putExecutionToWait(new Date(found?.nextLook ?? startsAt));
			return [json];
		}
		// The workflow of `waitingWorkflow.ts` reads this.
		context.getContext('node').isOver = true;
		item.addFilesToOutput(found.output ? found.binary : binary);
		return [found.output ?? json];
	},
});
