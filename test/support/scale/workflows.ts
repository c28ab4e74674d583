import type { WorkflowFile } from '../../../scripts/n8n/client';
import { NODE_TYPE } from '../../../scripts/n8n/run';
import { everyTenSeconds } from '../n8n/messages';

type Node = WorkflowFile['nodes'][number];

const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: Node['parameters'],
): Node => ({
	id: name,
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters,
});

const chain = (name: string, nodes: Node[]): WorkflowFile => ({
	name,
	nodes,
	connections: Object.fromEntries(
		nodes
			.slice(0, -1)
			.map((from, index) => [
				from.name,
				{ main: [[{ node: nodes[index + 1].name, type: 'main', index: 0 }]] },
			]),
	),
	settings: { executionOrder: 'v1' },
});

/** Starts when its webhook is called, and answers at once. */
const webhookNode = (path: string): Node => ({
	...node('Webhook', 'n8n-nodes-base.webhook', 2, {
		path,
		httpMethod: 'POST',
		responseMode: 'onReceived',
		options: {},
	}),
	webhookId: path,
});

const ourNode = (name: string, parameters: Node['parameters']): Node => ({
	...node(name, NODE_TYPE, 1, { resource: 'message', ...parameters }),
	credentials: { workspaceMessagingApi: { id: '', name: '' } },
});

/** Sends a message to each of the contacts that its webhook is called with. */
export const sendWorkflow = (path: string): WorkflowFile =>
	chain('Send', [
		webhookNode(path),
		node('Split Out', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.items', options: {} }),
		ourNode('Send Message', {
			operation: 'send',
			identifier: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			text: '=Hello {{ $json.id }}',
			options: { clientId: '={{ $json.clientId }}' },
		}),
	]);

/** Asks the contact that its webhook is called with, and answers with what the contact types. */
export const askWorkflow = (path: string): WorkflowFile =>
	chain('Ask', [
		webhookNode(path),
		ourNode('Ask', {
			operation: 'sendAndWait',
			identifier: { __rl: true, mode: 'id', value: '={{ $json.body.id }}' },
			message: 'Which size?',
			answer: 'chat',
			responseType: 'freeText',
		}),
		ourNode('Send Message', {
			operation: 'send',
			identifier: { __rl: true, mode: 'id', value: '={{ $("Webhook").item.json.body.id }}' },
			text: '=Noted: {{ $json.data.text }}',
		}),
	]);

const answerNode = ourNode('Send Message', {
	operation: 'send',
	identifier: { __rl: true, mode: 'id', value: '={{ $json.contact.id }}' },
	text: '=Heard: {{ $json.text }}',
});

/** Answers each contact who writes; it polls every ten seconds. */
export const answerWorkflow = (options: Node['parameters']): WorkflowFile =>
	chain('Answer', [
		{
			...node('Message Received', `${NODE_TYPE}Trigger`, 1, {
				event: 'messageReceived',
				pollTimes: { item: everyTenSeconds },
				options,
			}),
			credentials: { workspaceMessagingApi: { id: '', name: '' } },
		},
		answerNode,
	]);

/** Answers each contact about whom the service calls with the name of an event. */
export const answerAtOnceWorkflow = (
	eventName: string,
	options: Node['parameters'],
): WorkflowFile =>
	chain('Answer at Once', [
		{
			...node('Message Received', `${NODE_TYPE}InstantTrigger`, 1, {
				event: 'messageReceivedAtOnce',
				eventName,
				options,
			}),
			webhookId: eventName,
			credentials: { workspaceMessagingApi: { id: '', name: '' } },
		},
		answerNode,
	]);

/** Hands a long list to that workflow in batches, each of which any worker may take. */
export const splitWorkflow = (webhook: string, batches: unknown[][]): WorkflowFile =>
	chain('Split', [
		node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		node('List', 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: JSON.stringify({ batches: batches.map((items) => ({ items })) }),
			options: {},
		}),
		node('Batches', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'batches', options: {} }),
		node('Hand Over', 'n8n-nodes-base.httpRequest', 4.2, {
			method: 'POST',
			url: webhook,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify($json) }}',
			options: {},
		}),
	]);
