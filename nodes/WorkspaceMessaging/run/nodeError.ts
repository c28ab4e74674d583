import { NodeApiError, type IDataObject, type INode } from 'n8n-workflow';
import { ApiError, describeApiError } from '../transport/errors/ApiError';
import { joinSentences } from '../transport/errors/sentences';

/** Who reads an error, and where. */
interface Audience {
	/** The number of the input item. */
	item?: number;
	/** Whether other items may have had an effect. */
	oneOfSeveral?: boolean;
	/** Whether n8n only shows the message, so that it needs the whole text. */
	isOneText?: boolean;
}

/** Returns an error as n8n shows it: the headline as its message, the rest as its description. */
export function toNodeError(node: INode, error: Error, audience: Audience = {}): NodeApiError {
	const { item, oneOfSeveral, isOneText } = audience;
	const { what: headline, details } =
		error instanceof ApiError ? error : new ApiError(error.message, { outcome: 'notSent' });
	const { status, isAboutRun } = details;
	const description = describeApiError({ what: headline, details }, oneOfSeveral);
	const number = item === undefined || isAboutRun ? '' : ` [item ${item}]`;
	const message = (isOneText ? joinSentences(headline, description) : headline) + number;
	const nodeError = new NodeApiError(node, { message } as IDataObject as never, {
		message,
		description: isOneText ? undefined : description || undefined,
		httpCode: status?.toString(),
		itemIndex: item,
	});
	// n8n replaces sentences with the code of a network error in them, and shows the first ones
	// twice.
	nodeError.message = message;
	nodeError.messages = [];
	return nodeError;
}
