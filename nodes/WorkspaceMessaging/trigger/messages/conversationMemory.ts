import type { IDataObject } from 'n8n-workflow';
import { objectsIn } from '../../transport/guards';
import { getActivity } from '../../conversations/list';
import { createdAt } from '../../conversations/messages';
import { chooseContactTime, getContactKey, getMessageKey } from './readConversations';

/* What the trigger remembers of conversations. All times are in milliseconds since 1970. */

/** What a trigger remembers of a conversation that could not be read. The times are n8n's. */
interface Failed {
	contactId: string;
	/** When the first try failed. */
	since: number;
	/** When the last try failed. */
	triedAt: number;
}

/** What a trigger remembers of a conversation. */
export interface Mark {
	/** The time of the contact's last message when the trigger read the conversation. */
	at: number;
	/** All messages up to this time have started the workflow. */
	from: number;
	/** The keys of the later messages that have started it, too. */
	ids: string[];
	/** When n8n first saw the last message, if it waits for more of them. */
	heldSince?: number;
	/**
	 * From when on (n8n's time) a poll reads the messages again, although the contact has not written
	 * since.
	 */
	again?: number[];
	/** Whether the last poll did not find the conversation although messages wait. */
	isMissing?: true;
	/** Set if the conversation could not be read. */
	failed?: Failed;
}

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
}

/** What a poll has read of a conversation. */
export interface Reading {
	conversation: IDataObject;
	/** When the contact wrote last. */
	at: number;
	/** When the poll began to read, in n8n's time. */
	begunAt: number;
	/** The messages since the mark's `from`, oldest first. */
	messages: IDataObject[];
	/** Those of them that start the workflow later. */
	waiting: IDataObject[];
	/** When n8n first saw the last message, if some messages wait. */
	heldSince?: number;
}

/** Messages and conversations can show up so much later than their times say. */
const LATE_MS = 60_000;
/** The most marks after a poll that has read all conversations. */
const MAX_MARKS = 500;
/** The longest time between two tries to read a conversation that failed. */
const LONGEST_RETRY_PAUSE_MS = 3_600_000;
/** How long to try again. */
const GIVE_UP_AFTER_MS = 7 * 24 * 3_600_000;

/**
 * Returns the memory of the first poll: all messages until now count as found.
 *
 * @param rows the newest conversations
 * @param end an activity down to which no conversation is missing
 */
export function beginMessageMemory(rows: IDataObject[], end: number): ConversationMemory {
	const since = Math.max(findNewest(rows) - LATE_MS, end);
	const getContactTime = chooseContactTime(rows);
	const marks: ConversationMemory['marks'] = {};
	for (const row of rows.filter((each) => getActivity(each) > since - LATE_MS)) {
		const from = Math.max(0, ...objectsIn(row.messages).map(createdAt)) || getActivity(row);
		marks[getContactKey(row)] = { at: getContactTime(row), from, ids: [] };
	}
	return { since, next: since, marks };
}

/**
 * Returns the activity down to which a poll reads the list: also to conversations whose messages
 * wait for others.
 */
export const getStartOfReading = (last: ConversationMemory) =>
	Math.min(last.since, ...findHeld(last).map(([, { at }]) => at - 1));

/** Returns the conversations whose messages wait for others. */
const findHeld = ({ marks }: ConversationMemory) =>
	Object.entries(marks).filter(([, { heldSince, failed }]) => heldSince !== undefined && !failed);

/**
 * The memory of the last poll. With the list of conversations, it says which of them have news, and
 * becomes the memory of this poll.
 *
 * A poll reads the list down to `since`, which follows the newest activity at a distance of one
 * poll and two minutes, because a conversation can move while a poll reads the list, and a message
 * can show up late. What a poll found above `since`, it remembers with marks.
 */
export class Marks {
	/** The messages that have started the workflow; one can move to another contact. */
	private readonly known: Set<string>;

	/** Returns when the contact of a conversation wrote last. */
	readonly getContactTime: (row: IDataObject) => number;

	/** @param rows the listed conversations */
	constructor(
		private readonly last: ConversationMemory,
		private readonly rows: IDataObject[],
	) {
		this.known = new Set(Object.values(last.marks).flatMap(({ ids }) => ids));
		this.getContactTime = chooseContactTime(rows);
	}

	/** Returns what the last poll remembered of a conversation. */
	get(row: IDataObject): Mark {
		return this.last.marks[getContactKey(row)] ?? { at: 0, from: this.last.since, ids: [] };
	}

	/** Whether a message has started the workflow. */
	isKnown(message: IDataObject): boolean {
		return this.known.has(getMessageKey(message));
	}

	/** Returns the listed conversations to read, the one whose message waits longest first. */
	findNews(): IDataObject[] {
		const start = getStartOfReading(this.last);
		return this.rows
			.filter((row) => getActivity(row) > start && this.hasNews(row))
			.sort((a, b) => this.getContactTime(a) - this.getContactTime(b));
	}

