import type { IDataObject } from 'n8n-workflow';
import { isContactGone } from '../../conversations/contact';
import { getActivity } from '../../conversations/conversation';
import { readConversationList, readMovingConversationList } from '../../conversations/list';
import { getMessageTime, isByMember, readMessages } from '../../conversations/messages';
import { onApiError } from '../../transport/errors/ApiError';
import type { Requester } from '../../transport/request';
import { hashContactId } from '../changes/fingerprints';

/**
 * Archived conversations are left out of the usual list, and have one of their own. It comes first,
 * because a message can take its conversation out of the archive.
 */
const LISTS: IDataObject[] = [{ tags: '["archived"]' }, {}];

/**
 * Reads the conversations with an activity after a time, and others on the pages that it reads. Of
 * several conversations of one contact, it returns the newest.
 */
export async function readActiveConversations(
	client: Requester,
	since: number,
): Promise<IDataObject[]> {
	const found = new Map<string, IDataObject>();
	const take = (rows: IDataObject[]) => {
		for (const row of rows) {
			const key = hashContactId(row);
			const other = found.get(key);
			const isNewest = !other || getActivity(row) >= getActivity(other);
			if (isNewest) found.set(key, row);
		}
		return false;
	};
	for (const query of LISTS) await readMovingConversationList(client, query, since, take);
	return [...found.values()];
}

/**
 * Reads the first page of each list; `end` is the activity down to which these pages lack no
 * conversation.
 */
export async function readNewestConversations(
	client: Requester,
): Promise<{ rows: IDataObject[]; end: number }> {
	const found: IDataObject[] = [];
	let end = 0;
	for (const query of LISTS) {
		const { value: page } = await readConversationList(client, query).next();
		if (!page) continue;
		found.push(...page.rows);
		if (page.isLast) continue;
		// The next pages have older ones.
		const oldest = page.rows.at(-1);
		if (!oldest) continue;
		const activity = getActivity(oldest);
		end = Math.max(end, activity);
	}
	return { rows: found, end };
}

/**
 * Reads the messages that a contact wrote after a time, as `readIncomingMessages` does, and when
 * members wrote to the contact.
 */
export async function readMessagesOfBoth(
	client: Requester,
	conversation: IDataObject,
	after: number,
): Promise<{ messages: IDataObject[]; personWrote: number[] }> {
	const personWrote: number[] = [];
	const onRead = (message: IDataObject) => {
		if (isByMember(message)) personWrote.push(getMessageTime(message));
	};
	const messages = await readIncomingMessages(client, conversation, after, { onRead });
	return { messages, personWrote };
}

interface ReadingOptions {
	/** How many pages to read at most. */
	pages?: number;
	/** Called with each message of these pages, whoever wrote it. */
	onRead?(message: IDataObject): void;
}

/** Reads the messages that a contact wrote after a time, oldest first, except deleted ones. */
export async function readIncomingMessages(
	client: Requester,
	{ contactId }: IDataObject,
	after: number,
	options: ReadingOptions = {},
): Promise<IDataObject[]> {
	const isChosen = ({ messageType }: IDataObject) => messageType === 'incoming';
	const identifier = `id:${String(contactId)}`;
	const messages = readMessages(client, identifier, { after, isChosen, ...options });
	const ifGone = onApiError(isContactGone, () => []);
	return await messages.catch(ifGone);
}
