import type { IDataObject } from 'n8n-workflow';
import { getMessageTime } from '../../conversations/messages';

/** The most messages of a group. */
export const MAX_MESSAGES = 20;
/** A group ends after so many times the quiet time, whether or not the contact is quiet. */
export const MAX_QUIET_TIMES = 10;

/** Messages that come close together, and those that wait for others. */
interface Groups {
	/** Oldest first. */
	groups: IDataObject[][];
	/** The messages of the last group, if that is not complete. */
	waiting: IDataObject[];
}

/**
 * Groups the messages of a contact. A group is complete when the contact has been quiet for some
 * time, with 20 messages, after ten times the quiet time, or when the contact writes on another
 * channel.
 *
 * @param messages oldest first
 * @param quietMs how long a contact is quiet at the end of a group, in milliseconds; 0 for one
 * message per group
 * @param now n8n's time, in milliseconds since 1970
 * @param seenAt when n8n first saw the last message: the service's clock can be ahead
 */
export function groupMessages(
	messages: IDataObject[],
	quietMs: number,
	now: number,
	seenAt = now,
): Groups {
	if (quietMs <= 0) return { groups: messages.map((message) => [message]), waiting: [] };
	const [first, ...others] = messages;
	if (!first) return { groups: [], waiting: [] };
	const groups: IDataObject[][] = [];
	let group = [first];
	const isComplete = (until: number) =>
		group.length === MAX_MESSAGES ||
		until - getMessageTime(group[group.length - 1]) >= quietMs ||
		until - getMessageTime(group[0]) >= MAX_QUIET_TIMES * quietMs;
	for (const message of others) {
		const isOnOtherChannel = getChannelKey(message) !== getChannelKey(group[0]);
		if (isOnOtherChannel || isComplete(getMessageTime(message))) {
			groups.push(group);
			group = [];
		}
		group.push(message);
	}
	if (!isComplete(now) && now - seenAt < quietMs) return { groups, waiting: group };
	return { groups: [...groups, group], waiting: [] };
}

const getChannelKey = ({ contactInboxId }: IDataObject) => String(contactInboxId ?? '');
