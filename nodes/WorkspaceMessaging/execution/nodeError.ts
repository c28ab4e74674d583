import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';
import { ApiError } from '../transport/errors/ApiError';
import { render, textOf } from '../transport/errors/render';

/** For whom an error is put into words. */
interface Audience {
	/** Number of the input item, where there is one. */
	item?: number;
	/** Whether other items of the run may have had an effect. */
	oneOfSeveral?: boolean;
	/** Whether only the message is shown, so that it must have all the text. */
	isOneText?: boolean;
}

/** A failure in the form in which n8n shows it: the headline as its message, the rest as its description. */
export function nodeErrorOf(
	node: INode,
	error: Error,
	{ item, oneOfSeveral, isOneText = false }: Audience = {},
): NodeApiError {
	const isSent = error instanceof ApiError;
	const rendered = isSent ? render(error, { oneOfSeveral }) : { headline: error.message, description: '' };
	const { status, outcome, isAboutRun } = isSent ? error.details : {};
	const number = item === undefined || isAboutRun ? '' : ` [item ${item}]`;
	const message = (isOneText ? textOf(rendered) : rendered.headline) + number;
	const nodeError = new NodeApiError(node, { message } as IDataObject as never, {
		message,
		description: isOneText ? undefined : rendered.description || undefined,
		httpCode: status === undefined ? undefined : String(status),
		itemIndex: item,
	});
	// n8n replaces sentences in which it finds the code of a network error, and shows the first ones a second time.
	nodeError.message = message;
	nodeError.messages = [];
	if (item !== undefined) nodeError.context.outcome = outcome;
	return nodeError;
}
