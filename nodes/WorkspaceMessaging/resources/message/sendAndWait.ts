import { WAIT_INDEFINITELY } from 'n8n-workflow';
import { z } from 'zod/v4';
import { readMoment, unitMs } from '../../values/dates';
import { contactApi } from '../../contract/contact';
import { limits } from '../../contract/limits';
import type { AnyItem, Item } from '../../run/item';
import { defineOperation } from '../../run/operation';
import { isObject } from '../../transport/guards';
import { isPrivateHost } from '../../transport/hosts';
import { contactLocator, sendingChannel } from '../../panel/locators';
import {
	LINK,
	questionOptions,
	questionBody,
	questionFields,
	waitFields,
} from './question/questionFields';
import { QUESTION_PARAMETER, rememberQuestion, type AnswerForm } from './question/webhook';
import { contactOutput, describeContact } from '../../contacts/output';
import {
	explainOtherChannel,
	findWithChannels,
	refuseOtherChannel,
} from './delivery/contactChannels';
import { checkIfSilent, heedSilence } from './delivery/silentContact';

type Entered = z.output<typeof questionBody>;

/** What an expression makes of an object inside a text. */
const UNREADABLE = '[object Object]';

const LONGEST_WAIT_MS = 1000 * 365 * unitMs.days;

/**
 * Sends a question with a link to an answer page, and lets the execution wait for the answer; see
 * `question/webhook.ts`.
 */
export const sendAndWait = defineOperation({
	name: 'Send and Wait for Response',
	value: 'sendAndWait',
	action: 'Send message and wait for response',
	subtitle: 'Send message and wait',
	description: 'Send a contact a question with a link to an answer page, and wait for the answer',
	endpoint: contactApi.sendMessage,
	fields: [contactLocator, ...questionFields, sendingChannel, ...waitFields, questionOptions],
	schema: { body: questionBody },
	output: contactOutput.omit({ success: true }).extend({
		data: z.object({
			approved: z.boolean().optional(),
			text: z.string().optional(),
			choice: z.string().optional(),
			respondedAt: z.iso.datetime(),
		}),
	}),

	normalize: ({ body }, item) => ({
		body: { ...body, message: withToolParameters(body.message, item) },
	}),

	validate(item) {
		refuseSeveralItems(item);
		if (item.body.message.includes(UNREADABLE))
			throw new Error(`Message contains ${UNREADABLE}. Point the expression at one of its fields.`);
		refuseNoChoices(item.body);
		waitUntil(item, item.body);
		checkIfSilent(item);
		const { length } = withLink(item.body.message, signLink(item));
		const max = limits.text.max;
		if (length > max)
			throw new Error(
				`Message must have at most ${max.toLocaleString('en-US')} characters with its link, but has ${length.toLocaleString('en-US')}`,
			);
	},

	async run(item) {
		const { context } = item.run;
		const { message, inboxId, pageTitle, thankYouText } = item.body;
		const { identifier } = item.params;
		await heedSilence(item);
		await refuseOtherChannel(item, findWithChannels(item));
		const link = signLink(item);
		const until = waitUntil(item, item.body);
		rememberQuestion(context, {
			id: questionId(item),
			contact: describeContact(item),
			message: message.replaceAll(LINK, '').trim(),
			form: answerForm(item.body),
			title: pageTitle,
			thankYou: thankYouText,
		});
		hintAtPrivateAddress(item, new URL(link));
		const body = {
			text: withLink(message, link),
			clientId: item.clientId(0),
			...(inboxId !== undefined && { inboxId }),
		};
		// If this throws, the execution does not wait: nobody may have got the question.
		await item
			.request(contactApi.sendMessage, { params: { identifier }, body })
			.catch(explainOtherChannel(item, inboxId));
		await context.putExecutionToWait(until);
		return [item.input.json];
	},
});

/**
 * Shows what an agent wants to do in the message of a human review. The message that n8n gives such
 * a step has only `[object Object]` there, so nobody would see what they approve.
 */
