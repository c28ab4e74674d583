import type { IDataObject, IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { LONGEST_ANSWER, notePage, pageHeaders, questionPage, thanksPage } from './page';
import { QUESTION_PARAMETER, waitingQuestion } from './question';
import type { AnswerForm } from './question';

const waitingWebhook: IWebhookDescription = {
	name: 'default',
	httpMethod: 'GET',
	responseMode: 'onReceived',
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
};

/** The addresses that a waiting execution answers at; the link in the message leads there. */
export const waitingWebhooks: IWebhookDescription[] = [
	waitingWebhook,
	{ ...waitingWebhook, httpMethod: 'POST' },
];

/**
 * Answers who opens the link of a question: GET shows the question, because chat apps open links for previews; POST decides,
 * and the workflow goes on with the answer. n8n has checked the link's signature before. A link of an earlier question of
 * the same execution decides nothing.
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = this.getRequestObject();
	const send = (status: number, html: string): IWebhookResponseData => {
		this.getResponseObject().status(status).set(pageHeaders).send(html);
		return { noWebhookResponse: true };
	};
	const question = waitingQuestion(this);
	if (!question || request.query[QUESTION_PARAMETER] !== question.id)
		return send(410, notePage('This link belongs to an earlier question.'));
	if (request.method !== 'POST') return send(200, questionPage(question));

	const answer = readAnswer(question.form, this.getBodyData());
	if (typeof answer === 'string') return send(400, questionPage(question, answer));
	const data = { ...answer, respondedAt: new Date().toISOString() };
	return {
		...send(200, thanksPage(question)),
		workflowData: [this.helpers.returnJsonArray([{ ...question.contact, data }])],
	};
}

/** Returns the answer that a form holds, or a sentence about what is wrong with it. */
function readAnswer(form: AnswerForm, body: unknown): IDataObject | string {
	const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
	switch (form.type) {
		case 'approval': {
			const values = form.decline === undefined ? ['true'] : ['true', 'false'];
			const value = String(fields.approved);
			return values.includes(value) ? { approved: value === 'true' } : 'Choose an answer.';
		}
		case 'choices': {
			const choice = /^\d{1,3}$/.test(String(fields.choice))
				? form.choices[Number(fields.choice)]
				: undefined;
			return choice === undefined ? 'Choose an answer.' : { choice };
		}
		case 'freeText': {
			const text = typeof fields.text === 'string' ? fields.text.replace(/\r\n/g, '\n').trim() : '';
			if (text === '') return 'Enter an answer.';
			return text.length > LONGEST_ANSWER ? `Enter at most ${LONGEST_ANSWER} characters.` : { text };
		}
	}
}
