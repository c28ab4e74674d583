import type { WorkflowFile } from '../../../scripts/n8n/client';
import { NODE_TYPE } from '../../../scripts/n8n/run';

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

/** Sends a message to each of the contacts that its webhook is called with. */
export const sendWorkflow = (path: string): WorkflowFile =>
	chain('Send', [
		{
			...node('Webhook', 'n8n-nodes-base.webhook', 2, {
				path,
				httpMethod: 'POST',
				responseMode: 'onReceived',
				options: {},
			}),
			webhookId: path,
		},
		node('Split Out', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.items', options: {} }),
		{
			...node('Send Message', NODE_TYPE, 1, {
				resource: 'message',
				operation: 'send',
				identifier: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				text: '=Hello {{ $json.id }}',
				options: { clientId: '={{ $json.clientId }}' },
			}),
			credentials: { workspaceMessagingApi: { id: '', name: '' } },
		},
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
