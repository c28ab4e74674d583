import type {
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	IWorkflowBase,
} from 'n8n-workflow';
import type { AnyItem } from '../../../../run/item';
import { toObject } from '../../../../transport/guards';
import type { ChatQuestion } from './chatQuestion';

/** The operation that looks for an answer. */
export const CHECK_ANSWER = 'checkAnswer';

const START = makeNode('Start', 0, {
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
});

/**
 * Ends the looks as soon as the question is over. It also runs before the first look: if n8n is
 * killed while a node runs for the first time, it ends the workflow with an error when it starts
 * again.
 */
const IS_OVER = makeNode('Is Over', 1, {
	type: 'n8n-nodes-base.if',
	typeVersion: 2.2,
	parameters: {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			conditions: [
				{
					id: 'isTrue',
					leftValue: '={{ $("Check").context.isOver === true }}',
					rightValue: '',
					operator: { type: 'boolean', operation: 'true', singleValue: true },
				},
			],
			combinator: 'and',
		},
	},
});

function makeNode(
	name: string,
	column: number,
	rest: Omit<INode, 'id' | 'name' | 'position'>,
): INode {
	return { id: name, name, position: [column * 200, 0], ...rest };
}

/**
 * Starts the workflow that waits for the answer in place of the node: it looks, waits, and looks again
 * until the question is over. n8n returns its last item as the output of the node.
 *
 * @param input what it returns if nobody answers
 * @param options who waits for it
 */
export async function startWaiting(
	item: AnyItem,
	question: ChatQuestion,
	input: INodeExecutionData,
	options: Parameters<IExecuteFunctions['executeWorkflow']>[3],
) {
	const code = makeWaitingWorkflow(item, question);
	return await item.run.context.executeWorkflow({ code }, [input], undefined, options);
}

/** Executions are saved: n8n would delete others before it has handed over the result. */
function makeWaitingWorkflow(item: AnyItem, question: ChatQuestion): IWorkflowBase {
	const { context } = item.run;
	const { id, name = 'Workflow' } = context.getWorkflow();
	const now = new Date();
	return {
		id: id!,
		name: `${name}: wait for an answer in the chat`,
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: now,
		updatedAt: now,
		nodes: [START, IS_OVER, makeCheck(item, question)],
		connections: {
			Start: { main: [to('Is Over')] },
			'Is Over': { main: [[], to('Check')] },
			Check: { main: [to('Is Over')] },
		},
		settings: {
			executionOrder: 'v1',
			timezone: context.getTimezone(),
			saveDataSuccessExecution: 'all',
			saveDataErrorExecution: 'all',
			callerPolicy: 'workflowsFromSameOwner',
			executionTimeout: -1,
		},
	};
}

const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];

/** Makes the node that looks once, with the settings of the node that asks. */
function makeCheck({ run: { context } }: AnyItem, question: ChatQuestion): INode {
	const { type, typeVersion, credentials } = context.getNode();
	const entered = context.getNodeParameter('requestOptions', 0, {});
	const parameters = {
		resource: 'message',
		operation: CHECK_ANSWER,
		question: JSON.stringify(question),
		requestOptions: toObject(entered) as INodeParameters,
	};
	return makeNode('Check', 2, { type, typeVersion, credentials, parameters });
}
