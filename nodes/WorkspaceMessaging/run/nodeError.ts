import { NodeApiError, type IDataObject, type INode, type NodeError } from 'n8n-workflow';
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
	return withMessage(nodeError, message);
}

/**
 * Returns an error of n8n with the message as it is: n8n replaces sentences with the code of a network
 * error in them, such as EACCES in `homeaccess`, and shows the first ones twice.
 */
export const withMessage = <T extends NodeError>(error: T, message: string): T =>
	Object.assign(error, { message, messages: [] });
