import type { IDataObject } from 'n8n-workflow';
import { conversationApi } from '../../../nodes/WorkspaceMessaging/contract/conversation';
import { ApiError } from '../../../nodes/WorkspaceMessaging/transport/errors/ApiError';
import { Service } from '../../../nodes/WorkspaceMessaging/transport/request';
import type { Requester } from '../../../nodes/WorkspaceMessaging/transport/request';

/** How a service behaves in whose conversations people write all the time. */
export interface ChatTraits {
	conversations: number;
	/** The most records on one page. */
	cap: number;
	/** The most by which the clock advances with one change, in milliseconds. */
	stepMs: number;
	/** The longest time from the creation of a message until lists show it. */
	lateMs: number;
	/** Whether a conversation already has the time of a message that lists do not show yet. */
	announces: boolean;
	/** The most by which the times of a conversation differ from those of its messages. */
	blurMs: number;
	/** The most changes before each request. */
	changes: number;
	/** The share of requests that fail. */
	fails: number;
	/** Whether the first contact writes before each request. */
	neverStops: boolean;
	/** Whether a message takes its conversation out of the archive. */
	reopens: boolean;
}

export function chatTraitsOf(random: () => number): ChatTraits {
	const pick = <T>(...values: T[]): T => values[Math.floor(random() * values.length)];
	const stepMs = pick(5, 1000, 20_000, 200_000);
	return {
		conversations: pick(1, 3, 8, 40),
		cap: pick(2, 7, 50, 50),
		stepMs,
		lateMs: pick(0, 0, 0, 15_000),
		announces: false,
		blurMs: stepMs < 1000 ? 0 : pick(0, 20),
		changes: pick(1, 3),
		fails: pick(0, 0, 0.02, 0.1),
		neverStops: random() < 0.2,
		reopens: random() < 0.5,
	};
}

/** A message, with its place among all messages by the time when lists began to show it. */
export interface Written extends IDataObject {
	id: string;
	contactId: string;
	createdAt: string;
	messageType: string;
	shownAt: number;
	/** When lists begin to show it, in milliseconds since 1970, and whether that is late. */
	dueAt: number;
	isLate: boolean;
}

interface Conversation extends IDataObject {
	id: string;
	contactId: string;
	archivedAt: string | null;
	lastActivityAt: string | null;
	contactRepliedAt: string | null;
	/** Its messages, newest first. */
	own: Written[];
}

/** Says where a record is in a list, which has no two records at the same place. */
const keyOf = (row: IDataObject, field: string) =>
	`${(row[field] as string | null) ?? ''} ${String(row.id).padStart(9)}`;

/** A service with conversations that change between requests. */
export class MovingConversations {
	/** All messages, oldest first as lists show them. */
	readonly messages: Written[] = [];

	/** How many things happened so far. */
	now = 0;

	/** The service's clock, in milliseconds since 1970. */
	time = Date.UTC(2026, 0, 1);

	/** Before how many more requests something changes. */
	changesFor = 0;

	/** How many more conversations move into the archive or out of it. */
	moves = 0;

	isFailing = false;

	requests = 0;

	/**
	 * The contacts whose messages the service cannot return, and its status; 0 if the connection
	 * breaks.
	 */
	readonly broken = new Map<string, number>();

	private readonly conversations: Conversation[] = [];

	/** Messages that lists do not show yet. */
	private hidden: Written[] = [];

	private ids = 0;

	constructor(
		private readonly random: () => number,
		private readonly traits: ChatTraits,
	) {
		for (let index = 0; index < traits.conversations; index++) {
			const contactId = `1${index}`;
			const times = { archivedAt: null, lastActivityAt: null, contactRepliedAt: null };
			this.conversations.push({ id: `7${index}`, contactId, contact: null, own: [], ...times });
			if (random() < 0.7) this.write(this.conversations[index]);
		}
		this.show();
	}

	readonly client: Requester = {
		service: new Service(),
		request: async (endpoint, { query = {}, params = {} } = {}) => {
			this.requests++;
			await Promise.resolve();
			if (this.changesFor-- > 0) this.change();
			if (this.isFailing && this.random() < this.traits.fails)
				throw new ApiError('The service fails', { outcome: 'refused', status: 403 });
			if (endpoint === conversationApi.listConversations) return this.listConversations(query);
			const contactId = String(params.identifier).slice('id:'.length);
			const status = this.broken.get(contactId);
			if (status !== undefined)
				throw new ApiError('The service fails', { outcome: 'refused', status });
			const { own, ...row } = this.conversationOf(contactId);
			if (endpoint !== conversationApi.listContactMessages)
				return { id: contactId, conversation: row };
			return this.page(own, 'createdAt', query);
		},
	};

