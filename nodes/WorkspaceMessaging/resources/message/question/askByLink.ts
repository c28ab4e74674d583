import { describeContact } from '../../../contacts/output';
import type { Item } from '../../../run/item';
import { isPrivateHost } from '../../../transport/hosts';
import { checkTextLength, sendText } from '../delivery/sendText';
import { LINK, type EnteredQuestion, type QuestionItem } from './questionFields';
import { waitUntil } from './waitTime';
import { QUESTION_PARAMETER, rememberQuestion, type AnswerForm } from './webhook';

/* A question with a link to an answer page; see `webhook.ts` for the page. */

/** Throws a sentence if the message is too long with its link, or if this n8n cannot wait. */
export function checkLink(item: QuestionItem): void {
	const text = withLink(item.body.message, signLink(item));
	checkTextLength(text, 'its link');
}

/** Sends the question, and lets the execution wait until somebody answers on the page. */
export async function askByLink(item: QuestionItem): Promise<void> {
	const { context } = item.run;
	const { message, pageTitle, thankYouText } = item.body;
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
	// If this throws, the execution does not wait: nobody may have got the question.
	await sendText(item, withLink(message, link));
	await context.putExecutionToWait(until);
}

/**
 * Identifies the question. It is the same if n8n retries the node, so that the service can
 * deduplicate the message.
 */
const questionId = (item: Pick<Item, 'clientId'>) => item.clientId(0);

/** Returns the signed link to the answer page. Throws a sentence if this n8n cannot wait. */
function signLink(item: QuestionItem) {
	const { context } = item.run;
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

function withLink(text: string, link: string) {
	if (text.includes(LINK)) return text.replaceAll(LINK, link);
	return `${text}\n\n${link}`;
}

/** Returns what the contact can answer. */
function answerForm({
	responseType: type,
	approvalOptions,
	buttonLabel,
	choices = [],
}: EnteredQuestion): AnswerForm {
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

function hintAtPrivateAddress(item: Pick<Item, 'hint'>, { hostname, origin }: URL) {
	if (isPrivateHost(hostname))
		item.hint(
			`The contact cannot open ${origin}, because it is an address inside your network. Set N8N_WEBHOOK_URL to the public address of n8n.`,
		);
}
