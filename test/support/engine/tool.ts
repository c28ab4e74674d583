import { RoutingNode, SupplyDataContext } from 'n8n-core';
import { createRunExecutionData, deepCopy } from 'n8n-workflow';
import type { IDataObject, IExecuteData, INode, INodeParameters, INodeType } from 'n8n-workflow';
import type { SandboxWorkspace } from '../../../sandbox/client';
import { NODE_NAME, additionalDataOf, compiledNode, workflowOf } from './engine';
import type { OtherNode } from './engine';

/** The node as a tool, as n8n makes it: the same description under another name. */
export const toolNode: INodeType = Object.create(compiledNode, {
	description: {
		value: { ...deepCopy(compiledNode.description), name: `${compiledNode.description.name}Tool` },
	},
}) as INodeType;

/**
 * The tool in the form in which n8n runs it for an agent of version 3: as a node of the workflow.
 */
export const TOOL: OtherNode = {
	name: 'n8n-nodes-workspace-messaging.workspaceMessagingTool',
	type: toolNode,
};

/*
 * n8n passes the execute data of the agent to every call of a tool: one object for all calls. Each
 * call has its own item 0.
 */
const agentsData = {
	node: { name: 'Agent' },
	data: { main: [[{ json: {} }]] },
	source: null,
} as unknown as IExecuteData;

/**
 * The node as a tool of an agent that calls its tools itself.
 *
 * @returns calls it: with the agent's arguments, which the parameters' expressions find in `$json`
 */
export function toolOf(
	workspace: SandboxWorkspace,
	parameters: INodeParameters,
	onError?: INode['onError'],
): (json?: IDataObject) => Promise<IDataObject[]> {
	const workflow = workflowOf({ parameters, onError, node: TOOL });
	const credential = { baseUrl: workspace.url, accessToken: workspace.token };
	const additionalData = additionalDataOf(credential, '77', Object.values(workflow.nodes));
	let calls = 0;
	return async (json = {}) => {
		const context = new SupplyDataContext(
			workflow,
			workflow.getNode(NODE_NAME)!,
			additionalData,
			'trigger',
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
		const [outputs] = (await new RoutingNode(context as never, toolNode).runNode()) ?? [];
		return (outputs ?? []).map((output) => output.json);
	};
}
