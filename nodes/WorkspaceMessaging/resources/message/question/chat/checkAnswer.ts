import { z } from 'zod/v4';
import type { QuestionNote } from '../../../../contacts/customFields/questionNote';
import { conversationApi } from '../../../../contract/conversation';
import { inBody } from '../../../../panel/fields';
import type { AnyItem } from '../../../../run/item';
import { defineOperation } from '../../../../run/operation';
import { isAnswer } from '../../../../transport/errors/ApiError';
import type { Requester } from '../../../../transport/request';
import { unitMs } from '../../../../values/dates';
import { renewPause, toNotedPause, type PausedBot } from './botPause';
import { chatQuestion, type ChatQuestion } from './chatQuestion';
import { endIfOver } from './endQuestion';
import { failIfAboutToken, findOutcome, type LookOutcome } from './lookForAnswer';
import { readOwnNote, writeNote } from './openAndCloseNote';

/** Minutes from one look to the next; the last one repeats. */
const MINUTES_TO_NEXT_LOOK = [1, 1, 1, 2, 5, 10, 15];

/** After a look that failed, the next one comes soon. */
const MINUTES_AFTER_FAILURE = 1;

/**
 * How long all requests of a look may take. The first look is part of the execution that asks, so
 * it is brief.
 */
const LOOK_MS = 30_000;
const FIRST_LOOK_MS = 4000;

/** What n8n remembers of the looks, with the execution. */
interface LookState {
	hasLooked?: boolean;
	/** How many looks have not failed. */
	looks?: number;
	/** The pause of the bot since it was last renewed; null if a person is in charge. */
	paused?: PausedBot | null;
	/** Whether the question is over; the workflow of `waitingWorkflow.ts` reads this. */
	isOver?: boolean;
}

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
 * shows no such operation: `waitingWorkflow.ts` repeats it until the question is over.
 */
export const checkAnswer = defineOperation({
	name: 'Check Answer',
	value: 'checkAnswer',
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
		const state: LookState = context.getContext('node');
		let paused = question.pausedBot;
		// What an earlier look remembers is newer.
		if (state.paused !== undefined) paused = state.paused ?? undefined;
		const lookMs = state.hasLooked ? LOOK_MS : FIRST_LOOK_MS;
		state.hasLooked = true;
		const client = item.run.client!.createBriefRequester(context, lookMs);
		const outcome = await lookAndEnd(item, question, paused, client);
		if (outcome.isOver) {
			state.isOver = true;
			const { output, binary: ownFiles } = outcome;
			item.addFilesToOutput(output ? ownFiles : binary);
			return [output ?? json];
		}
		if (outcome.paused !== paused) state.paused = outcome.paused ?? null;
		const { looks = 0 } = state;
		let minutes = MINUTES_AFTER_FAILURE;
		if (!outcome.hasFailed) {
			const last = MINUTES_TO_NEXT_LOOK.length - 1;
			minutes = MINUTES_TO_NEXT_LOOK[Math.min(looks, last)];
			state.looks = looks + 1;
		}
		const next = Date.now() + minutes * unitMs.minutes;
		const wakesAt = Math.min(next, question.until);
		await context.putExecutionToWait(new Date(wakesAt));
		return [json];
	},
});

/**
 * Looks once whether a question is over, and ends it then. While it is open, renews the pause of the
 * bot, and notes that and the messages that are no answer.
 */
async function lookAndEnd(
	item: AnyItem,
	question: ChatQuestion,
	paused: PausedBot | undefined,
	client: Requester,
): Promise<LookOutcome & { paused?: PausedBot }> {
	const { noted } = question;
	let note: QuestionNote | undefined;
	let hasFailed = false;
	try {
		if (noted) note = await readOwnNote(client, noted);
		// Another question has taken the place of this one.
		if (noted && !note) return { isOver: true };
	} catch (error) {
		failIfAboutToken(error);
		hasFailed = !isAnswer(error);
	}
	const found = await findOutcome(item, question, client);
	const outcome = await endIfOver(item, question, paused, found, client);
	if (outcome.isOver) return outcome;
	const renewed = await renewPause(client, paused, outcome.hasPersonWritten);
	const { others = [] } = outcome;
	if (outcome.hasFailed) hasFailed = true;
	if (noted && note) {
		const pause = toNotedPause(renewed, question.before.at);
		const hasNewOthers = others.some((id) => !note.others.includes(id));
		if (hasNewOthers || renewed !== paused) {
			const changed = { ...note, pause, others: [...note.others, ...others] };
			await writeNote(client, noted, changed).catch((error: unknown) => {
				hasFailed = !isAnswer(error);
			});
		}
	}
	return { ...outcome, paused: renewed, hasFailed };
}
