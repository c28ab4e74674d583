import * as n8nWorkflow from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';
import { getInboxes, getInboxId } from '../../../../channels/channel';
import { lookUpContactOf } from '../../../../contacts/findByIdentifier';
import { describeContact } from '../../../../contacts/output';
import { noConversationError } from '../../../../conversations/find';
import { contactApi } from '../../../../contract/contact';
import { limits } from '../../../../contract/limits';
import { lacksError } from '../../../../service/capabilities';
import type { ItemTries } from '../../../../run/tries';
import { ApiError, isListMissing, onApiError } from '../../../../transport/errors/ApiError';
import { pause } from '../../../../transport/retry/delays';
import { counted } from '../../../../values/labels';
import { explainOtherChannel } from '../../delivery/contactChannels';
import { LINK, type EnteredQuestion, type QuestionItem } from '../questionFields';
import { waitUntil } from '../waitTime';
import { endPause, hintPaused, pauseBot, toNotedPause } from './botPause';
import { checkAnswer } from './checkAnswer';
import type { ChatQuestion } from './chatQuestion';
import { endIfOver } from './endQuestion';
import { findOutcome, readNewestMessages, type LookOutcome } from './lookForAnswer';
import { openNote, prepareNote, takeBackNote } from './openAndCloseNote';
import { listTypedChoices, saysTheSame, type ChatForm } from './understandAnswers';
import { makeWaitingWorkflow } from './waitingWorkflow';

/*
 * A question that the contact answers by typing. Most people answer at once, so the node itself
 * looks for some seconds. Then a workflow of n8n waits in its place; see `waitingWorkflow.ts`.
 */

/** For how long the node itself looks, and how often; n8n grants 30 seconds at a shutdown. */
const HOLD_MS = 25_000;
const LOOK_EVERY_MS = 5_000;

/** How long one of these looks may take; it is not retried. */
const LOOK_TIMEOUT_MS = 4_000;

/** How many executions may be held at once: each takes memory, and a place of n8n's limits. */
const MAX_HELD = 20;

let held = 0;

/**
 * Throws a sentence if this n8n cannot wait for an answer in the chat, or not for so long, or if
 * the question itself is not valid.
 */
export function checkChatQuestion(item: QuestionItem): void {
	const { body } = item;
	// Older versions go on after the first look.
	if (!('WAIT_FOR_SUB_EXECUTION' in n8nWorkflow))
		throw new Error('Answers in the chat need n8n 2.41 or newer. Choose By Link under Answer');
	if (body.limitType === 'noLimit')
		throw new Error(
			'Answers in the chat need a limit. Choose another Limit Type under Limit Wait Time',
		);
	if (body.message.includes(LINK))
		throw new Error(
			`Message contains ${LINK}, but the contact answers in the chat. Remove it, or choose By Link under Answer`,
		);
	refuseShorterTimeout(item);
	refuseWordsForBoth(body);
	const { length } = makeText(body);
	const { max } = limits.text;
	if (length > max)
		throw new Error(
			`Message must have at most ${max.toLocaleString('en-US')} characters with its choices, but has ${length.toLocaleString('en-US')}`,
		);
}

/** n8n counts the waiting towards the timeout of the workflow, and the answer would be lost. */
function refuseShorterTimeout(item: QuestionItem): void {
	const { executionTimeout = -1 } = item.run.context.getWorkflowSettings();
	if (executionTimeout <= 0) return;
	const until = waitUntil(item, item.body);
	const waitMs = until.getTime() - Date.now();
	const isLonger = waitMs > executionTimeout * 1000;
	if (!isLonger) return;
	const minutes = counted(Math.round(executionTimeout / 60), 'minute');
	throw new Error(
		`This workflow ends after ${minutes}, before the wait is over. Shorten the wait, or turn off Timeout Workflow in the settings of the workflow`,
	);
}

function refuseWordsForBoth(body: EnteredQuestion): void {
	const form = makeForm(body);
	if (form.type !== 'approval') return;
	const { yes, no } = form;
	const both = yes.find((word) => no.some((other) => saysTheSame(word, other)));
	if (both === undefined) return;
	throw new Error(`"${both}" stands for yes and for no. Remove it from one of them`);
}

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
	const outcome = await hold(item, question);
	if (outcome.isOver) return toChatOutput(item, outcome);
	return await waitInOtherWorkflow(item, question);
}

/** The questions that tries of n8n have sent. */
const askedQuestions = new WeakMap<ItemTries, ChatQuestion>();

async function ask(item: QuestionItem): Promise<ChatQuestion> {
	const question = await prepareQuestion(item);
	await sendNoted(item, question).catch(async (error: unknown) => {
		const { pausedBot } = question;
		const isBotBack = await endPause(item, pausedBot, false);
		if (pausedBot && !isBotBack) hintPaused(item, pausedBot);
		throw error;
	});
	return question;
}