	private hasNews(row: IDataObject): boolean {
		const at = this.getContactTime(row);
		const mark = this.last.marks[getContactKey(row)];
		if (!mark) return at > this.last.since;
		if (mark.failed) return false;
		const isDueAgain = mark.again?.some((time) => time <= Date.now()) === true;
		return mark.heldSince !== undefined || isDueAgain || mark.at !== at;
	}

	/**
	 * Returns the conversations that failed before and that it is time to try again, the one that
	 * waits longest first.
	 */
	findFailedToTry(): IDataObject[] {
		const now = Date.now();
		const listed = new Map(this.rows.map((row) => [getContactKey(row), row]));
		return Object.values(this.last.marks)
			.flatMap(({ failed }) => failed ?? [])
			.filter((failed) => isDue(failed, now))
			.sort((a, b) => a.triedAt - b.triedAt)
			.map(({ contactId }) => listed.get(getContactKey({ contactId })) ?? { contactId });
	}

	/** Returns the mark of a conversation that a poll has read. */
	afterReading({ conversation, at, begunAt, messages, waiting, heldSince }: Reading): Mark {
		const before = this.get(conversation);
		const done = messages.filter((message) => !waiting.includes(message));
		// Also below the first message that waits, and where late ones can still come.
		const reached = Math.min(
			Math.max(before.from, ...done.map(createdAt)),
			...waiting.map(createdAt),
		);
		const from = Math.max(before.from, reached - LATE_MS);
		const ids = done.filter((message) => createdAt(message) > from).map(getMessageKey);
		const mark: Mark = { at, from, ids };
		if (heldSince !== undefined) mark.heldSince = heldSince;
		// A message can show up after the time of its conversation: with the next poll, or some time
		// later.
		const isSame = before.at === at;
		const again = isSame
			? before.again?.filter((time) => time > begunAt)
			: [begunAt, Date.now() + LATE_MS];
		if (again && again.length > 0) mark.again = again;
		return mark;
	}

	/**
	 * Returns the mark of a conversation that could not be read. After a week, its messages until
	 * then count as found.
	 */
	afterFailure(row: IDataObject): Mark {
		const { failed: before, ...mark } = this.get(row);
		const now = Date.now();
		const failed = { contactId: String(row.contactId), since: before?.since ?? now, triedAt: now };
		if (now - failed.since < GIVE_UP_AFTER_MS) return { ...mark, failed };
		const at = this.getContactTime(row);
		return { at, from: Math.max(mark.from, at), ids: mark.ids };
	}

	/**
	 * Returns the memory after a poll.
	 *
	 * @param marks the new marks by the keys of the contacts
	 * @param isComplete whether the poll has read all conversations with news; otherwise the next
	 * poll goes on
	 */
	toMemory(marks: Map<string, Mark>, isComplete: boolean): ConversationMemory {
		const all = Object.entries({
			...this.last.marks,
			...this.findMissing(),
			...Object.fromEntries(marks),
		});
		if (!isComplete) return { ...this.last, marks: Object.fromEntries(all) };
		const times = all.filter(([, { failed }]) => !failed).map(([, mark]) => getMarkTime(mark));
		const [tooMany = 0] = times.sort((a, b) => b - a).slice(MAX_MARKS);
		const since = Math.max(this.last.since, this.last.next, tooMany);
		const isNeeded = (mark: Mark) =>
			mark.heldSince !== undefined || mark.failed !== undefined || getMarkTime(mark) > since;
		// One time for what shows up late, and one until it is read again.
		const next = Math.max(since, findNewest(this.rows) - 2 * LATE_MS);
		return { since, next, marks: Object.fromEntries(all.filter(([, mark]) => isNeeded(mark))) };
	}

	/** Returns the marks of conversations whose messages wait, but that the list lacks. */
	private findMissing(): Record<string, Mark> {
		const listed = new Set(this.rows.map(getContactKey));
		const missing: Record<string, Mark> = {};
		for (const [key, mark] of findHeld(this.last).filter(([each]) => !listed.has(each))) {
			const { from, ids, isMissing } = mark;
			// The first time, it may only have moved while the list was read.
			missing[key] = isMissing ? { at: 0, from, ids } : { ...mark, isMissing: true };
		}
		return missing;
	}
}

/**
 * Whether to try again: at first with the next poll, then after twice the time, and once an hour in
 * the end.
 */
const isDue = ({ since, triedAt }: Failed, now: number) =>
	now - triedAt >= Math.min(triedAt - since, LONGEST_RETRY_PAUSE_MS);

/** The time of the newest message that the trigger has read for a mark, or a little later. */
const getMarkTime = ({ at, from }: Mark) => Math.max(at, from + LATE_MS);

/** The newest activity, but no time in the future: it would hide what comes until then. */
const findNewest = (rows: IDataObject[]) =>
	Math.min(Date.now(), Math.max(0, ...rows.map(getActivity)));
