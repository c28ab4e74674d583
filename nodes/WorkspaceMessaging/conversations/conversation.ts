import type { IDataObject } from 'n8n-workflow';
import { getInboxes } from '../channels/channel';
import { parseTime } from '../values/dates';

/* What the record of a conversation says. */

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

/** Whether the contact has written since somebody read the conversation in the workspace. */
export const isUnread = (conversation: IDataObject): boolean =>
	getContactRepliedAt(conversation) > parseTime(conversation.agentLastReadAt);

/**
 * Returns what says when the contact wrote last in one of these conversations, 0 for never. If none
 * of them says so, the service does not, and what anybody wrote counts.
 */
export const chooseConversationTime = (rows: IDataObject[]) =>
	rows.some((row) => getContactRepliedAt(row) > 0) ? getContactRepliedAt : getActivity;

/** Who is in charge of a conversation: the bot or a person. */
export const getInCharge = ({ botEnabled }: IDataObject) =>
	botEnabled === false ? 'person' : 'bot';