async function prepareQuestion(item: QuestionItem): Promise<ChatQuestion> {
	const contact = await lookUpContactOf(item);
	const contactId = String(contact.id);
	const { body } = item;
	const until = waitUntil(item, body).getTime();
	const newest = await readNewestMessages(item, contactId).catch(explainNoMessages);
	const { before, personWrote } = newest;
	const { noted, before: noteBefore } = await prepareNote(item, contact);
	const earlierPause = noteBefore.pause;
	const pausedBot = body.pauseBot ? await pauseBot(item, { earlierPause, personWrote }) : undefined;
	return {
		contactId,
		contact: describeContact(item),
		text: makeText(body),
		form: makeForm(body),
		goesOnIfNotUnderstood: body.ifNotUnderstood === 'continue',
		before,
		contactInboxIds: findAccounts(contact, body.inboxId),
		until,
		pausedBot,
		noted,
	};
}

/** Returns the contact's accounts on the channel that the user chose; undefined for any. */
function findAccounts(contact: IDataObject, inboxId: string | undefined): string[] | undefined {
	if (inboxId === undefined) return undefined;
	const ids: string[] = [];
	for (const account of getInboxes(contact)) {
		const isOnChannel = getInboxId(account) === inboxId;
		if (isOnChannel && account.id !== undefined) ids.push(String(account.id));
	}
	return ids.length > 0 ? ids : undefined;
}

const explainNoMessages = onApiError(isListMissing, ({ details: { reason, status } }): never => {
	if (reason === 'noConversation') throw noConversationError();
	const what = `let n8n read what a contact types (${status})`;
	const failed = { endpoint: contactApi.sendMessage, status };
	throw lacksError(what, 'Choose By Link under Answer.', failed);
});

/** Notes the question, and sends it. */
async function sendNoted(item: QuestionItem, question: ChatQuestion): Promise<void> {
	const { noted, text, until, pausedBot, before } = question;
	const askedAfter = before.ids.length > 0 ? before.at : undefined;
	const pause = toNotedPause(pausedBot, before.at);
	await openNote(item, noted, { until, askedAfter, pause });
	await sendQuestion(item, text).catch(async (error: unknown) => {
		await takeBackNote(item, noted);
		throw error;
	});
}

async function sendQuestion(item: QuestionItem, text: string): Promise<void> {
	const { identifier } = item.params;
	const { inboxId } = item.body;
	const channel = inboxId === undefined ? {} : { inboxId };
	const body = { text, clientId: item.clientId(0), ...channel };
	await item
		.request(contactApi.sendMessage, { params: { identifier }, body })
		.catch(explainOtherChannel(item, inboxId));
}

/** Looks for the answer for some seconds, unless many executions do so. */
async function hold(item: QuestionItem, question: ChatQuestion): Promise<LookOutcome> {
	if (held >= MAX_HELD) return { isOver: false };
	const { context } = item.run;
	const signal = context.getExecutionCancelSignal();
	const holdUntil = performance.now() + HOLD_MS;
	held++;
	try {
		for (;;) {
			const msLeft = Math.max(0, question.until - Date.now());
			const msToLook = Math.min(LOOK_EVERY_MS, msLeft);
			await pause(msToLook, signal);
			if (signal?.aborted) return { isOver: false };
			// The other workflow begins with a look.
			if (performance.now() >= holdUntil) return { isOver: false };
			const client = item.run.client!;
			const looker = client.createBriefRequester(context, LOOK_TIMEOUT_MS, 0);
			const found = await findOutcome(item, question, looker);
			const msToEnd = Math.max(0, Math.round(holdUntil - performance.now()));
			const ender = client.createBriefRequester(context, msToEnd);
			const outcome = await endIfOver(item, question, question.pausedBot, found, ender);
			if (outcome.isOver) return outcome;
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
): Promise<IDataObject[]> {
	const { context } = item.run;
	const executionId = context.getExecutionId();
	const workflowId = context.getWorkflow().id!;
	const { json, binary } = item.input;
	const { data, waitTill } = await context
		.executeWorkflow(
			{ code: makeWaitingWorkflow(item, checkAnswer.value, question) },
			[{ json, ...(binary && { binary }) }],
			undefined,
			{ parentExecution: { executionId, workflowId } },
		)
		.catch((error: Error) => {
			throw new ApiError('The question was sent, but n8n can no longer wait for the answer.', {
				outcome: 'partlyDone',
				cause: error.message,
			});
		});
	if (waitTill) return [json];
	const [found] = data[0] ?? [];
	return toChatOutput(item, { isOver: true, output: found?.json, binary: found?.binary });
}

/** Returns the output of a question that is over: the answer, or else the input. */
function toChatOutput(item: QuestionItem, { output, binary }: LookOutcome): IDataObject[] {
	const { input } = item;
	item.addFilesToOutput(output ? binary : input.binary);
	return [output ?? input.json];
}

/** Returns the message that the contact gets, with the choices below it. */
function makeText({ message, responseType, choices = [] }: EnteredQuestion): string {
	if (responseType !== 'choices') return message;
	const list = listTypedChoices(choices);
	return `${message}\n\n${list}`;
}

/** Returns what the contact can answer. */
function makeForm(body: EnteredQuestion): ChatForm {
	const { responseType, expectedAnswer, choices = [], approvalOptions } = body;
	const { approveLabel, declineLabel } = approvalOptions.values;
	switch (responseType) {
		case 'approval':
			return {
				type: 'approval',
				yes: [approveLabel, ...(body.yesWords ?? [])],
				no: [declineLabel, ...(body.noWords ?? [])],
			};
		case 'choices':
			return { type: 'choices', choices };
		case 'freeText':
			return { type: expectedAnswer };
	}
}
