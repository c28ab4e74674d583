import { WebhookContext } from 'n8n-core';
import { createRunExecutionData, NodeHelpers, Workflow } from 'n8n-workflow';
import type { IDataObject, INode, INodeTypes, IRunExecutionData } from 'n8n-workflow';
import type { Question } from '../../../nodes/WorkspaceMessaging/resources/message/question/webhook';
import { additionalDataOf, compiledNode, NODE_NAME } from './engine';
import type { RunResult } from './engine';

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
	body?: unknown;
}

/**
 * What somebody who opens a link sees, and what the workflow continues with; no output if it goes
 * on waiting.
 */
interface Page {
	status: number;
	headers: Record<string, string>;
	html: string;
	output?: IDataObject;
	/** Whether n8n sends the page, once it has accepted the answer; n8n 1 sends it before. */
	isSentByN8n: boolean;
	/** What the node wrote into n8n's log. */
	log: string[];
}

const workflowWith = (node: INode) =>
	new Workflow({
		id: 'test',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: { getByNameAndVersion: () => compiledNode } as unknown as INodeTypes,
	});

/** Calls the compiled node as n8n calls it for a link, with the data of an execution that waits. */
async function open(
	data: IRunExecutionData,
	name: string,
	linkQuestion: string | null,
	{ method = 'POST', body }: Request,
): Promise<Page> {
	const node: INode = {
		id: 'ours',
		name,
		type: 'ours',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const page: Page = { status: 200, headers: {}, html: '', isSentByN8n: false, log: [] };
	const httpResponse = {
		status: (code: number) => Object.assign(httpResponse, (page.status = code) && {}),
		set: (headers: Record<string, string>) =>
			Object.assign(httpResponse, (page.headers = headers) && {}),
		send: (html: string) => (page.html = html),
	};
	const httpRequest = { method, query: { question: linkQuestion }, body, headers: {}, params: {} };
	const additionalData = {
		...additionalDataOf({ baseUrl: '', accessToken: '' }),
		httpRequest,
		httpResponse,
	};
	const webhookData = { webhookDescription: compiledNode.description.webhooks![0] };
	const context = new WebhookContext(
		workflowWith(node),
		node,
		additionalData as never,
		'manual',
		webhookData as never,
		[],
		data,
	);
	Object.defineProperty(context, 'logger', {
		value: { error: (text: string) => page.log.push(text) },
	});
	const { workflowData, noWebhookResponse, webhookResponse } =
		await compiledNode.webhook!.call(context);
	page.isSentByN8n = !noWebhookResponse;
	if (page.isSentByN8n) page.html = String(webhookResponse);
	return { ...page, output: workflowData?.[0][0].json };
}

/** Opens the page of a question, or answers it; undefined is no question. */
export async function openPage(
	waiting: Partial<Question> | undefined,
	{ link = '4711', name = 'Ask', ...request }: Request & { link?: string; name?: string },
): Promise<Page> {
	const data = createRunExecutionData({ executionData: { contextData: {} } } as never);
	if (waiting)
		NodeHelpers.getContext(data, 'node', { name } as INode).question = { ...question, ...waiting };
	return await open(data, name, link, request);
}

/** Opens a link from a message, or answers it, while the execution of this run waits. */
export async function openLink({ run }: RunResult, link: string, request: Request): Promise<Page> {
	return await open(run.data, NODE_NAME, new URL(link).searchParams.get('question'), request);
}
