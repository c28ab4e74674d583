import { z } from 'zod/v4';
import { conversationApi } from '../../../../contract/conversation';
import { inBody } from '../../../../panel/fields';
import type { AnyItem } from '../../../../run/item';
import { defineOperation } from '../../../../run/operation';
import type { Requester } from '../../../../transport/request';
import { unitMs } from '../../../../values/dates';
import { endPause, hintPaused, pausedBot, type PausedBot } from './botPause';
import { chatQuestion, type ChatQuestion } from './chatQuestion';
import { findOutcome, type LookOutcome } from './lookForAnswer';
import { closeNote, hintOpenNote, isNoteTaken } from './openAndCloseNote';
import { startEndingWorkflow } from './waitingWorkflow';

/*
 * What n8n does at the end of a question: it notes the answer, and returns the bot. If the service
 * fails then, the workflow goes on, and another one tries it again; see `waitingWorkflow.ts`.
 */

/** How often the other workflow tries, and how long it waits before each time. */
const TRIES = 10;
const TRY_EVERY_MS = unitMs.minutes;

/** For how long all requests of a try take. */
const TRY_MS = 30_000;

/** What is left to do for a question that is over. n8n stores it, as `chatQuestion.ts` says. */
const ending = z.object({
	question: chatQuestion,
	/** The pause of the bot as it is now. */
	paused: pausedBot.optional(),
	/** The IDs of the messages that were the answer. */
	answers: z.array(z.string()),
	/** Whether a person has written to the contact since the question; undefined if unknown. */
	hasPersonWritten: z.boolean().optional(),
	/** Whether the note still has to say that the question is over. */
	mustNote: z.boolean(),
});

export type Ending = z.output<typeof ending>;

/**
 * Ends a question if it is over: notes the answer, and returns the bot. Returns what becomes of the
 * question. If another one has taken its place, nobody has answered this one.
 *
 * @param client sends the requests
 */
export async function endIfOver(
	item: AnyItem,
	question: ChatQuestion,
	paused: PausedBot | undefined,
	outcome: LookOutcome,
	client: Requester,
): Promise<LookOutcome> {
	if (!outcome.isOver) return outcome;
	const { answers = [], hasPersonWritten } = outcome;
	// As long as a question is open, its answer starts no other workflow.
	const note = await closeNote(item, question.noted, answers, client);
	if (note === 'taken') return { isOver: true };
	const isTimeOver = Date.now() >= question.until;
	// A later look takes the answer.
	if (note === 'failed' && !isTimeOver) return { isOver: false, hasPersonWritten, hasFailed: true };
	const mustNote = note === 'failed';
	const isBotBack = await endPause(item, paused, hasPersonWritten, client);
	if (mustNote || !isBotBack) {
		const left: Ending = { question, paused, answers, hasPersonWritten, mustNote };
		await startEndingWorkflow(item, left, endQuestion.value).catch(() => hintEnding(item, left));
	}
	return outcome;
}

/** Shows hints about what is left to do. */
function hintEnding(item: AnyItem, { question, paused, mustNote }: Ending) {
	if (mustNote && question.noted) hintOpenNote(item, question.noted);
	if (paused) hintPaused(item, paused);
}

/** What n8n remembers of the tries, with the execution. */
interface EndingState {
	tries?: number;
	/** What is left to do now. */
	left?: Ending;
	/** Whether nothing more is to be done; the workflow of `waitingWorkflow.ts` reads this. */
	isOver?: boolean;
}

/** The contact is part of the question. */
const endEndpoint = { ...conversationApi.enableBot, params: undefined };

const storedEnding = z.string().transform((json): Ending => ending.parse(JSON.parse(json)));

/**
 * Tries to end a question that is over. The editor shows no such operation: `waitingWorkflow.ts`
 * repeats it.
 */
export const endQuestion = defineOperation({
	name: 'End Question',
	value: 'endQuestion',
	action: 'End question',
	description: 'Note that a question is over, and return the bot',
	endpoint: endEndpoint,
	fields: [inBody({ displayName: 'Question', name: 'question', type: 'hidden', default: '' })],
	schema: { body: z.strictObject({ question: storedEnding }) },
	output: z.object({}),

	async run(item) {
		const { context } = item.run;
		const state: EndingState = context.getContext('node');
		const { tries = 0, left = item.body.question } = state;
		state.tries = tries + 1;
		// The service has just failed.
		if (tries > 0) {
			const client = item.run.client!.createBriefRequester(context, TRY_MS);
			state.left = await tryToEnd(item, left, client);
			state.isOver = state.left === undefined;
			if (state.left && tries === TRIES) {
				hintEnding(item, state.left);
				state.isOver = true;
			}
		}
		if (!state.isOver) await context.putExecutionToWait(new Date(Date.now() + TRY_EVERY_MS));
		return [item.input.json];
	},
});

/** Tries to do what is left. Returns what is left then; undefined if it is nothing. */
async function tryToEnd(
	item: AnyItem,
	left: Ending,
	client: Requester,
): Promise<Ending | undefined> {
	const { question, paused, answers } = left;
	const { noted } = question;
	let { mustNote, hasPersonWritten } = left;
	if (mustNote) {
		const note = await closeNote(item, noted, answers, client);
		// A newer question returns the bot when it is over.
		if (note === 'taken') return undefined;
		mustNote = note === 'failed';
	} else {
		const isTaken = await isNoteTaken(client, noted).catch(() => undefined);
		if (isTaken) return undefined;
		if (isTaken === undefined) return left;
	}
	if (hasPersonWritten === undefined)
		({ hasPersonWritten } = await findOutcome(item, question, client));
	const isBotBack = await endPause(item, paused, hasPersonWritten, client);
	const isDone = isBotBack && !mustNote;
	return isDone ? undefined : { ...left, mustNote, hasPersonWritten };
}