function withToolParameters(message: unknown, { run, input: { json } }: AnyItem) {
	const { toolParameters } = json;
	const isReview = run.context.getNode().type.endsWith('HitlTool');
	if (!isReview || typeof message !== 'string' || !isObject(toolParameters)) return message;
	const lines = Object.entries(toolParameters).map(([name, value]) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return `${name}: ${text}`;
	});
	return message.replaceAll(UNREADABLE, () => lines.join('\n'));
}

/** An execution can wait for one answer only. */
function refuseSeveralItems({ run }: AnyItem): void {
	if (run.items.length > 1)
		throw new Error(
			`This operation asks one contact at a time, but the input has ${run.items.length} items. Put a Loop Over Items node with a batch size of 1 before it, or call a sub-workflow for each contact to ask all of them at once`,
		);
}

/**
 * Identifies the question. It is the same if n8n retries the node, so that the service can
 * deduplicate the message.
 */
const questionId = (item: Pick<Item, 'clientId'>) => item.clientId(0);

/**
 * Returns the signed link to the answer page. Throws a sentence if this n8n or this agent cannot
 * wait.
 */
function signLink(item: AnyItem): string {
	const { context, isToolCall } = item.run;
	if (isToolCall)
		throw new Error(
			'This agent cannot wait for an answer. Use version 3 or newer of the AI Agent node',
		);
	if (!('getSignedResumeUrl' in context))
		throw new Error('This version of n8n cannot wait for an answer. Use n8n 1.108 or newer');
	// n8n 1 verifies the signature only if the node asks for it; n8n 2 always does and lacks the
	// function.
	const { setSignatureValidationRequired } = context as {
		setSignatureValidationRequired?: () => void;
	};
	setSignatureValidationRequired?.call(context);
	return context.getSignedResumeUrl({ [QUESTION_PARAMETER]: questionId(item) });
}

function withLink(text: string, link: string): string {
	if (text.includes(LINK)) return text.replaceAll(LINK, link);
	return `${text}\n\n${link}`;
}

/**
 * Throws an error if the page would have no button. The choices of another response type do not
 * count.
 */
function refuseNoChoices({ responseType, choices = [] }: Entered): void {
	if (responseType === 'choices' && choices.length === 0)
		throw new Error('Choices must have at least one entry');
}

/** Returns what the contact can answer. */
function answerForm({
	responseType: type,
	approvalOptions,
	buttonLabel,
	choices = [],
}: Entered): AnswerForm {
	const { approvalType, approveLabel, declineLabel } = approvalOptions.values;
	switch (type) {
		case 'approval':
			return {
				type,
				approve: approveLabel,
				...(approvalType === 'double' && { decline: declineLabel }),
			};
		case 'freeText':
			return { type, button: buttonLabel };
		case 'choices':
			return { type, choices };
	}
}

/**
 * Returns until when the execution waits. Throws a sentence if that is no time, a past one, or too
 * far away.
 */
function waitUntil({ run }: AnyItem, entered: Entered): Date {
	const { limitWaitTime, limitType, resumeAmount, resumeUnit, maxDateAndTime } = entered;
	if (!limitWaitTime) return WAIT_INDEFINITELY;
	let moment = Date.now() + resumeAmount * unitMs[resumeUnit];
	if (limitType === 'atSpecifiedTime')
		moment = readFutureMoment(maxDateAndTime, run.context.getTimezone());
	if (moment - Date.now() > LONGEST_WAIT_MS)
		throw new Error(
			'The wait must end within 1,000 years. To wait without an end, turn off Limit Wait Time',
		);
	return new Date(moment);
}

function readFutureMoment(text: string, timezone: string): number {
	const moment = readMoment(text, timezone);
	if (moment === undefined) throw new Error(`Wait Until must be a date and time, but is "${text}"`);
	if (moment <= Date.now()) throw new Error(`Wait Until must be in the future, but is "${text}"`);
	return moment;
}

function hintAtPrivateAddress(item: Pick<Item, 'hint'>, { hostname, origin }: URL): void {
	if (isPrivateHost(hostname))
		item.hint(
			`The contact cannot open ${origin}, because it is an address inside your network. Set N8N_WEBHOOK_URL to the public address of n8n.`,
		);
}
