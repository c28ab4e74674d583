import type { IDataObject } from 'n8n-workflow';
import { conversationApi } from '../../../nodes/WorkspaceMessaging/contract/conversation';
import { ApiError } from '../../../nodes/WorkspaceMessaging/transport/errors/ApiError';
import type { ErrorDetails } from '../../../nodes/WorkspaceMessaging/transport/errors/ApiError';
import { Service } from '../../../nodes/WorkspaceMessaging/transport/request';
import type { Requester } from '../../../nodes/WorkspaceMessaging/transport/request';
import { messageReceived } from '../../../nodes/WorkspaceMessaging/trigger/messages/messageReceived';

const now = Date.now();

/** Returns the time so many seconds from now, as services write it. */
export const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();

/** A message of a contact. */
export const message = (id: string, createdAt: string, more: IDataObject = {}) => ({
	id,
	text: id,
	messageType: 'incoming',
	createdAt,
	...more,
});

/** A service with conversations and messages, which tests change between polls. */
export class OddService {
	conversations: IDataObject[] = [];

	messages: Record<string, IDataObject[]> = {};

	/** The contacts whose messages the service cannot return, and what it answers. */
	broken = new Map<string, ApiError>();

	warnings: string[] = [];

	largestPage = Infinity;

	sizes: unknown[] = [];

	simplify = true;

	/** What the service says of a contact. */
	record: IDataObject = {};

	/** Whose messages were requested, in order. */
	read: string[] = [];

	/** The items of the last poll. */
	items: unknown[] = [];

	/** What the trigger remembers. */
	memory: unknown;

	/** How many conversations the trigger remembers. */
	countMarks() {
		return Object.keys(this.marks).length;
	}

	/** How many failed conversations of a contact it remembers. */
	countMarksOf(contactId: string) {
		return Object.values(this.marks).filter((mark) => mark.contactId === contactId).length;
	}

	private get marks() {
		return (this.memory as { marks: Record<string, { contactId?: string }> }).marks;
	}

	constructor(private readonly parameters: IDataObject = {}) {}

	private readonly client: Requester = {
		service: new Service(),
		request: async (endpoint, { query = {}, params = {} } = {}) => {
			await Promise.resolve();
			const contactId = String(params.identifier).slice('id:'.length);
			if (endpoint === conversationApi.listConversations) return this.list(query);
			if (endpoint !== conversationApi.listContactMessages)
				return { id: contactId, ...this.record };
			this.read.push(contactId);
			const failure = this.broken.get(contactId);
			if (failure) throw failure;
			return { data: this.messages[contactId] ?? [], nextCursor: null };
		},
	};

	private list({ tags, perPage, cursor = '0' }: IDataObject) {
		if (tags !== undefined) return { data: [], nextCursor: null };
		this.sizes.push(perPage);
		if (Number(perPage) > this.largestPage)
			throw new ApiError('Too large', { outcome: 'refused', status: 422 });
		const end = Number(cursor) + Number(perPage);
		const data = this.conversations.slice(Number(cursor), end);
		return { data, nextCursor: end < this.conversations.length ? String(end) : null };
	}

	/** Polls once, and returns the texts of the items. */
	async poll(hasTime = () => true): Promise<unknown[]> {
		const watcher = messageReceived.watch(
			this.client,
			{
				parameters: messageReceived.parameters.parse(this.parameters),
				filters: {},
				simplify: this.simplify,
			},
			{
				hasTime,
				hasTimeForFiles: () => true,
				mostExecutions: Infinity,
				requesterForOne: () => this.client,
				warn: (text) => this.warnings.push(text),
				warnHourly: (text) => this.warnings.push(text),
				saveFile: () => Promise.resolve({ data: '', mimeType: 'image/jpeg' }),
			},
		);
		const result = await watcher.poll(this.memory);
		this.memory = JSON.parse(JSON.stringify(result.memory));
		this.items = result.items;
		return result.items.map((item) => ('json' in item ? (item.json as IDataObject) : item).text);
	}
}

/** A conversation whose contact wrote last at this time. */
export const conversation = (contactId: string, time: string, more: IDataObject = {}) => ({
	id: `7${contactId}`,
	contactId,
	lastActivityAt: time,
	contactRepliedAt: time,
	contactInboxes: [],
	...more,
});

/** Something that the service answers instead of messages. */
export const failure = (status = 500, more: Partial<ErrorDetails> = {}) =>
	new ApiError('Failed', { outcome: 'refused', status, ...more });
