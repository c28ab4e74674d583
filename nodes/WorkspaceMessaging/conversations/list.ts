import type { IDataObject } from 'n8n-workflow';
import { conversationApi } from '../contract/conversation';
import { limits } from '../contract/limits';
import { isListMissing, onApiError } from '../transport/errors/ApiError';
import { lacksError } from '../service/capabilities';
import { readNewestFirst, type TakeRows } from '../service/lists/repeatedReadings';
import { readByCursor } from '../service/lists/cursors';
import type { Requester } from '../transport/request';
import { getActivity } from './conversation';

/** Conversations of the first page, which is enough for most polls, and of the next ones. */
const CONVERSATIONS = { first: limits.messagesPerPage.max, next: 200 };

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

const explainUnreadable = onApiError(isListMissing, ({ details: { reason, status } }): never => {
	const advice = 'Newer versions of the service let n8n read conversations and messages.';
	const failed = { endpoint: conversationApi.listConversations, status };
	if (reason === 'forPeopleOnly')
		throw lacksError('let access tokens read conversations', advice, failed);
	const what = `have conversations, or the Base URL in the credential is wrong (${status})`;
	throw lacksError(what, advice, failed);
});
