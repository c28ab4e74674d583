import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { getFullName } from '../../contacts/fullName';
import { lookUpContactOf } from '../../contacts/findByIdentifier';
import { contactOutput } from '../../contacts/output';
import { simpleMessage } from '../../conversations/simplify';
import { contactApi } from '../../contract/contact';
import { limits } from '../../contract/limits';
import { recipientLocator, sendingChannel } from '../../panel/contactLocator';
import type { AnyItem } from '../../run/item';
import { defineOperation } from '../../run/operation';
import { oncePerRun, type Run } from '../../run/run';
import { isObject, toObject } from '../../transport/guards';
import { FieldError } from '../../values/fieldError';
import { OBJECT_IN_TEXT } from '../../values/checkValue';
import { findWithChannels, refuseOtherChannel } from './delivery/contactChannels';
import { heedSilence } from './delivery/silentContact';
import { askByLink, checkLink } from './question/askByLink';
import { askInChat } from './question/chat/askInChat';
import { checkChatQuestion } from './question/chat/checkChatQuestion';
import {
	questionOptions,
	questionBody,
	questionFields,
	type EnteredQuestion,
	type QuestionItem,
} from './question/questionFields';
import { waitUntil } from './question/waitTime';
import { boolean, dateTime, number, string } from '../../contract/values';

/**
 * Asks a contact, and lets the execution wait for the answer: by a link to an answer page, or by
 * what the contact types in the chat.
 */
export const sendAndWait = defineOperation({
	name: 'Send and Wait for Response',
	value: 'sendAndWait',
	action: 'Send message and wait for response',
	subtitle: 'Send message and wait',
	description: 'Ask a contact a question, and wait for the answer by link or in the chat',
	endpoint: contactApi.sendMessage,
	fields: [recipientLocator, ...questionFields, sendingChannel, questionOptions],
	schema: { body: questionBody },
	output: contactOutput.omit({ success: true }).extend({
		data: z.object({
			answer: string.optional(),
			approved: boolean.optional(),
			text: string.optional(),
			choice: string.optional(),
			number: number.optional(),
			date: z.iso.date().optional(),
			email: string.optional(),
			phoneNumber: string.optional(),
			file: z.object({ binary: string, fileName: string, mimeType: string }).optional(),
			understood: boolean.optional(),
			respondedAt: dateTime,
		}),
		message: simpleMessage.optional(),
	}),

	normalize({ body: { limitWaitTime, ...body } }, item) {
		const { values } = toObject(limitWaitTime);
		const limit = toObject(values);
		const { answer, responseType = 'approval' } = body;
		const isTyped = answer === 'chat' && responseType === 'approval';
		const message = withToolParameters(body.message, item, isTyped);
		return { body: { ...body, ...limit, message } };
	},

	validate(item) {
		const { body, run } = item;
		refuseOtherQuestions(item, run.items.slice(0, item.index + 1));
		refuseNoChoices(body);
		waitUntil(item, body);
		if (run.isToolCall)
			throw new Error(
				'This agent cannot wait for an answer. Use version 3 or newer of the AI Agent node',
			);
		if (body.answer === 'chat') checkChatQuestion(item);
		else checkLink(item);
	},

	reportInvalid: (item, error) => (isReview(item) ? describeFailedReview(error) : undefined),

	async run(item) {
		// Items that are not valid are asked nothing either.
		refuseOtherQuestions(item, item.run.items);
		const output = await askForRun(item);
		return item.index === item.run.items[0].index ? output : [];
	},
});

/** Asks, and returns the output; all items of a run are the same question to one contact. */
const askForRun = oncePerRun(async (item: QuestionItem): Promise<IDataObject[]> => {
	await heedSilence(item);
	await refuseOtherChannel(item, findWithChannels(item));
	if (item.body.answer === 'chat') {
		await addressReview(item);
		return await askInChat(item);
	}
	await askByLink(item);
	return [item.input.json];
});

/** Whether the node is the human review of a tool. */
const isReview = ({ run }: AnyItem) => run.context.getNode().type.endsWith('HitlTool');

/**
 * Returns what tells the agent why nobody could decide: if a review fails, n8n tells it that the user
 * has rejected the tool call.
 */
const describeFailedReview = ({ message }: Error): IDataObject => ({
	data: { approved: false, chatInput: `Nobody could decide: ${message}` },
});

/** What a person can type in a human review. */
const HOW_TO_APPROVE = 'Type yes or no.';

/** Says in a human review that is typed who is asked, if the contact has a name and it fits. */
async function addressReview(item: QuestionItem) {
	const { body } = item;
	const { message } = body;
	if (!isReview(item) || !message.endsWith(HOW_TO_APPROVE)) return;
	const fullName = getFullName(await lookUpContactOf(item));
	if (fullName === '') return;
	const addressed = message.replace(/Type yes or no\.$/, () => `${fullName}, type yes or no.`);
	if (addressed.length <= limits.text.max) body.message = addressed;
}

/**
 * Shows what an agent wants to do in the message of a human review, and how to approve it. The
 * message that n8n gives such a step has only `[object Object]` there, so nobody would see what they
 * approve.
 *
 * @param isTyped whether the person types the answer
 */
function withToolParameters(message: unknown, item: AnyItem, isTyped: boolean) {
	const { toolParameters } = item.input.json;
	if (!isReview(item)) return message;
	if (typeof message !== 'string' || !isObject(toolParameters)) return message;
	const lines = Object.entries(toolParameters).map(([name, value]) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return `${name}: ${text}`;
	});
	const shown = lines.join('\n');
	// From a function, because `replaceAll` would read a $ in the text itself as a sign.
	const complete = message.replaceAll(OBJECT_IN_TEXT, () => shown);
	const saysHow = /\byes or no\b/i.test(message);
	return isTyped && !saysHow ? `${complete}\n\n${HOW_TO_APPROVE}` : complete;
}

/**
 * Throws an error unless all items ask one contact the same, as messages do that the contact wrote
 * one after the other: an execution can wait for one answer only.
 *
 * @param items those that have been read
 */
function refuseOtherQuestions({ run }: AnyItem, items: Run['items']) {
	const questions = new Set(items.map(describeQuestion));
	if (questions.size > 1)
		throw new Error(
			`This operation asks one contact one question, but the input has ${run.items.length} items that differ. Put a Loop Over Items node with a batch size of 1 before it, or call a sub-workflow for each contact to ask all of them at once`,
		);
}

/** Returns a text that is the same for items with the same contact and question. */
function describeQuestion({ params, body }: Run['items'][number]) {
	// An expression can return another time for each item, such as two hours from now.
	const question = { ...toObject(body), maxDateAndTime: undefined };
	return JSON.stringify([params.identifier, question]);
}

/**
 * Throws an error if the contact could choose nothing. The choices of another response type do not
 * count.
 */
function refuseNoChoices({ responseType, choices = [] }: EnteredQuestion) {
	if (responseType === 'choices' && choices.length === 0)
		throw new FieldError('Choices', 'Choices must have at least one entry');
}
