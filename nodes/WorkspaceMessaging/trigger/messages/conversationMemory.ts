import type { IDataObject } from 'n8n-workflow';
import { objectsIn } from '../../transport/guards';
import { getActivity, chooseConversationTime } from '../../conversations/conversation';
import { getMessageTime } from '../../conversations/messages';
import { getMarkTime, hasNewsSinceMark, isMarkDue, isMarkHeld, LATE_MS, nextMark } from './mark';
import type { Mark } from './mark';
import { hashMessageId, hashContactId } from '../changes/fingerprints';

/* What the trigger remembers of all conversations. All times are in milliseconds since 1970. */

/** What a trigger remembers of all conversations. */
export interface ConversationMemory {
	/**
	 * All messages up to this time have started the workflow, except those of conversations with a
	 * mark.
	 */
	since: number;
	/** `since` after the next complete poll. */
	next: number;
	/**
	 * The conversations whose contacts wrote later, and those that could not be read, by the key of
	 * the contact.
	 */
	marks: Record<string, Mark>;
	/** Since when each poll leaves conversations to the next one; undefined if the last one left none. */
	behindSince?: number;
}

/** The most marks after a poll that has read all conversations. */
const MAX_MARKS = 500;
/**
 * Returns the memory of the first poll: all messages until now count as found.
 *
 * @param rows the newest conversations
 * @param end an activity down to which no conversation is missing
 */
export function beginMessageMemory(rows: IDataObject[], end: number): ConversationMemory {
	const since = Math.max(findNewest(rows) - LATE_MS, end);
	const getContactRepliedAt = chooseConversationTime(rows);
	const marks: ConversationMemory['marks'] = {};
	for (const row of rows) {
		const activity = getActivity(row);
		if (activity <= since - LATE_MS) continue;
		const at = getContactRepliedAt(row);
		const newest = Math.max(0, ...objectsIn(row.messages).map(getMessageTime));
		const from = newest || activity;
		marks[hashContactId(row)] = { is: 'read', at, from, ids: [] };
	}
	return { since, next: since, marks };
}

/**
 * Returns the activity down to which a poll reads the list: also to conversations whose messages
 * wait for others.
 */
export function getConversationMemoryStart({ since, marks }: ConversationMemory): number {
	const held = Object.values(marks).filter(isMarkHeld);
	return Math.min(since, ...held.map(({ at }) => at - 1));
}

/**
 * The memory of the last poll. With the list of conversations, it says which of them have news, and
 * becomes the memory of this poll.
 *
 * A poll reads the list down to `since`, which follows the newest activity at a distance of one
 * poll and two minutes, because a conversation can move while a poll reads the list, and a message
 * can show up late. What a poll found above `since`, it remembers with marks.
 */
export class PolledConversations {
	/** The messages that have started the workflow; one can move to another contact. */
	private readonly known: Set<string>;

	/** Since when messages wait for their turn: since this poll, or since an earlier one. */
	readonly behindSince: number;

	/** Returns when the contact of a conversation wrote last. */
	readonly getContactRepliedAt: (row: IDataObject) => number;

	/** @param rows the listed conversations */
	constructor(
		private readonly last: ConversationMemory,
		private readonly rows: IDataObject[],
	) {
		const ids = Object.values(last.marks).flatMap((mark) => mark.ids);
		this.known = new Set(ids);
		this.behindSince = last.behindSince ?? Date.now();
		this.getContactRepliedAt = chooseConversationTime(rows);
	}

	/** Returns what the last poll remembered of a conversation. */
	get(row: IDataObject): Mark {
		const { marks, since } = this.last;
		const mark = marks[hashContactId(row)];
		return mark ?? { is: 'unread', from: since, ids: [] };
	}

	/** Whether a message has started the workflow. */
	isKnown(message: IDataObject): boolean {
		return this.known.has(hashMessageId(message));
	}

