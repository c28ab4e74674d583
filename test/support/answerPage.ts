import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { webhook } from '../../nodes/WorkspaceMessaging/resources/contact/ask/webhook';
import type { Question } from '../../nodes/WorkspaceMessaging/resources/contact/ask/webhook';

/** A question that waits. */
const question: Question = {
	id: '4711',
	contact: { contact: 'id:1', contactId: '1' },
	message: 'May we ship on Friday?',
	form: { type: 'approval', approve: 'Yes', decline: 'No' },
	title: 'Your order',
	thankYou: 'Thank you.',
};

interface Request {
	method?: 'GET' | 'POST';
	link?: string;
	body?: unknown;
}

/** Opens the page of a question, or answers it, with the context that n8n gives a webhook; undefined is no question. */
export async function openPage(
	waiting: Partial<Question> | undefined,
	{ method = 'POST', link = '4711', body }: Request,
) {
	const response = { status: 0, headers: {} as Record<string, string>, html: '' };
	const httpResponse = {
		status: (code: number) => Object.assign(httpResponse, (response.status = code) && {}),
		set: (headers: Record<string, string>) => Object.assign(httpResponse, (response.headers = headers) && {}),
		send: (html: string) => (response.html = html),
	};
	const context = {
		getRequestObject: () => ({ method, query: { question: link } }),
		getResponseObject: () => httpResponse,
		getBodyData: () => body,
		getNode: () => ({ name: 'Ask' }),
		getNodeParameter: () => waiting && { ...question, ...waiting },
		helpers: { returnJsonArray: (items: IDataObject[]) => items.map((json) => ({ json })) },
	};
	const { workflowData, noWebhookResponse } = await webhook.call(context as unknown as IWebhookFunctions);
	return { ...response, output: workflowData?.[0][0].json, noWebhookResponse };
}
