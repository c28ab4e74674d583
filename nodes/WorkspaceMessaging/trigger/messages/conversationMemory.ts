import type { IDataObject } from 'n8n-workflow';
import { isObject, objectsIn } from '../../transport/guards';
import { getActivity, chooseConversationTime } from '../../conversations/conversation';
import { getMessageTime } from '../../conversations/messages';
import { getMarkTime, hasNews, hasUnread, isRetryDue, LATE_MS, type Mark } from './mark';
import { hashMessageId, hashContactId } from '../changes/fingerprints';
import { ascendingBy } from '../../values/numbers';

/* What the trigger remembers of all conversations. All times are in milliseconds since 1970. */

/** What a trigger remembers of all conversations. */
export interface ConversationMemory {
	/** All messages up to this time are done, except those of conversations with a mark. */
	since: number;
	/** `since` after the next complete poll. */
	next: number;
	/**
	 * The conversations whose contacts wrote later, those whose messages wait, and those that could
	 * not be read, by the key of the contact.
	 */
	marks: Record<string, Mark>;
	/** Since when each poll leaves conversations to the next one; undefined if the last one left none. */
	behindSince?: number;
	/** The keys of the contacts whom the last poll left to the next one, in their turn. */
	left?: string[];
}

/** The most marks after a poll that has read all conversations. */
const MAX_MARKS = 500;

/** The most contacts who keep their turn. */
const MAX_LEFT = 1000;

/** Whether this is such a memory; another version of the package may have kept another one. */
export const isConversationMemory = (memory: unknown): memory is ConversationMemory =>
	isObject(memory) && isObject(memory.marks);

/**
 * Returns the memory of the first poll: all messages until now count as done.
 *
 * @param rows the newest conversations
 * @param end an activity down to which no conversation is missing
 */
export function beginMessageMemory(rows: IDataObject[], end: number): ConversationMemory {
	const since = Math.max(findNewest(rows) - LATE_MS, end);
	const getContactRepliedAt = chooseConversationTime(rows);
	const marks: ConversationMemory['marks'] = {};
	for (const row of rows) {
		const at = getContactRepliedAt(row);
		const from = getNewestMessageTime(row) || getActivity(row);
		marks[hashContactId(row)] = { from, ids: [], at };
	}
	return { since, next: since, marks: leaveOutOldMarks(marks, since) };
}

/** Returns the time of the message that a listed conversation shows; 0 if it shows none with a time. */
function getNewestMessageTime({ messages }: IDataObject): number {
	const times = objectsIn(messages).map(getMessageTime);
	return Math.max(0, ...times);
}

/**
 * The memory of the last poll. With the list of conversations, it says which of them to read, and
 * becomes the memory of this poll.
 *
 * A poll reads the list down to `since`, which follows the newest activity at a distance of one
 * poll and two minutes, because a conversation can move while a poll reads the list, and a message
 * can show up late. What a poll found above `since`, it remembers with marks.
 */
export class PolledConversations {
	/** The keys of the messages that are done; one can move to another contact. */
	private readonly done: Set<string>;

