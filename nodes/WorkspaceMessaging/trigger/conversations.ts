import type { IDataObject } from 'n8n-workflow';
import { recover } from '../transport/errors/ApiError';
import type { ApiError } from '../transport/errors/ApiError';
import type { Requester } from '../transport/request';
import { hash } from './fingerprint';
import { activityOf, contactTimeOf, createdAt, readConversations, readIncoming } from './readConversations';

/** What a trigger remembers of a conversation. */
interface Mark {
	/** The time of the contact's last message when the trigger read the conversation. */
	at: number;
	/** All messages up to this time have started the workflow. */
	from: number;
	/** The keys of the later messages that have started it, too. */
	ids: string[];
	/** When n8n first saw the last message, if it waits for more of them. */
	heldSince?: number;
	/** Whether the next poll reads the messages again, although the contact has not written since. */
	readAgain?: true;
	/** Whether the last poll did not find the conversation although messages wait. */
	isMissing?: true;
	/** Whether the service failed when the trigger read the conversation. */
	hasFailed?: true;
}

/** What a trigger remembers of all conversations. All times are in milliseconds since 1970. */
export interface ConversationMemory {
	/** All messages up to this time have started the workflow, except those of conversations with a mark. */
	since: number;
	/** `since` after the next complete poll. */
	next: number;
	/** The conversations whose contacts wrote later, by key. */
	marks: Record<string, Mark>;
}

/** A conversation whose contact has written, and all messages that have not started the workflow yet. */
interface News {
	conversation: IDataObject;
	/** Oldest first. */
	messages: IDataObject[];
}

/** The messages of a conversation that start the workflow now. The others wait for the next poll. */
interface Released {
	count: number;
	/** When n8n first saw the last message, if some of them wait. */
	heldSince?: number;
}

/** Messages and conversations can show up so much later than their times say. */
const LATE_MS = 60_000;
/** The most marks after a poll that has read all conversations. */
const MAX_MARKS = 500;
/** A poll ends when so many conversations could not be read. */
const MAX_FAILED = 8;
/** How often to read at most what has moved while the list was read. */
const MAX_READINGS = 10;
/** Conversations that are read side by side. */
const SIDE_BY_SIDE = 4;
/** Characters that stand for a conversation or a message: 48 bits of a hash of its ID. */
const KEY_LENGTH = 8;

const keyOf = ({ id }: IDataObject) => hash(String(id), KEY_LENGTH);

/**
 * Finds messages of contacts that no earlier poll has found.
 *
 * The list of conversations has the last activity of each, newest first. A poll reads it down to `since`. It then reads the
 * messages of the conversations whose contact has written meanwhile. `since` follows the newest activity at a distance of one
 * poll and a minute, because a conversation can move while a poll reads the list, and a message can show up late. What a poll
 * found above `since`, it remembers with marks.
 *
 * If the time is over, the poll remembers which conversations it has read, and the next poll goes on with the others. It does
 * the same if the service fails for some conversations: they do not hold up the others.
 */
export class ConversationPoll {
	private readonly marks: Map<string, Mark>;

	private newest = 0;

	/** Why conversations could not be read. */
	readonly failures: ApiError[] = [];

	constructor(
		private readonly client: Requester,
		private readonly last: ConversationMemory | undefined,
		/** Whether there is time to read another conversation. */
		private readonly hasTime: () => boolean,
	) {
		this.marks = new Map(Object.entries(last?.marks ?? {}));
	}

	/**
	 * Reads the conversations.
	 *
	 * @param take gets the messages of a conversation, and says how many of them start the workflow
	 */
	async run(take: (news: News, heldSince?: number) => Promise<Released>): Promise<ConversationMemory> {
		if (!this.last) return await this.begin();
		const news = (await this.readConversations())
			.filter((each) => this.hasNews(each))
			.sort((a, b) => this.failedBefore(a) - this.failedBefore(b) || contactTimeOf(a) - contactTimeOf(b));
		const waiting = [...news];
		while (waiting.length > 0 && this.failures.length < MAX_FAILED) {
			await Promise.all(
				waiting
					.splice(0, SIDE_BY_SIDE)
					.map(
						async (row) =>
							await this.read(row, take).catch(recover(isFailure, (error) => this.fail(row, error))),
					),
			);
			if (!this.hasTime()) break;
		}
		const { length } = this.failures;
		if (length > 0 && length === news.length - waiting.length) throw this.failures[0];
		// The failed ones are read again, but the list down to them must not get longer and longer.
		const isIncomplete = waiting.length > 0 || (length > 0 && this.marks.size < MAX_MARKS);
		return isIncomplete ? { ...this.last, marks: Object.fromEntries(this.marks) } : this.complete();
	}

	/** 1 for a conversation that could not be read the last time: it comes after all others. */
	private failedBefore(conversation: IDataObject): number {
		return this.marks.get(keyOf(conversation))?.hasFailed ? 1 : 0;
	}

	/** Remembers that a conversation could not be read. */
	private fail(conversation: IDataObject, error: ApiError): void {
		this.failures.push(error);
		const key = keyOf(conversation);
		const mark = this.marks.get(key) ?? { at: 0, from: this.last!.since, ids: [] };
		this.marks.set(key, { ...mark, hasFailed: true });
	}

