import { PollContext, TriggersAndPollers } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type { INode, INodeExecutionData, INodeTypes, IPollFunctions } from 'n8n-workflow';
import { keepMemoryWithItems, loadMemory } from '../../../nodes/WorkspaceMessaging/trigger/memory';
import { additionalDataOf } from '../../support/engine/engine';
import { executorOf } from '../../support/engine/triggerProcess';

/*
 * What the trigger relies on in n8n: n8n passes the items of a poll to `__emit` of the poll's
 * context, and looks that function up only then. If an n8n stops doing so, the trigger keeps no
 * memory, and each poll repeats its events.
 */

const SUBJECT = 'what the trigger watches';

const node: INode = {
	id: '1',
	name: 'Trigger',
	type: 'trigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Runs one poll that finds an event in n8n's own classes. */
async function pollOnce() {
	const trigger = {
		description: { properties: [] },
		async poll(this: IPollFunctions) {
			await Promise.resolve();
			keepMemoryWithItems(this, SUBJECT, { newest: 1 }, () => false);
			return [[{ json: { id: 1 } }]];
		},
	};
	const workflow = new Workflow({
		id: '1',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: {
			getByName: () => trigger,
			getByNameAndVersion: () => trigger,
			getKnownTypes: () => ({}),
		} as unknown as INodeTypes,
	});
	const credential = { baseUrl: 'http://localhost', accessToken: '' };
	const memories: unknown[] = [];
	const executions: INodeExecutionData[][] = [];
	const context: PollContext = new PollContext(
		workflow,
		node,
		additionalDataOf(credential, 'poll', [node]) as never,
		'trigger',
		'update',
		([items]: INodeExecutionData[][]) => {
			memories.push(loadMemory(context, SUBJECT));
			executions.push(items);
		},
	);
	const poll = executorOf(new TriggersAndPollers()).create(workflow, node, context, () => true);
	await poll();
	return { executions, memories, memory: loadMemory(context, SUBJECT) };
}

test('n8n calls the __emit that a poll has put into its context; otherwise no memory would be kept, and every poll would repeat its events', async () => {
	expect(await pollOnce()).toEqual({
		executions: [[{ json: { id: 1 } }]],
		memories: [{ newest: 1 }],
		memory: { newest: 1 },
	});
});