	/** The listed conversations by the keys of their contacts. */
	private readonly listed: Map<string, IDataObject>;

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
		this.done = new Set(ids);
		this.listed = new Map(rows.map((row) => [hashContactId(row), row]));
		this.behindSince = last.behindSince ?? Date.now();
		this.getContactRepliedAt = chooseConversationTime(rows);
	}

	/** Returns what the last poll remembered of a conversation. */
	getMark(row: IDataObject): Mark {
		const { marks, since } = this.last;
		return marks[hashContactId(row)] ?? { from: since, ids: [] };
	}

	/** Whether a message has started the workflow, or was skipped. */
	isDone(message: IDataObject): boolean {
		return this.done.has(hashMessageId(message));
	}

	/**
	 * Returns the conversations to read: those with news, and those whose messages wait. Those that the
	 * last poll left come first, in the same order: otherwise contacts who write often, or for the first
	 * time, could keep others from their turn. Those that are only read again come last.
	 */
	findNews(): IDataObject[] {
		const news = this.rows.filter((row) => this.hasNews(row));
		const waiting = Object.values(this.last.marks).filter((mark) => mark.waiting && !mark.failed);
		const waitingRows = waiting.map((mark) => this.getRow(mark));
		const found = new Set([...news, ...waitingRows]);
		const byTime = [...found].sort(ascendingBy(this.getContactRepliedAt));
		const places = new Map(this.last.left?.map((key, place) => [key, place]));
		const getPlace = (row: IDataObject) =>
			places.get(hashContactId(row)) ?? places.size + Number(!this.hasUnread(row));
		return byTime.sort(ascendingBy(getPlace));
	}

	/** Whether a conversation can have messages that nobody has read, even if none shows up late. */
	hasUnread(row: IDataObject): boolean {
		return hasUnread(this.getMark(row), this.getContactRepliedAt(row));
	}

	private hasNews(row: IDataObject): boolean {
		const at = this.getContactRepliedAt(row);
		const mark = this.last.marks[hashContactId(row)];
		return mark ? hasNews(mark, at) : at > this.last.since;
	}

	/**
	 * Returns the conversations that failed before and that it is time to try again, the one that
	 * waits longest first.
	 */
	findFailedToTry(): IDataObject[] {
		const now = Date.now();
		const due = Object.values(this.last.marks).filter((mark) => isRetryDue(mark, now));
		const triedAt = ({ failed }: Mark) => failed?.triedAt ?? 0;
		due.sort(ascendingBy(triedAt));
		return due.map((mark) => this.getRow(mark));
	}

	/** Returns a conversation; if the list lacks it, all that is known is the contact. */
	private getRow({ contactId }: Mark): IDataObject {
		const row: IDataObject = { contactId };
		return this.listed.get(hashContactId(row)) ?? row;
	}

	/**
	 * Returns the memory after a poll.
	 *
	 * @param newMarks the marks of what the poll has read, by the keys of the contacts
	 * @param isComplete whether the poll has read all conversations with news; otherwise the next
	 * poll goes on
	 */
	toMemory(newMarks: Map<string, Mark>, isComplete: boolean): ConversationMemory {
		const marks = { ...this.last.marks, ...Object.fromEntries(newMarks) };
		if (!isComplete) {
			const keys = this.findNews().map(hashContactId);
			const left = keys.filter((key) => !newMarks.has(key)).slice(0, MAX_LEFT);
			return { ...this.last, marks, behindSince: this.behindSince, left };
		}
		const since = this.chooseSince(Object.values(marks));
		// One time for what shows up late, and one until it is read again.
		const settled = findNewest(this.rows) - 2 * LATE_MS;
		const next = Math.max(since, settled);
		return { since, next, marks: leaveOutOldMarks(marks, since) };
	}

	/** Returns a `since` that is so late that there are not too many marks. */
	private chooseSince(marks: Mark[]): number {
		const times = marks.filter(({ failed }) => !failed).map(getMarkTime);
		times.sort((a, b) => b - a);
		const firstTooMany = times[MAX_MARKS] ?? 0;
		const { since, next } = this.last;
		return Math.max(since, next, firstTooMany);
	}
}

/** Leaves out marks that say no more than `since`. */
function leaveOutOldMarks(
	marks: ConversationMemory['marks'],
	since: number,
): ConversationMemory['marks'] {
	const needed: ConversationMemory['marks'] = {};
	for (const [key, mark] of Object.entries(marks)) {
		const isOpen = mark.waiting ?? mark.failed;
		if (isOpen || getMarkTime(mark) > since) needed[key] = mark;
	}
	return needed;
}

/** The newest activity, but no time in the future: it would hide what comes until then. */
function findNewest(rows: IDataObject[]): number {
	const newest = Math.max(0, ...rows.map(getActivity));
	return Math.min(Date.now(), newest);
}
