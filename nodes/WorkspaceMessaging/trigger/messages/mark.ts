import type { IDataObject } from 'n8n-workflow';
import { getMessageTime } from '../../conversations/messages';
import { hashMessageId } from '../changes/fingerprints';

/*
 * What the trigger remembers of one conversation. All times are in milliseconds since 1970. The
 * times of messages and conversations are the service's, all others are n8n's.
 */

/** When n8n first saw messages, by the keys of the messages. */
type SeenTimes = Record<string, number>;

/** When the first try and the last one failed to read something. */
export interface FailedTries {
	since: number;
	triedAt: number;
}

/**
 * What a trigger remembers of a conversation. A message is done if it has started the workflow or
 * was skipped for good.
 */
export interface Mark {
	/** All messages up to this time are done. */
	from: number;
	/** The keys of the later messages that are done, too. */
	ids: string[];
	/** When the contact had written last at the time of the last reading; empty if there was none. */
	at?: number;
	/** Until when each poll reads the conversation again, because a message can show up late. */
	lateUntil?: number;
	/** The messages that wait for others, or for the end of a question. */
	waiting?: SeenTimes;
	failed?: FailedTries;
	/** The contact, if messages wait or the conversation failed: the list may lack it. */
	contactId?: string;
}

/** What a poll has read of a conversation. */
export interface ReadMessages {
	contactId: string;
	/** When the contact wrote last. */
	at: number;
	/** When the poll began to read. */
	begunAt: number;
	now: number;
	/** The messages since the mark's `from`, oldest first. */
	messages: IDataObject[];
	/** Those of them that are not done. */
	waiting: IDataObject[];
}

/** Messages and conversations can show up so much later than their times say. */
export const LATE_MS = 60_000;
/** How long to try again. */
export const GIVE_UP_AFTER_MS = 7 * 24 * 3_600_000;
/** The longest time between two tries to read a conversation that failed. */
const LONGEST_RETRY_PAUSE_MS = 3_600_000;

/** Returns the mark of a conversation after a poll has read it. */
export function markAfterReading(mark: Mark, reading: ReadMessages): Mark {
	const { contactId, at, messages, waiting } = reading;
	const done = messages.filter((message) => !waiting.includes(message));
	const reached = getReachedTime(mark.from, done, waiting);
	// Late messages can still come before the time that is reached.
	const from = Math.max(mark.from, reached - LATE_MS);
	const doneLater = done.filter((message) => getMessageTime(message) > from);
	const ids = doneLater.map(hashMessageId);
	const lateUntil = getLateUntil(mark, reading);
	const next: Mark = { from, ids, at, lateUntil };
	if (waiting.length === 0) return next;
	const seen = getSeenTimes(mark, reading);
	return { ...next, waiting: seen, contactId };
}

/**
 * Returns the time up to which all messages are done: that of the last one, or of the first one that
 * waits.
 *
 * @param start the time that was reached before
 */
function getReachedTime(start: number, done: IDataObject[], waiting: IDataObject[]): number {
	const doneTimes = done.map(getMessageTime);
	const newest = Math.max(start, ...doneTimes);
	const waitingTimes = waiting.map(getMessageTime);
	return Math.min(newest, ...waitingTimes);
}

/** Returns until when a message can show up late; undefined if that is over. */
function getLateUntil(mark: Mark, { at, begunAt, now }: ReadMessages): number | undefined {
	const hasWritten = mark.at !== at;
	if (hasWritten) return now + LATE_MS;
	const { lateUntil = 0 } = mark;
	return lateUntil > begunAt ? lateUntil : undefined;
}

function getSeenTimes(mark: Mark, { waiting, now }: ReadMessages): SeenTimes {
	const seen: SeenTimes = {};
	for (const message of waiting) {
		const key = hashMessageId(message);
		seen[key] = getFirstSeen(mark, message, now);
	}
	return seen;
}

/** Returns when n8n first saw a message: now, unless the message waits already. */
export const getFirstSeen = ({ waiting }: Mark, message: IDataObject, now: number): number =>
	waiting?.[hashMessageId(message)] ?? now;

/**
 * Returns the mark of a conversation that could not be read. After a week of failures, its messages
 * count as done.
 *
 * @param at when the contact wrote last; 0 if that is unknown
 */
export function markAfterFailure(mark: Mark, contactId: string, at: number, now: number): Mark {
	const since = mark.failed?.since ?? now;
	if (now - since < GIVE_UP_AFTER_MS)
		return { ...mark, failed: { since, triedAt: now }, contactId };
	const from = Math.max(mark.from, at);
	return { from, ids: mark.ids, at };
}

/**
 * Whether to read a conversation. One that failed has its own turn, after all others.
 *
 * @param at when the contact wrote last
 */
export function hasNews(mark: Mark, at: number): boolean {
	if (mark.failed) return false;
	return mark.lateUntil !== undefined || hasUnread(mark, at);
}

/** Whether a conversation has messages to read, even if none shows up late. */
export const hasUnread = (mark: Mark, at: number): boolean =>
	mark.at !== at || mark.waiting !== undefined || mark.failed !== undefined;

/**
 * Whether to try again to read something that failed: at first with the next poll, then after
 * twice the time, and once an hour in the end. One that hangs makes the whole poll slower.
 */
export function isRetryDue({ failed }: { failed?: FailedTries }, now: number): boolean {
	if (!failed) return false;
	const { since, triedAt } = failed;
	const pause = Math.min(triedAt - since, LONGEST_RETRY_PAUSE_MS);
	return now - triedAt >= pause;
}

/** Returns the time of the newest message that the trigger has read, or a little later. */
export function getMarkTime({ from, at = 0 }: Mark): number {
	return Math.max(at, from + LATE_MS);
}
