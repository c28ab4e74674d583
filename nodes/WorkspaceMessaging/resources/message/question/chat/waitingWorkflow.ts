import type { INode, INodeParameters, IWorkflowBase } from 'n8n-workflow';
import type { AnyItem } from '../../../../run/item';
import { toObject } from '../../../../transport/guards';

const START: INode = {
	...placeNode('Start', 0),
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

/**
 * Ends the looks as soon as the question is over. It also runs before the first look: if n8n is
 * killed while a node runs for the first time, it ends the workflow with an error when it starts
 * again.
 */
const IS_OVER: INode = {
	...placeNode('Is Over', 1),
	type: 'n8n-nodes-base.if',
	typeVersion: 2.2,
	parameters: { conditions: isTrue('={{ $("Check").context.isOver === true }}') },
};

/**
 * Returns the workflow that waits for the answer in place of the node: it looks, waits, and looks
 * again until the question is over. n8n returns its last item as the output of the node. Executions
 * are saved: n8n would delete others before it has handed over the result.
 *
 * @param operation the one that it repeats until its context says `isOver`
 * @param question what that operation gets
 */
export function makeWaitingWorkflow(
	item: AnyItem,
	operation: string,
	question: object,
): IWorkflowBase {
	const { context } = item.run;
	const { id, name } = context.getWorkflow();
	const check = makeCheck(item, operation, question);
	const now = new Date();
	return {
		id: id!,
		name: `${name ?? 'Workflow'}: wait for an answer in the chat`,
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: now,
		updatedAt: now,
		nodes: [START, IS_OVER, check],
		connections: {
			[START.name]: { main: [to(IS_OVER)] },
			[IS_OVER.name]: { main: [[], to(check)] },
			[check.name]: { main: [to(IS_OVER)] },
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

/** Starts a workflow that does what is left for a question that is over. Nothing waits for it. */
export async function startEndingWorkflow(
	item: AnyItem,
	left: object,
	operation: string,
): Promise<void> {
	const { context } = item.run;
	const code = makeWaitingWorkflow(item, operation, left);
	await context.executeWorkflow({ code }, [{ json: {} }], undefined, { doNotWaitToFinish: true });
}

/** Returns the node that looks once, with the settings of the node that asks. */
function makeCheck({ run: { context } }: AnyItem, operation: string, question: object): INode {
	const { type, typeVersion, credentials } = context.getNode();
	const entered = context.getNodeParameter('requestOptions', 0, {});
	const requestOptions = toObject(entered) as INodeParameters;
	return {
		...placeNode('Check', 2),
		type,
		typeVersion,
		credentials,
		parameters: {
			resource: 'message',
			operation,
			question: JSON.stringify(question),
			requestOptions,
		},
	};
}

const to = ({ name: node }: INode) => [{ node, type: 'main' as const, index: 0 }];

function placeNode(name: string, column: number): Pick<INode, 'id' | 'name' | 'position'> {
	return { id: name, name, position: [column * 200, 0] };
}

/** A condition of n8n's If node. */
function isTrue(leftValue: string) {
	return {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
		conditions: [
			{
				id: 'isTrue',
				leftValue,
				rightValue: '',
				operator: { type: 'boolean', operation: 'true', singleValue: true },
			},
		],
		combinator: 'and',
	};
}
