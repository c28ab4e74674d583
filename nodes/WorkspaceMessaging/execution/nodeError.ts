import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';
import { ApiError, sentence } from '../transport/errors/errors';

/**
 * A failure in the form in which n8n shows it, with what else the service said as its description.
 *
 * @param message what the user reads first
 * @param item number of the input item, where there is one
 */
export function nodeErrorOf(node: INode, error: Error, message: string, item?: number): NodeApiError {
	const {
		status,
		serverMessage,
		outcome,
		reason: refusal,
	} = error instanceof ApiError ? error.details : ({} as Partial<ApiError['details']>);
	// The service's words stand once: here where the message does not have them, in its own words or in better ones.
	const isSaid = !serverMessage || refusal !== undefined || message.includes(serverMessage);
	const nodeError = new NodeApiError(node, { message } as IDataObject as never, {
		message,
		description: isSaid ? undefined : `The service said: ${sentence(serverMessage)}`,
		httpCode: status === undefined ? undefined : String(status),
		itemIndex: item,
	});
	// n8n replaces sentences in which it finds the code of a network error, and shows the first ones a second time.
	nodeError.message = message;
	nodeError.messages = [];
	if (item !== undefined) nodeError.context.outcome = outcome;
	return nodeError;
}
