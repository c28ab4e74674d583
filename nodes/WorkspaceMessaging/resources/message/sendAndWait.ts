import { z } from 'zod/v4';
import { contactOutput } from '../../contacts/output';
import { simpleMessage } from '../../conversations/simplify';
import { contactApi } from '../../contract/contact';
import { contactLocator, sendingChannel } from '../../panel/locators';
import type { AnyItem } from '../../run/item';
import { defineOperation } from '../../run/operation';
import { isObject, toObject } from '../../transport/guards';
import { OBJECT_IN_TEXT } from '../../values/serializable';
import { findWithChannels, refuseOtherChannel } from './delivery/contactChannels';
import { checkIfSilent, heedSilence } from './delivery/silentContact';
import { askByLink, checkLink } from './question/askByLink';
import { askInChat, checkChatQuestion } from './question/chat/askInChat';
import { questionOptions, questionBody, questionFields } from './question/questionFields';
import { waitUntil } from './question/waitTime';

type Entered = z.output<typeof questionBody>;

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
	fields: [contactLocator, ...questionFields, sendingChannel, questionOptions],
	schema: { body: questionBody },
	output: contactOutput.omit({ success: true }).extend({
		data: z.object({
			answer: z.string().optional(),
			approved: z.boolean().optional(),
			text: z.string().optional(),
			choice: z.string().optional(),
			number: z.number().optional(),
			date: z.iso.date().optional(),
			email: z.string().optional(),
			phoneNumber: z.string().optional(),
			file: z.object({ binary: z.string(), fileName: z.string(), mimeType: z.string() }).optional(),
			understood: z.boolean().optional(),
			respondedAt: z.iso.datetime(),
		}),
		message: simpleMessage.optional(),
	}),

	normalize({ body: { limitWaitTime, ...body } }, item) {
		const { values } = toObject(limitWaitTime);
		const limit = toObject(values);
		const message = withToolParameters(body.message, item);
		return { body: { ...body, ...limit, message } };
	},

	validate(item) {
		const { body, run } = item;
		refuseSeveralItems(item);
		refuseNoChoices(body);
		waitUntil(item, body);
		checkIfSilent(item);
		if (run.isToolCall)
			throw new Error(
				'This agent cannot wait for an answer. Use version 3 or newer of the AI Agent node',
			);
		if (body.answer === 'chat') checkChatQuestion(item);
		else checkLink(item);
	},

	async run(item) {
		await heedSilence(item);
		await refuseOtherChannel(item, findWithChannels(item));
		if (item.body.answer === 'chat') return await askInChat(item);
		await askByLink(item);
		return [item.input.json];
	},
});

/**
 * Shows what an agent wants to do in the message of a human review. The message that n8n gives such
 * a step has only `[object Object]` there, so nobody would see what they approve.
 */
function withToolParameters(message: unknown, { run, input }: AnyItem) {
	const { toolParameters } = input.json;
	const { type } = run.context.getNode();
	const isReview = type.endsWith('HitlTool');
	if (!isReview) return message;
	if (typeof message !== 'string' || !isObject(toolParameters)) return message;
	const lines: string[] = [];
	for (const [name, value] of Object.entries(toolParameters)) {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		lines.push(`${name}: ${text}`);
	}
	const shown = lines.join('\n');
	// From a function, because `replaceAll` would read a $ in the text itself as a sign.
	return message.replaceAll(OBJECT_IN_TEXT, () => shown);
}

/** An execution can wait for one answer only. */
function refuseSeveralItems({ run }: AnyItem): void {
	if (run.items.length > 1)
		throw new Error(
			`This operation asks one contact at a time, but the input has ${run.items.length} items. Put a Loop Over Items node with a batch size of 1 before it, or call a sub-workflow for each contact to ask all of them at once`,
		);
}

/**
 * Throws an error if the contact could choose nothing. The choices of another response type do not
 * count.
 */
function refuseNoChoices({ responseType, choices = [] }: Entered): void {
	if (responseType === 'choices' && choices.length === 0)
		throw new Error('Choices must have at least one entry');
}
