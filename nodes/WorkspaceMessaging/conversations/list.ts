import type { IDataObject } from 'n8n-workflow';
import { getInboxes } from '../channels/channel';
import { conversationApi } from '../contract/conversation';
import { limits } from '../contract/limits';
import { ApiError, isUnsupported, onApiError } from '../transport/errors/ApiError';
import { readNewestFirst, type TakeRows } from '../transport/lists/movingLists';
import { readByCursor } from '../transport/lists/cursors';
import type { Requester } from '../transport/request';
import { parseTime } from '../values/dates';

/** Conversations of the first page, which is enough for most polls, and of the next ones. */
const CONVERSATIONS = { first: limits.messagesPerPage.max, next: 200 };

/**
 * When the contact wrote last, on any channel (difference 25); 0 if the conversation does not say
 * so.
 */
export function getContactRepliedAt(row: IDataObject): number {
	const times = getInboxes(row).map(({ lastIncomingMessageAt }) =>
		parseTime(lastIncomingMessageAt),
	);
	return Math.max(parseTime(row.contactRepliedAt), ...times);
}

/** When anybody wrote last in a conversation. */
export const getActivity = (row: IDataObject) =>
	Math.max(parseTime(row.lastActivityAt), getContactRepliedAt(row));

/** Reads a list of conversations, newest activity first. */
export async function* readConversationList(client: Requester, query: IDataObject = {}) {
	try {
		yield* readByCursor(client, conversationApi.listConversations, { query }, CONVERSATIONS);
	} catch (error) {
		await explainUnreadable(error);
	}
}

/**
 * Reads a list of conversations down to an activity. Those that move to a page that was already
 * read come again.
 *
 * @param since the activity, in milliseconds since 1970
 */
export async function readMovingConversationList(
	client: Requester,
	query: IDataObject,
	since: number,
	take: TakeRows,
): Promise<void> {
	await readNewestFirst(() => readConversationList(client, query), getActivity, since, take);
}

const explainUnreadable = onApiError(
	(error) => error.details.reason === 'forPeopleOnly' || isUnsupported(error),
	({ details: { reason, status } }): never => {
		let what = `This service doesn't have conversations, or the Base URL in the credential is wrong (${status}).`;
		if (reason === 'forPeopleOnly')
			what = "This service doesn't let access tokens read conversations.";
		const advice = 'Newer versions of the service let n8n read conversations and messages.';
		throw new ApiError(what, { outcome: 'refused', advice, status });
	},
);

/** Whether the contact has written since somebody read the conversation in the workspace. */
export const isUnread = (conversation: IDataObject): boolean =>
	getContactRepliedAt(conversation) > parseTime(conversation.agentLastReadAt);

/**
 * Returns what says when the contact wrote last in one of these conversations, 0 for never. If none
 * of them says so, the service does not, and what anybody wrote counts.
 */
export const chooseConversationTime = (rows: IDataObject[]) =>
	rows.some((row) => getContactRepliedAt(row) > 0) ? getContactRepliedAt : getActivity;