	/** Changes some things, between polls or requests. */
	change() {
		const { conversations, changes, neverStops } = this.traits;
		for (let times = this.below(changes + 1); times > 0; times--) {
			const conversation = this.conversations[this.below(conversations)];
			const kind = this.random();
			if (kind < 0.5) this.write(conversation);
			else if (kind < 0.65) this.add(conversation, kind < 0.6 ? 'outgoing' : 'activity');
			else if (kind < 0.75) this.edit();
			else if (this.moves-- > 0)
				conversation.archivedAt = conversation.archivedAt ? null : this.clock();
		}
		if (neverStops) this.write(this.conversations[0]);
	}

	/** A contact writes. */
	private write(conversation: Conversation) {
		const isLate = this.traits.lateMs > 0 && this.random() < 0.2;
		const message = this.messageOf(conversation, 'incoming', isLate);
		if (!isLate) this.receive(message);
		else this.hidden.push(message);
		if (isLate && this.traits.announces) this.move(conversation, Date.parse(message.createdAt));
	}

	/** Lets time pass. */
	advance(ms: number) {
		const time = this.time + ms;
		this.show(time);
		this.time = time;
	}

	/** Breaks a conversation, or mends it. */
	breakOne(status: number) {
		const { contactId } = this.conversations[this.below(this.traits.conversations)];
		if (!this.broken.delete(contactId)) this.broken.set(contactId, status);
	}

	/** Shows the hidden messages that are due by this time. */
	show(time = Infinity) {
		const due = this.hidden.filter(({ dueAt }) => dueAt <= time);
		this.hidden = this.hidden.filter(({ dueAt }) => dueAt > time);
		for (const message of due) {
			this.time = Math.max(this.time, message.dueAt);
			this.receive(message);
		}
	}

	private receive(message: Written) {
		const conversation = this.conversationOf(message.contactId);
		this.put(conversation, message);
		if (message.isLate && this.traits.announces) return;
		this.move(conversation, message.isLate ? this.time : Date.parse(message.createdAt));
	}

	private move(conversation: Conversation, at: number) {
		const blurred = () => at + this.below(this.traits.blurMs + 1);
		const repliedAt = Math.max(Date.parse(conversation.contactRepliedAt ?? '0') + 1, blurred());
		conversation.contactRepliedAt = new Date(repliedAt).toISOString();
		conversation.lastActivityAt = new Date(blurred()).toISOString();
		if (this.traits.reopens) conversation.archivedAt = null;
	}

	private add(conversation: Conversation, messageType: string) {
		const message = this.messageOf(conversation, messageType, false);
		this.put(conversation, message);
		conversation.lastActivityAt = message.createdAt;
	}

	private put({ own }: Conversation, message: Written) {
		message.shownAt = ++this.now;
		this.messages.push(message);
		const place = own.findIndex((each) => keyOf(each, 'createdAt') < keyOf(message, 'createdAt'));
		own.splice(place === -1 ? own.length : place, 0, message);
	}

	private conversationOf(id: string) {
		return this.conversations.find(({ contactId }) => contactId === id)!;
	}

	private edit() {
		const message = this.messages[this.below(this.messages.length)];
		if (message) Object.assign(message, { text: 'Edited', updatedAt: this.clock() });
	}

	private messageOf(
		{ id, contactId }: Conversation,
		messageType: string,
		isLate: boolean,
	): Written {
		const createdAt = this.clock();
		const dueAt = this.time + (isLate ? this.below(this.traits.lateMs) : 0);
		const text = `Message ${++this.ids}`;
		const own = {
			id: `8${this.ids}`,
			contactId,
			conversationId: id,
			text,
			messageType,
			attachments: [],
		};
		return { ...own, createdAt, shownAt: 0, dueAt, isLate, type: 'message', contentType: 'text' };
	}

	private listConversations(query: IDataObject) {
		const isArchived = query.tags !== undefined;
		const rows = this.conversations
			.filter(({ archivedAt }) => (archivedAt !== null) === isArchived)
			.map(({ own, ...row }) => ({ ...row, messages: own.slice(0, 1) }))
			.sort((a, b) => (keyOf(a, 'lastActivityAt') < keyOf(b, 'lastActivityAt') ? 1 : -1));
		return this.page(rows, 'lastActivityAt', query);
	}

	/** Returns a page; the cursor says where the last one ended. */
	private page(rows: IDataObject[], field: string, { cursor, perPage }: IDataObject) {
		const isAfter = (row: IDataObject) =>
			cursor === undefined || keyOf(row, field) < String(cursor);
		const first = rows.findIndex(isAfter);
		const size = Math.min(Number(perPage), this.traits.cap);
		const data = first === -1 ? [] : rows.slice(first, first + size).map((row) => ({ ...row }));
		const hasMore = first !== -1 && first + size < rows.length;
		return { data, nextCursor: hasMore ? keyOf(data[data.length - 1], field) : null };
	}

	/** Advances the clock by at least a millisecond, and shows what is due by then. */
	private clock(): string {
		this.advance(1 + this.below(this.traits.stepMs));
		return new Date(this.time).toISOString();
	}

	private below(count: number): number {
		return Math.floor(this.random() * count);
	}
}
