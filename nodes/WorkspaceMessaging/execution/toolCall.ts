import type { IExecuteFunctions, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';
import { rethrow } from '../api/rethrow';
import { executeItems } from './execute';
import { Item } from './item';
import type { Operation } from './operation';
import { Run } from './run';
import { toolAnswer } from './toolAnswer';
import { answerSettings, toolParameters } from './toolParameters';
import type { ReadParameter } from './toolParameters';

/**
 * The function that n8n's declarative loop calls in place of sending a request itself, for one item at a time. In every
 * supported version that is a call of an agent's tool: a run of one, which goes the same way as any other.
 */
export function toolCall(operation: Operation) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const read: ReadParameter = (name, fallback) => this.getNodeParameter(name, fallback);
		const run = new Run(withParameters(this, toolParameters(read)), operation.fields, true);
		const item = new Item(run, this.getItemIndex(), this.getInputData());
		try {
			const settings = answerSettings(read);
			return toolAnswer(await executeItems(run, operation, [item]), settings, operation);
		} catch (error) {
			if (!run.continuesOnFail) return await rethrow(error);
			// From an error alone, n8n makes an empty record for the agent.
			return [{ json: { error: (error as Error).message } }];
		}
	};
}

/** The functions of one item in the form of those of a whole run. */
function withParameters(context: IExecutePaginationFunctions, read: ReadParameter): IExecuteFunctions {
	return Object.assign(Object.create(context) as IExecuteFunctions, {
		getNodeParameter: (name: string, _index: number, fallback?: unknown) => read(name, fallback),
	});
}
