import type { IExecuteFunctions, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';
import { executeItems } from './execute';
import { Item } from './item';
import type { Operation } from './operation';
import { Run } from './run';

/**
 * The function that n8n's declarative loop calls in place of sending a request itself, for one item at a time. That is a
 * call of a tool by an agent that calls its tools itself: a run of one, which goes the same way as any other. Agents whose
 * tools are run by n8n (version 3) come by `execute`, as a node does.
 */
export function toolCall(operation: Operation) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const run = new Run(asExecuteFunctions(this), operation.fields, true);
		return await executeItems(run, operation, [new Item(run, this.getItemIndex(), this.getInputData())]);
	};
}

/** The functions of one item in the form of those of a whole run. */
function asExecuteFunctions(context: IExecutePaginationFunctions): IExecuteFunctions {
	return Object.assign(Object.create(context) as IExecuteFunctions, {
		getNodeParameter: (name: string, _index: number, fallback?: unknown) =>
			context.getNodeParameter(name, fallback),
	});
}
