import { WAIT_INDEFINITELY } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { momentOf } from '../../contacts/conditions/dates';
import { contactApi } from '../../contract/contact';
import { limits } from '../../contract/limits';
import type { AnyItem, Item } from '../../execution/item';
import { defineOperation } from '../../execution/operation';
import { isObject, isPrivateHost } from '../../transport/guards';
import { contactLocator, sendingChannel } from '../shared/locators';
import { LINK, pageOptions, questionBody, questionFields, waitFields } from './ask/fields';
import { QUESTION_PARAMETER, rememberQuestion } from './ask/webhook';
import type { AnswerForm } from './ask/webhook';
import { contactOutput, describeContact } from './shared/contactOutput';
import { hintAtSilence } from './shared/silence';

type Entered = z.output<typeof questionBody>;

/** What an expression makes of an object inside a text. */
const UNREADABLE = '[object Object]';

const timeUnits = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** Sends a question with a link to an answer page, and lets the execution wait for the answer; see `ask/webhook.ts`. */
export const sendAndWait = defineOperation({
	name: 'Send and Wait for Response',
	value: 'sendAndWait',
	action: 'Send message to contact and wait for response',
	description: 'Ask a contact a question by a link in the message, and wait for the answer',
	endpoint: contactApi.sendMessage,
	fields: [contactLocator, ...questionFields, sendingChannel, ...waitFields, pageOptions],
	schema: { body: questionBody },
	output: contactOutput.omit({ success: true }).extend({
		data: z.object({
			approved: z.boolean().optional(),
			text: z.string().optional(),
			choice: z.string().optional(),
			respondedAt: z.iso.datetime(),
		}),
	}),

	normalize: ({ body }, item) => ({ body: { ...body, message: withToolParameters(body.message, item) } }),

	validate(item) {
		refuseSeveralItems(item);
		if (item.body.message.includes(UNREADABLE))
			throw new Error(`Message contains ${UNREADABLE}. Point the expression at one of its fields.`);
		waitUntil(item, item.body);
		const { length } = withLink(item.body.message, linkOf(item));
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
		const link = linkOf(item);
		rememberQuestion(context, {
			id: questionId(item),
			contact: describeContact(item),
			message: message.replaceAll(LINK, '').trim(),
			form: answerForm(item.body),
			title: pageTitle,
			thankYou: thankYouText,
		});
		hintAtSilence(item, inboxId);
		hintAtPrivateAddress(item, new URL(link));
		const body = {
			text: withLink(message, link),
			clientId: item.clientId(0),
			...(inboxId !== undefined && { inboxId }),
		};
		// If this throws, the execution does not wait: nobody may have got the question.
		await item.request(contactApi.sendMessage, { params: { identifier }, body });
		await context.putExecutionToWait(waitUntil(item, item.body));
		return [item.input.json];
	},
});

/**
 * Shows what an agent wants to do in the message of a human review. The message that n8n gives such a step has only
 * `[object Object]` there, so nobody would see what they approve.
 */
function withToolParameters(message: IDataObject['message'], { run, input: { json } }: AnyItem) {
	const { toolParameters } = json;
	const isReview = run.context.getNode().type.endsWith('HitlTool');
	if (!isReview || typeof message !== 'string' || !isObject(toolParameters)) return message;
	const lines = Object.entries(toolParameters).map(
		([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
	);
	return message.replaceAll(UNREADABLE, () => lines.join('\n'));
}

/** An execution can wait for one answer only. */
function refuseSeveralItems({ run }: AnyItem): void {
	if (run.items.length > 1)
		throw new Error(
			`This operation asks one contact at a time, but the input has ${run.items.length} items. Put a Loop Over Items node with a batch size of 1 before it, or call a sub-workflow for each contact to ask all of them at once`,
		);
}

/** Identifies the question. It is the same if n8n retries the node, so that the service can deduplicate the message. */
const questionId = (item: Pick<Item, 'clientId'>) => item.clientId(0);

/** Returns the signed link to the answer page. Throws a sentence if this n8n or this agent cannot wait. */
function linkOf(item: AnyItem): string {
	const { context, isToolCall } = item.run;
	if (isToolCall)
		throw new Error('This agent cannot wait for an answer. Use version 3 or newer of the AI Agent node');
	if (!('getSignedResumeUrl' in context))
		throw new Error('This version of n8n cannot wait for an answer. Use n8n 1.108 or newer');
	// n8n 1 verifies the signature only if the node asks for it; n8n 2 always does and lacks the function.
	const { setSignatureValidationRequired } = context as { setSignatureValidationRequired?: () => void };
	setSignatureValidationRequired?.call(context);
	return context.getSignedResumeUrl({ [QUESTION_PARAMETER]: questionId(item) });
}

function withLink(text: string, link: string): string {
	return text.includes(LINK) ? text.replaceAll(LINK, link) : `${text}\n\n${link}`;
}

/** Returns what the contact can answer. */
function answerForm({ responseType: type, approvalOptions, buttonLabel, choices = [] }: Entered): AnswerForm {
	const { approvalType, approveLabel, declineLabel } = approvalOptions.values;
	switch (type) {
		case 'approval':
			return { type, approve: approveLabel, ...(approvalType === 'double' && { decline: declineLabel }) };
		case 'freeText':
			return { type, button: buttonLabel };
		case 'choices':
			return { type, choices };
	}
}

/** Returns until when the execution waits. Throws a sentence if that is no time, or a past one. */
function waitUntil({ run }: AnyItem, entered: Entered): Date {
	const { limitWaitTime, limitType, resumeAmount, resumeUnit, maxDateAndTime } = entered;
	if (!limitWaitTime) return WAIT_INDEFINITELY;
	if (limitType === 'afterTimeInterval') return new Date(Date.now() + resumeAmount * timeUnits[resumeUnit]);
	const moment = momentOf(maxDateAndTime, run.context.getTimezone());
	if (moment === undefined) throw new Error(`Wait Until must be a date and time, but is "${maxDateAndTime}"`);
	if (moment <= Date.now()) throw new Error(`Wait Until must be in the future, but is "${maxDateAndTime}"`);
	return new Date(moment);
}

function hintAtPrivateAddress(item: Pick<Item, 'hint'>, { hostname, origin }: URL): void {
	if (isPrivateHost(hostname))
		item.hint(
			`The contact cannot open ${origin}, because it is an address inside your network. Set N8N_WEBHOOK_URL to the public address of n8n.`,
		);
}
