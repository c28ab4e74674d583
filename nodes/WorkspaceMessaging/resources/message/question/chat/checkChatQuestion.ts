import * as n8nWorkflow from 'n8n-workflow';
import { counted } from '../../../../values/labels';
import { checkTextLength } from '../../delivery/sendText';
import { LINK, type QuestionItem } from '../questionFields';
import { waitUntil } from '../waitTime';
import type { ChatForm } from './chatQuestion';
import { makeForm, makeText, saysTheSame } from './understandAnswers';

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
	refuseWordsForBoth(makeForm(body));
	checkTextLength(makeText(body), 'its choices');
}

/** n8n counts the waiting towards the timeout of the workflow, and the answer would be lost. */
function refuseShorterTimeout(item: QuestionItem) {
	const { executionTimeout = -1 } = item.run.context.getWorkflowSettings();
	if (executionTimeout <= 0) return;
	const waitMs = waitUntil(item, item.body).getTime() - Date.now();
	if (waitMs <= executionTimeout * 1000) return;
	const minutes = counted(Math.round(executionTimeout / 60), 'minute');
	throw new Error(
		`This workflow ends after ${minutes}, before the wait is over. Shorten the wait, or turn off Timeout Workflow in the settings of the workflow`,
	);
}

function refuseWordsForBoth(form: ChatForm) {
	if (form.type !== 'approval') return;
	const { yes, no } = form;
	const both = yes.find((word) => no.some((other) => saysTheSame(word, other)));
	if (both === undefined) return;
	throw new Error(`"${both}" stands for yes and for no. Remove it from one of them`);
}