	/**
	 * Returns the listed conversations to read. Those come first whose messages wait since an earlier
	 * time: otherwise contacts who write all the time could keep others from their turn.
	 */
	findNews(): IDataObject[] {
		const start = getConversationMemoryStart(this.last);
		const found = this.rows.filter((row) => getActivity(row) > start && this.hasNews(row));
		const waitsSince = (row: IDataObject) => Math.max(this.get(row).from, this.last.since);
		return found.sort(
			(a, b) =>
				waitsSince(a) - waitsSince(b) || this.getContactRepliedAt(a) - this.getContactRepliedAt(b),
		);
	}

	private hasNews(row: IDataObject): boolean {
		const at = this.getContactRepliedAt(row);
		const mark = this.last.marks[hashContactId(row)];
		if (!mark) return at > this.last.since;
		return hasNewsSinceMark(mark, at, Date.now());
	}

	/**
	 * Returns the conversations that failed before and that it is time to try again, the one that
	 * waits longest first.
	 */
	findFailedToTry(): IDataObject[] {
		const now = Date.now();
		const failed = Object.values(this.last.marks).filter((mark) => mark.is === 'failed');
		const due = failed.filter((mark) => isMarkDue(mark, now));
		due.sort((a, b) => a.triedAt - b.triedAt);
		const listed = this.getRowsByKey();
		return due.map(({ contactId }) => listed.get(hashContactId({ contactId })) ?? { contactId });
	}

	/**
	 * Returns the memory after a poll.
	 *
	 * @param marks the new marks by the keys of the contacts
	 * @param isComplete whether the poll has read all conversations with news; otherwise the next
	 * poll goes on
	 */
	toMemory(marks: Map<string, Mark>, isComplete: boolean): ConversationMemory {
		const before = this.last.marks;
		const missing = this.findMissing();
		const found = Object.fromEntries(marks);
		const all = { ...before, ...missing, ...found };
		if (!isComplete) {
			const { behindSince } = this;
			return { ...this.last, marks: all, behindSince };
		}
		const since = this.chooseSince(Object.values(all));
		const needed = leaveOutOldMarks(all, since);
		// One time for what shows up late, and one until it is read again.
		const settled = findNewest(this.rows) - 2 * LATE_MS;
		const next = Math.max(since, settled);
		return { since, next, marks: needed };
	}

	/** Returns the listed conversations by the keys of their contacts. */
	private getRowsByKey(): Map<string, IDataObject> {
		return new Map(this.rows.map((row) => [hashContactId(row), row]));
	}

	/** Returns a `since` that is so late that there are not too many marks. */
	private chooseSince(marks: Mark[]): number {
		const read = marks.filter(({ is }) => is !== 'failed');
		const times = read.map(getMarkTime);
		times.sort((a, b) => b - a);
		const firstTooMany = times[MAX_MARKS] ?? 0;
		const { since, next } = this.last;
		return Math.max(since, next, firstTooMany);
	}

	/** Returns the marks of conversations whose messages wait, but that the list lacks. */
	private findMissing(): Record<string, Mark> {
		const listed = this.getRowsByKey();
		const missing: Record<string, Mark> = {};
		for (const [key, mark] of Object.entries(this.last.marks)) {
			if (isMarkHeld(mark) && !listed.has(key))
				missing[key] = nextMark(mark, { result: 'missing' });
		}
		return missing;
	}
}

/** Leaves out marks that say no more than `since`; open conversations keep theirs. */
function leaveOutOldMarks(
	marks: ConversationMemory['marks'],
	since: number,
): ConversationMemory['marks'] {
	const needed: ConversationMemory['marks'] = {};
	for (const [key, mark] of Object.entries(marks)) {
		const isOpen = isMarkHeld(mark) || mark.is === 'failed';
		if (isOpen || getMarkTime(mark) > since) needed[key] = mark;
	}
	return needed;
}

/** The newest activity, but no time in the future: it would hide what comes until then. */
function findNewest(rows: IDataObject[]): number {
	const newest = Math.max(0, ...rows.map(getActivity));
	return Math.min(Date.now(), newest);
}