	/** Returns the memory of the first poll: everything until now counts as found. */
	private async begin(): Promise<ConversationMemory> {
		const found: IDataObject[] = [];
		let end = 0;
		// The archive again: a conversation may have got there meanwhile.
		for (const query of [...LISTS, LISTS[0]]) {
			for await (const { rows, isLast } of readConversations(this.client, query)) {
				found.push(...rows);
				// The next pages have older ones.
				if (!isLast) end = Math.max(end, activityOf(rows[rows.length - 1]));
				break;
			}
		}
		const newest = newestOf(found);
		const since = Math.max(newest - LATE_MS, end);
		for (const row of found.filter((each) => activityOf(each) > since - LATE_MS)) {
			const messages: IDataObject[] = Array.isArray(row.messages) ? row.messages : [];
			const from = Math.max(0, ...messages.map(createdAt)) || activityOf(row);
			this.marks.set(keyOf(row), { at: contactTimeOf(row), from, ids: [] });
		}
		return { since, next: since, marks: Object.fromEntries(this.marks) };
	}

	/** Returns the conversations with an activity after `since`, and those whose messages wait. */
	private async readConversations(): Promise<IDataObject[]> {
		const held = [...this.marks.values()].filter(({ heldSince }) => heldSince !== undefined);
		const since = Math.min(this.last!.since, ...held.map(({ at }) => at - 1));
		const found = new Map<string, IDataObject>();
		for (const query of LISTS) await this.readDownTo(since, query, found);
		this.newest = newestOf([...found.values()]);
		for (const [key, mark] of this.marks) {
			if (mark.heldSince === undefined || found.has(key)) continue;
			// The first time, it may only have moved while the list was read.
			const { from, ids, isMissing } = mark;
			this.marks.set(key, isMissing ? { at: 0, from, ids } : { ...mark, isMissing: true });
		}
		return [...found.values()].filter((row) => activityOf(row) > since);
	}

	/**
	 * Reads a list of conversations down to an activity. A conversation that moves to a page that was already read would be
	 * missing, so if there was more than one page, what has moved meanwhile is read again.
	 */
	private async readDownTo(since: number, query: IDataObject, found: Map<string, IDataObject>) {
		let end = since;
		for (let reading = 0; reading < MAX_READINGS; reading++) {
			let pages = 0;
			let newest = end;
			for await (const { rows } of readConversations(this.client, query)) {
				pages++;
				for (const row of rows) found.set(keyOf(row), row);
				newest = Math.max(newest, ...rows.map(activityOf));
				if (rows.some((row) => activityOf(row) <= end)) break;
			}
			if (pages <= 1) return;
			end = newest;
		}
	}

	private hasNews(conversation: IDataObject): boolean {
		const at = contactTimeOf(conversation);
		const mark = this.marks.get(keyOf(conversation));
		if (!mark) return at > this.last!.since;
		return (
			mark.heldSince !== undefined || mark.readAgain === true || mark.hasFailed === true || mark.at !== at
		);
	}

	/** Reads the messages of a conversation that are new, and remembers which of them start the workflow. */
	private async read(
		conversation: IDataObject,
		take: (news: News, heldSince?: number) => Promise<Released>,
	): Promise<void> {
		const key = keyOf(conversation);
		const at = contactTimeOf(conversation);
		const mark: Mark = this.marks.get(key) ?? { at: 0, from: this.last!.since, ids: [] };
		const messages = await readIncoming(this.client, conversation, mark.from);
		const fresh = messages.filter((message) => !mark.ids.includes(keyOf(message)));
		const knownSince = mark.at === at ? mark.heldSince : undefined;
		const { count, heldSince } =
			fresh.length > 0 ? await take({ conversation, messages: fresh }, knownSince) : { count: 0 };
		const waiting = fresh.slice(count);
		const done = messages.filter((message) => !waiting.includes(message));
		// Also below the first message that waits, and where late ones can still come.
		const reached = Math.min(Math.max(mark.from, ...done.map(createdAt)), ...waiting.map(createdAt));
		const from = Math.max(mark.from, reached - LATE_MS);
		const ids = done.filter((message) => createdAt(message) > from).map(keyOf);
		const next: Mark = { at, from, ids };
		if (heldSince !== undefined) next.heldSince = heldSince;
		// A message can show up after the time of its conversation.
		if (mark.at !== at) next.readAgain = true;
		this.marks.set(key, next);
	}

	/** Returns the memory after a poll that has read all conversations, without the marks that are no longer needed. */
	private complete(): ConversationMemory {
		const last = this.last!;
		const entries = [...this.marks].sort(([, a], [, b]) => timeOfMark(b) - timeOfMark(a));
		const since = Math.max(last.since, last.next, timeOfMark(entries[MAX_MARKS]?.[1]));
		const isNeeded = ([, mark]: [string, Mark]) =>
			mark.heldSince !== undefined || mark.hasFailed === true || timeOfMark(mark) > since;
		const next = Math.max(since, this.newest - LATE_MS);
		return { since, next, marks: Object.fromEntries(entries.filter(isNeeded)) };
	}
}

/** The time of the newest message that a mark knows, or later. */
const timeOfMark = (mark: Mark | undefined) => (mark ? Math.max(mark.at, mark.from + LATE_MS) : 0);

/** The newest activity, but no time in the future: it would hide what comes until then. */
const newestOf = (rows: IDataObject[]) => Math.min(Date.now(), Math.max(0, ...rows.map(activityOf)));

/**
 * Archived conversations are left out of the usual list, and have one of their own. It comes first, because a message can take
 * its conversation out of the archive.
 */
const LISTS: IDataObject[] = [{ tags: '["archived"]' }, {}];

/** Whether only this conversation may be the reason for an error: neither the token, nor the limit, nor the network. */
const isFailure = ({ details: { status = 0 } }: ApiError) => status === 404 || status >= 500;
