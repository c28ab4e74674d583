import { RoutingNode, SupplyDataContext } from 'n8n-core';
import { createRunExecutionData } from 'n8n-workflow';
import type { IDataObject, IExecuteData, INodeParameters } from 'n8n-workflow';
import { NODE_NAME, additionalDataOf, compiledNode, workflowOf } from '../support/engine/engine';
import { testWorkspace } from '../support/engine/workspace';

/*
 * n8n gives every call of an agent's tool the execute data of the agent: one object for all calls, each of which is
 * item 0 of its own.
 */
async function toolOf(options: INodeParameters = {}) {
	const { workspace } = await testWorkspace({ contacts: 2 });
	const { contacts } = await workspace.state();
	await workspace.clearJournal();
	const workflow = workflowOf({
		parameters: {
			resource: 'contact',
			operation: 'sendMessage',
			identifier: { __rl: true, mode: 'id', value: '={{ $json.to }}' },
			text: '={{ $json.text }}',
			options,
		},
	});
	const credential = { baseUrl: workspace.url, accessToken: workspace.token };
	const additionalData = additionalDataOf(credential, '77', Object.values(workflow.nodes));
	const agentsData = {
		node: { name: 'Agent' },
		data: { main: [[{ json: {} }]] },
		source: null,
	} as unknown as IExecuteData;
	let calls = 0;
	const call = async (json: IDataObject) => {
		const context = new SupplyDataContext(
			workflow,
			workflow.getNode(NODE_NAME)!,
			additionalData,
			'manual',
			createRunExecutionData(),
			calls++,
			[{ json }],
			{ ai_tool: [[{ json }]] },
			'ai_tool',
			agentsData,
			[],
			new AbortController().signal,
			undefined,
		);
		return await new RoutingNode(context as never, compiledNode).runNode();
	};
	const delivered = async () =>
		(await workspace.journal()).messages.map(({ contactId, text }) => [contactId, text]);
	return { call, delivered, ids: contacts.map(({ id }) => id) };
}

test('two messages of one agent to one contact are both delivered', async () => {
	const { call, delivered, ids } = await toolOf();
	await call({ to: ids[0], text: 'first' });
	await call({ to: ids[0], text: 'second' });
	expect(await delivered()).toEqual([
		[ids[0], 'first'],
		[ids[0], 'second'],
	]);
});

test('calls of one agent at the same time do not mix', async () => {
	const { call, delivered, ids } = await toolOf();
	await Promise.all([call({ to: ids[0], text: 'for A' }), call({ to: ids[1], text: 'for B' })]);
	expect((await delivered()).sort()).toEqual(
		[
			[ids[0], 'for A'],
			[ids[1], 'for B'],
		].sort(),
	);
});

test('a call that is made again with the same Client ID is not refused, and nothing is delivered twice', async () => {
	const { call, delivered, ids } = await toolOf({ clientId: '7' });
	const [first] = (await call({ to: ids[0], text: 'hello' })) ?? [];
	const [second] = (await call({ to: ids[0], text: 'hello' })) ?? [];
	expect(second).toEqual(first);
	expect(await delivered()).toEqual([[ids[0], 'hello']]);
});
