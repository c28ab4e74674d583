import type { IDataObject } from 'n8n-workflow';
import { getInboxes } from '../../contacts/channels';
import { contactApi } from '../../contract/contact';
import { conversationApi } from '../../contract/conversation';
import { limits } from '../../contract/limits';
import { readByCursor } from '../../transport/lists/pages';
import { readRecord } from '../../transport/lists/records';
import { ApiError, isUnsupported, recover } from '../../transport/errors/ApiError';
import { isObject } from '../../transport/guards';
import type { Requester } from '../../transport/request';
import { hashId, parseTime } from '../changes/records';

/** Conversations of the first page, which is enough for most polls, and of the next ones. */
const CONVERSATIONS = { first: limits.messagesPerPage.max, next: 200 };
/** Messages per page. */
const MESSAGES = { first: limits.messagesPerPage.max };
/** How often to read at most what has moved while the list was read. */
const MAX_READINGS = 10;

/** Stands for a conversation. The contact's ID stays if the contact gets another conversation. */
export const getContactKey = ({ contactId }: IDataObject) => hashId(contactId);

/** Stands for a message. */
export const getMessageKey = ({ id }: IDataObject) => hashId(id);

/** When the contact wrote last, on any channel (difference 25); 0 if the conversation does not say so. */
const getContactTime = (row: IDataObject) =>
	Math.max(
		parseTime(row.contactRepliedAt),
		...getInboxes(row).map(({ lastIncomingMessageAt }) => parseTime(lastIncomingMessageAt)),
	);

/** When anybody wrote last in a conversation. */
export const getActivity = (row: IDataObject) => Math.max(parseTime(row.lastActivityAt), getContactTime(row));

/**
 * Returns what says when the contact wrote last in one of these conversations, 0 for never. If none of them says so, the
 * service does not, and what anybody wrote counts.
 */
export const chooseContactTime = (rows: IDataObject[]) =>
	rows.some((row) => getContactTime(row) > 0) ? getContactTime : getActivity;

/** Returns when a message was written, in milliseconds since 1970; 0 if it has no time. */
export const createdAt = (message: IDataObject) => parseTime(message.createdAt);

/** Reads a list of conversations, newest activity first. */
export async function* readConversations(client: Requester, query: IDataObject = {}) {
	try {
		yield* readByCursor(client, conversationApi.listConversations, { query }, CONVERSATIONS);
	} catch (error) {
		await explainUnreadable(error);
	}
}

/**
 * Archived conversations are left out of the usual list, and have one of their own. It comes first, because a message can take
 * its conversation out of the archive.
 */
const LISTS: IDataObject[] = [{ tags: '["archived"]' }, {}];

/**
 * Reads the conversations with an activity after a time, and others on the pages that it reads. Of several conversations of
 * one contact, it returns the newest.
 */
export async function readActive(client: Requester, since: number): Promise<IDataObject[]> {
	const found = new Map<string, IDataObject>();
	for (const query of LISTS) await readDownTo(client, since, query, found);
	return [...found.values()];
}

/**
 * Reads a list of conversations down to an activity. A conversation that moves to a page that was already read would be
 * missing, so if there was more than one page, what has moved meanwhile is read again.
 */
async function readDownTo(
	client: Requester,
	since: number,
	query: IDataObject,
	found: Map<string, IDataObject>,
): Promise<void> {
	let end = since;
	for (let reading = 0; reading < MAX_READINGS; reading++) {
		let pages = 0;
		let newest = end;
		for await (const { rows } of readConversations(client, query)) {
			pages++;
			for (const row of rows) {
				const other = found.get(getContactKey(row));
				if (!other || getActivity(row) >= getActivity(other)) found.set(getContactKey(row), row);
			}
			newest = Math.max(newest, ...rows.map(getActivity));
			if (rows.some((row) => getActivity(row) <= end)) break;
		}
		if (pages <= 1) return;
		end = newest;
	}
}

/** Reads the first page of each list; `end` is the activity down to which these pages lack no conversation. */
export async function readNewest(client: Requester): Promise<{ rows: IDataObject[]; end: number }> {
	const found: IDataObject[] = [];
	let end = 0;
	// The archive again: a conversation may have got there meanwhile.
	for (const query of [...LISTS, LISTS[0]]) {
		const { value: page } = await readConversations(client, query).next();
		if (!page) continue;
		found.push(...page.rows);
		// The next pages have older ones.
		if (!page.isLast) end = Math.max(end, ...page.rows.slice(-1).map(getActivity));
	}
	return { rows: found, end };
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

/** Returns the conversation of a contact as the contact's record shows it. */
export async function readContactConversation(
	client: Requester,
	{ contactId }: IDataObject,
): Promise<IDataObject> {
	const { conversation, ...contact } = await readConversationContact(client, { contactId });
	const { contactInboxes } = contact;
	return { ...(isObject(conversation) && conversation), contactId, contact, contactInboxes };
}

/** Reads the contact of a conversation. Who was deleted since is in the conversation. */
export async function readConversationContact(
	client: Requester,
	{ contactId, contact }: IDataObject,
): Promise<IDataObject> {
	const params = { identifier: `id:${String(contactId)}` };
	const fromConversation = () => ({ ...(isObject(contact) && contact), id: String(contactId) });
	return await readRecord(client, contactApi.getContact, { params }).catch(
		recover(isContactGone, fromConversation),
	);
}

/** Whether the service says that a contact or its conversation is gone; a proxy's 404 means something else. */
const isContactGone = ({ details }: ApiError) =>
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
		const list = readByCursor(client, conversationApi.listContactMessages, parts, MESSAGES);
		for await (const { rows } of list) {
			for (const row of rows) {
				if (row.messageType === 'incoming' && !row.deletedAt && createdAt(row) > from) found.set(row.id, row);
			}
			if (--left === 0 || rows.some((row) => createdAt(row) <= from)) break;
		}
		return [...found.values()];
	};
	const newestFirst = await read().catch(recover(isContactGone, () => []));
	return newestFirst.reverse().sort((a, b) => createdAt(a) - createdAt(b));
}
