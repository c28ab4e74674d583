import type { IDataObject } from 'n8n-workflow';
import { inboxesOf } from '../contacts/list/channels';
import { conversationApi } from '../contract/conversation';
import { limits } from '../contract/limits';
import { readByCursor } from '../transport/cursor';
import { ApiError, isUnsupported, recover } from '../transport/errors/ApiError';
import type { Requester } from '../transport/request';

/** Conversations per request, and messages. */
const PER_PAGE = limits.messagesPerPage.max;
/** Conversations of every page but the first, which is enough for most polls. */
const MORE = 200;

/** Returns a time of the service in milliseconds; 0 if there is none. */
export const timeOf = (value: unknown) => (typeof value === 'string' && Date.parse(value)) || 0;

/** When anybody wrote last in a conversation. */
export const activityOf = (row: IDataObject) => Math.max(timeOf(row.lastActivityAt), contactTimeOf(row));

/** When the contact wrote last, on any channel; on a service that does not say so, when anybody did. */
export const contactTimeOf = (row: IDataObject) =>
	Math.max(
		timeOf(row.contactRepliedAt === undefined ? row.lastActivityAt : row.contactRepliedAt),
		...inboxesOf(row).map(({ lastIncomingMessageAt }) => timeOf(lastIncomingMessageAt)),
	);

/** Returns when a message was written, in milliseconds since 1970; 0 if it has no time. */
export const createdAt = (message: IDataObject) => timeOf(message.createdAt);

/** Reads a list of conversations, newest activity first. */
export async function* readConversations(client: Requester, query: IDataObject = {}) {
	try {
		const size = { first: PER_PAGE, next: MORE };
		yield* readByCursor(client, conversationApi.listConversations, { query }, size);
	} catch (error) {
		await explainUnreadable(error);
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
			advice: 'Newer versions of the service let n8n read the messages of contacts.',
		});
	},
);

/** Whether the service says that a contact or its conversation is gone; a proxy's 404 means something else. */
export const isGone = ({ details }: ApiError) =>
	details.reason === 'objectMissing' || details.reason === 'noConversation';

/**
 * Reads the messages that a contact wrote after a time, oldest first, except deleted ones.
 *
 * @param pages how many pages to read at most
 */
export async function readIncoming(
	client: Requester,
	{ contactId }: IDataObject,
	from: number,
	pages = Infinity,
): Promise<IDataObject[]> {
	const parts = { params: { identifier: `id:${String(contactId)}` } };
	const read = async () => {
		const found = new Map<unknown, IDataObject>();
		let left = pages;
		const list = readByCursor(client, conversationApi.listContactMessages, parts, { first: PER_PAGE });
		for await (const { rows } of list) {
			for (const row of rows) {
				if (row.messageType === 'incoming' && !row.deletedAt && createdAt(row) > from) found.set(row.id, row);
			}
			if (--left === 0 || rows.some((row) => createdAt(row) <= from)) break;
		}
		return [...found.values()];
	};
	const newestFirst = await read().catch(recover(isGone, () => []));
	return newestFirst.reverse().sort((a, b) => createdAt(a) - createdAt(b));
}
