import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { conversationApi } from '../../contract/conversation';
import {
	isAboutToken,
	isRateLimited,
	onApiError,
	type ApiError,
} from '../../transport/errors/ApiError';
import { isObject, unique } from '../../transport/guards';
import type { PollHost } from '../types';

/** Conversations that are marked side by side. */
const AT_ONCE = 4;
/** How many different reasons the warning names. */
const MOST_REASONS = 3;

/**
 * Marks the conversations of items as read in the workspace, each by itself. The items start the
 * workflow anyway, so failures are only one warning in n8n's log. If the service rejects the token,
 * or its limit is reached, n8n doesn't try the others.
 */
export async function markAsRead(
	items: Array<IDataObject | INodeExecutionData>,
	host: PollHost,
): Promise<void> {
	const ids = getConversationIds(items);
	const errors: ApiError[] = [];
	let begun = 0;
	while (begun < ids.length && host.hasTime() && !errors.some(isAboutAll)) {
		const batch = ids.slice(begun, begun + AT_ONCE);
		begun += batch.length;
		const marking = batch.map((id) => markConversation(id, host));
		const results = await Promise.all(marking);
		const newErrors = results.filter((error) => error !== undefined);
		errors.push(...newErrors);
	}
	const notTried = ids.length - begun;
	const failed = errors.length + notTried;
	if (failed === 0) return;
	const wasInTime = notTried === 0 || errors.some(isAboutAll);
	const reasons = describeErrors(errors, wasInTime);
	host.warn(`n8n could not mark ${failed} of ${ids.length} conversations as read. ${reasons}`);
}

function getConversationIds(items: Array<IDataObject | INodeExecutionData>): string[] {
	const ids = new Set<string>();
	for (const item of items) {
		const { conversation } = (isObject(item.json) ? item.json : item) as IDataObject;
		if (!isObject(conversation)) continue;
		if (conversation.id === undefined) continue;
		const id = String(conversation.id);
		ids.add(id);
	}
	return [...ids];
}

/** Marks a conversation as read, or returns why that failed. */
async function markConversation(conversationId: string, host: PollHost) {
	const params = { conversationId };
	const request = host.requesterForOne(true).request(conversationApi.readConversation, { params });
	const keepError = onApiError(
		() => true,
		(error) => error,
	);
	return await request.then(() => undefined, keepError);
}

/** Whether the others would fail for the same reason. */
const isAboutAll = (error: ApiError) => isAboutToken(error) || isRateLimited(error);

/** @param wasInTime whether there was time for all of them */
function describeErrors(errors: ApiError[], wasInTime: boolean): string {
	const messages = errors.map(({ message }) => message);
	const reasons = unique(messages);
	const sentences = reasons.slice(0, MOST_REASONS);
	const others = reasons.length - sentences.length;
	if (others > 0) sentences.push(`Other reasons: ${others}.`);
	if (!wasInTime) sentences.push('The poll ran out of time.');
	return sentences.join(' ');
}
