/** A file of a message. */
export interface Attachment {
	id: string;
	originPath: string | null;
	name: string | null;
	mimeType: string | null;
	size: number | null;
	/** Where a client downloads it, without a token. */
	url: string | null;
	[field: string]: unknown;
}

/** A message of a conversation, as services return it. */
export interface Message {
	id: string;
	workspaceId: string;
	conversationId: string;
	contactInboxId: string | null;
	text: string | null;
	messageType: 'incoming' | 'outgoing' | 'activity';
	senderType: 'contact' | 'user' | 'bot' | 'api' | 'system';
	senderId: string | null;
	contentType: string;
	type: string;
	contentAttributes: Record<string, unknown>;
	attachments: Attachment[];
	/** The channel's ID of the message, once the channel has accepted it. */
	sourceId: string | null;
	/** Why the channel refused it. */
	sendError: string | null;
	parentId: string | null;
	attributes: { liked: boolean; hidden: boolean };
	createdAt: string;
	updatedAt: string;
	deletedAt: string | null;
}

/** Whether a message is older than another; of the same time, the one with the smaller ID is. */
const isOlder = (left: Message, right: Message) =>
	left.createdAt === right.createdAt
		? BigInt(left.id) < BigInt(right.id)
		: left.createdAt < right.createdAt;

/** The messages of a workspace, by contact. */
export class MessageStore {
	readonly #byContact = new Map<string, Message[]>();
	#lastAt = 0;

	/** The messages of a contact, oldest first. */
	of(contactId: string): readonly Message[] {
		return this.#byContact.get(contactId) ?? [];
	}

	/** Returns now, but later than every message. */
	nextTime(): string {
		return new Date(Math.max(Date.now(), this.#lastAt + 1)).toISOString();
	}

	add(contactId: string, message: Message): void {
		const messages = this.#byContact.get(contactId) ?? [];
		this.#byContact.set(contactId, messages);
		const next = messages.findLastIndex((each) => isOlder(each, message)) + 1;
		messages.splice(next, 0, message);
		this.#lastAt = Math.max(this.#lastAt, Date.parse(message.createdAt));
	}

	find(id: string): Message | undefined {
		return [...this.#byContact.values()].flat().find((message) => message.id === id);
	}

	/** Removes a message without a trace. */
	remove(message: Message): void {
		for (const messages of this.#byContact.values()) {
			const index = messages.indexOf(message);
			if (index !== -1) messages.splice(index, 1);
		}
	}
}
