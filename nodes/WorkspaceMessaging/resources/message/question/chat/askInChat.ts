import type { IDataObject } from 'n8n-workflow';
import type { ItemTries } from '../../../../run/tries';
import { ApiError } from '../../../../transport/errors/ApiError';
import { pause } from '../../../../transport/retry/delays';
import type { QuestionItem } from '../questionFields';
import { ask } from './ask';
import type { ChatQuestion } from './chatQuestion';
import { look } from './look';
import type { Reply } from './replies';
import { startWaiting } from './waitingWorkflow';

/*
 * A question that the contact answers by typing. Most people answer at once, so the node itself
 * looks for some seconds. Then a workflow of n8n waits in its place; see `waitingWorkflow.ts`.
 */

/** For how long the node itself looks, and how often; n8n grants 30 seconds at a shutdown. */
const HOLD_MS = 25_000;
const LOOK_EVERY_MS = 5_000;

/** How many executions may be held at once: each takes memory, and a place of n8n's limits. */
const MAX_HELD = 20;

let held = 0;

/**
 * Sends the question, and waits for the answer. Returns the output. Until the question is sent, all
 * that this changes is undone if it fails.
 */
export async function askInChat(item: QuestionItem): Promise<IDataObject[]> {
	const { tries } = item;
	const asked = tries && askedQuestions.get(tries);
	const question = asked ?? (await ask(item));
	// If n8n tries again, it waits for the answer to the same question.
	if (tries) askedQuestions.set(tries, question);
	const { input } = item;
	const found = (await hold(item, question)) ?? (await waitInOtherWorkflow(item, question));
	item.addFilesToOutput(found.output ? found.binary : input.binary);
	return [found.output ?? input.json];
}

/** The questions that tries of n8n have sent. */
const askedQuestions = new WeakMap<ItemTries, ChatQuestion>();

/** What the node returns; its input if there is nothing. */
type LookOutput = Pick<Reply, 'output' | 'binary'>;

/** Looks for the answer for some seconds, unless many executions do so. */
async function hold(item: QuestionItem, question: ChatQuestion): Promise<LookOutput | undefined> {
	if (held >= MAX_HELD) return undefined;
	const signal = item.run.cancelSignal;
	const holdUntil = performance.now() + HOLD_MS;
	held++;
	try {
		for (;;) {
			const msLeft = Math.max(0, question.until - Date.now());
			await pause(Math.min(LOOK_EVERY_MS, msLeft), signal);
			// The other workflow begins with a look.
			if (signal?.aborted || performance.now() >= holdUntil) return undefined;
			const found = await look(item, question, true);
			if (found.isOver) return found;
		}
	} finally {
		held--;
	}
}

/**
 * Starts the workflow that waits. If it has to, n8n lets this execution wait for it, and returns
 * its result as the output of the node.
 */
async function waitInOtherWorkflow(
	item: QuestionItem,
	question: ChatQuestion,
): Promise<LookOutput> {
	const { context } = item.run;
	const { json, binary } = item.input;
	const parentExecution = {
		executionId: context.getExecutionId(),
		workflowId: context.getWorkflow().id!,
	};
	const input = { json, ...(binary && { binary }) };
	const { data, waitTill } = await startWaiting(item, question, input, { parentExecution }).catch(
		(error: Error) => {
			throw new ApiError('The question was sent, but n8n can no longer wait for the answer.', {
				outcome: 'partlyDone',
				cause: error.message,
			});
		},
	);
	const [found] = data?.[0] ?? [];
	return waitTill || !found ? {} : { output: found.json, binary: found.binary };
}
