import type { IDataObject } from 'n8n-workflow';
import { getMessageTime } from '../../conversations/messages';
import { hashMessageId } from '../changes/fingerprints';
import type { SeenTimes } from './questions';

/*
 * What the trigger remembers of one conversation, and what becomes of it when a poll reads the
 * conversation; `docs/internals/way-of-a-poll.md` draws the states. All times are in milliseconds
 * since 1970.
 */

/** What the trigger knows of a conversation in any state. */
interface Known {
	/** All messages up to this time have started the workflow. */
	from: number;
	/** The keys of the later messages that have started it, too. */
	ids: string[];
}

/** What the trigger knows of a conversation that it has read. */
interface KnownTime extends Known {
	/** The time of the contact's last message when the trigger read the conversation. */
	at: number;
}

/** The next poll that lists the conversation reads it. */
interface Unread extends Known {
	is: 'unread';
}

/**
 * All messages have started the workflow. Another one can show up after the time of its
 * conversation. A `new` mark is read with the next poll, and both with the first one from `again`
 * on.
 */
interface Late extends KnownTime {
	is: 'new' | 'late';
	/** When a message can no longer show up late, in n8n's time. */
	again: number;
}

/** All messages have started the workflow. Only a new one is news. */
interface Read extends KnownTime {
	is: 'read';
}

/** The last messages wait for others. If they are `missing`, the last list lacked them. */
interface Waiting extends KnownTime {
	is: 'held' | 'missing';
	/** When n8n first saw the last message. */
	heldSince: number;
	/** When n8n first saw each message that waits for the end of a question. */
	seen?: SeenTimes;
}

/** The conversation could not be read. The times are n8n's. */
interface Failed extends Known {
	is: 'failed';
	contactId: string;
	/** When the first try failed. */
	since: number;
	/** When the last try failed. */
	triedAt: number;
}

/** What a trigger remembers of a conversation. */
export type Mark = Unread | Late | Read | Waiting | Failed;

/** What a poll has found out about a conversation; the times `begunAt` and `now` are n8n's. */
type Reading = ReadMessages | Failure | { result: 'missing' };

export interface ReadMessages {
	result: 'messages';
	/** When the contact wrote last. */
	at: number;
	/** When the poll began to read. */
	begunAt: number;
	now: number;
	/** The messages since the mark's `from`, oldest first. */
	messages: IDataObject[];
	/** Those of them that start the workflow later. */
	waiting: IDataObject[];
	/** When n8n first saw the last message, if some messages wait. */
	heldSince?: number;
	/** When n8n first saw each message that waits for the end of a question. */
	seen?: SeenTimes;
}

interface Failure {
	result: 'failure';
	contactId: string;
	/** When the contact wrote last; 0 if that is unknown. */
	at: number;
	now: number;
}

/** Messages and conversations can show up so much later than their times say. */
export const LATE_MS = 60_000;
/** How long to try again. */
const GIVE_UP_AFTER_MS = 7 * 24 * 3_600_000;
/** The longest time between two tries to read a conversation that failed. */
const LONGEST_RETRY_PAUSE_MS = 3_600_000;

/** Returns the mark of a conversation after a poll. */
export function nextMark(mark: Mark, reading: Reading): Mark {
	switch (reading.result) {
		case 'messages':
			return afterMessages(mark, reading);
		case 'failure':
			return afterFailure(mark, reading);
		case 'missing':
			return afterMissing(mark);
	}
}

/** After a successful reading, the mark says held, new, late or read. */
function afterMessages(mark: Mark, reading: ReadMessages): Mark {
	const { at, begunAt, now, messages, waiting, heldSince, seen } = reading;
	const done = messages.filter((message) => !waiting.includes(message));
	const reached = getReachedTime(mark.from, done, waiting);
	// Late messages can still come before the time that is reached.
	const from = Math.max(mark.from, reached - LATE_MS);
	const doneLater = done.filter((message) => getMessageTime(message) > from);
	const ids = doneLater.map(hashMessageId);
	const known: KnownTime = { at, from, ids };
	if (heldSince !== undefined) {
		const held: Mark = { is: 'held', ...known, heldSince };
		return seen ? { ...held, seen } : held;
	}
	const isFirstReading = !('at' in mark) || mark.at !== at;
	if (isFirstReading) {
		const again = now + LATE_MS;
		return { is: 'new', ...known, again };
	}
	const again = getEndOfLate(mark);
	if (again <= begunAt) return { is: 'read', ...known };
	return { is: 'late', ...known, again };
}

/**
 * Returns the time up to which all messages have started the workflow: that of the last one, or of
 * the first one that waits.
 *
 * @param start the time that was reached before
 */
function getReachedTime(start: number, done: IDataObject[], waiting: IDataObject[]): number {
	const doneTimes = done.map(getMessageTime);
	const newest = Math.max(start, ...doneTimes);
	const waitingTimes = waiting.map(getMessageTime);
	return Math.min(newest, ...waitingTimes);
}

/** Returns when a message can no longer show up late, in n8n's time. */
function getEndOfLate(mark: Late | Read | Waiting): number {
	if (mark.is === 'read') return 0;
	if (isMarkHeld(mark)) return mark.heldSince + LATE_MS;
	return mark.again;
}

/** After a week of failures, the messages until then count as found. */
function afterFailure(mark: Mark, { contactId, at, now }: Failure): Mark {
	const { from, ids } = mark;
	const since = mark.is === 'failed' ? mark.since : now;
	const isTriedAgain = now - since < GIVE_UP_AFTER_MS;
	if (isTriedAgain) {
		return { is: 'failed', from, ids, contactId, since, triedAt: now };
	}
	const reached = Math.max(from, at);
	return { is: 'read', at, from: reached, ids };
}

/** The first time, a conversation may only have moved while the list was read. */
function afterMissing(mark: Mark): Mark {
	if (mark.is === 'held') return { ...mark, is: 'missing' };
	const { from, ids } = mark;
	return { is: 'unread', from, ids };
}

/** Whether messages of the conversation wait for others. */
export const isMarkHeld = (mark: Mark): mark is Waiting =>
	mark.is === 'held' || mark.is === 'missing';

/**
 * Returns when n8n first saw the last message, if that message waits.
 *
 * @param at when the contact wrote last
 */
export function getMarkHeldSince(mark: Mark, at: number): number | undefined {
	if (!isMarkHeld(mark) || mark.at !== at) return undefined;
	return mark.heldSince;
}

/** Returns when n8n first saw the messages that wait for the end of a question, if any do. */
export function getMarkSeen(mark: Mark): SeenTimes | undefined {
	return isMarkHeld(mark) ? mark.seen : undefined;
}

/**
 * Whether a listed conversation has something to read.
 *
 * @param at when the contact wrote last
 * @param now n8n's time
 */
export function hasNewsSinceMark(mark: Mark, at: number, now: number): boolean {
	switch (mark.is) {
		case 'failed':
			// Others come first.
			return false;
		case 'read':
			return mark.at !== at;
		case 'late':
			return mark.at !== at || mark.again <= now;
		default:
			return true;
	}
}

/**
 * Whether to try again: at first with the next poll, then after twice the time, and once an hour in
 * the end.
 */
export function isMarkDue({ since, triedAt }: Failed, now: number): boolean {
	const pause = Math.min(triedAt - since, LONGEST_RETRY_PAUSE_MS);
	return now - triedAt >= pause;
}

/** Returns the time of the newest message that the trigger has read, or a little later. */
export function getMarkTime(mark: Mark): number {
	const late = mark.from + LATE_MS;
	if (!('at' in mark)) return late;
	return Math.max(mark.at, late);
}
