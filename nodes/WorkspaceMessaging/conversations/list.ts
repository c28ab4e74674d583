import type { IDataObject } from 'n8n-workflow';
import { getInboxes } from '../contacts/channels';
import { conversationApi } from '../contract/conversation';
import { limits } from '../contract/limits';
import { ApiError, isUnsupported, recover } from '../transport/errors/ApiError';
import { readByCursor } from '../transport/lists/pages';
import type { Requester } from '../transport/request';
import { parseTime } from '../values/dates';

/** Conversations of the first page, which is enough for most polls, and of the next ones. */
const CONVERSATIONS = { first: limits.messagesPerPage.max, next: 200 };
/** How often to read at most what has moved while the list was read. */
const MAX_READINGS = 10;

/** When the contact wrote last, on any channel (difference 25); 0 if the conversation does not say so. */
export const getContactTime = (row: IDataObject) =>
	Math.max(
		parseTime(row.contactRepliedAt),
		...getInboxes(row).map(({ lastIncomingMessageAt }) => parseTime(lastIncomingMessageAt)),
	);

/** When anybody wrote last in a conversation. */
export const getActivity = (row: IDataObject) => Math.max(parseTime(row.lastActivityAt), getContactTime(row));

/** Reads a list of conversations, newest activity first. */
export async function* readConversations(client: Requester, query: IDataObject = {}) {
	try {
		yield* readByCursor(client, conversationApi.listConversations, { query }, CONVERSATIONS);
	} catch (error) {
		await explainUnreadable(error);
	}
}

/**
 * Reads a list of conversations down to an activity. A conversation that moves to a page that was already read would be
 * missing, so if there was more than one page, what has moved meanwhile is read again.
 *
 * @param since the activity, in milliseconds since 1970
 * @param take gets the rows of each page, some of them again, and returns whether they are enough
 */
export async function readMovingConversations(
	client: Requester,
	query: IDataObject,
	since: number,
	take: (rows: IDataObject[]) => boolean | Promise<boolean>,
): Promise<void> {
	let end = since;
	for (let reading = 0; reading < MAX_READINGS; reading++) {
		let pages = 0;
		let newest = end;
		for await (const { rows } of readConversations(client, query)) {
			pages++;
			const isEnough = await take(rows);
			newest = Math.max(newest, ...rows.map(getActivity));
			const isDown = rows.some((row) => getActivity(row) <= end);
			// Later readings look for what has moved, no matter how much was found.
			if (isDown || (isEnough && reading === 0)) break;
		}
		if (pages <= 1) return;
		end = newest;
	}
}

const explainUnreadable = recover(
	(error) => error.details.reason === 'forPeopleOnly' || isUnsupported(error),
	({ details: { reason, status } }): never => {
		const what =
			reason === 'forPeopleOnly'
				? "This service doesn't let access tokens read conversations."
				: `This service doesn't have conversations, or the Base URL in the credential is wrong (${status}).`;
		throw new ApiError(what, {
			outcome: 'refused',
			advice: 'Newer versions of the service let n8n read conversations and messages.',
			status,
		});
	},
);
