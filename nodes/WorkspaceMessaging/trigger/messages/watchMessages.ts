import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { chooseConversationTime } from '../../conversations/conversation';
import { readConversationList } from '../../conversations/list';
import type { Requester } from '../../transport/request';
import { ContactItems } from '../contactItems';
import type { PollHost, Watcher } from '../types';
import { markAsRead } from './markAsRead';
import {
	beginMessageMemory,
	isConversationMemory,
	PolledConversations,
	type ConversationMemory,
} from './conversationMemory';
import { addContact, makeMessageItems, type FoundMessages } from './foundMessages';
import { groupMessages } from './groupMessages';
import {
	readActiveConversations,
	readIncomingMessages,
	readNewestConversations,
} from './readConversations';
import { readContactOfConversation } from '../../conversations/contact';
import { NewsReader } from './readNews';
import { collectFound, getMarks } from './readOutcomes';
import { isInCharge } from './readyMessages';
import type { MessageSettings } from './settings';

/** The newest conversations to search for a sample. */
const SAMPLE_CONVERSATIONS = 10;

/**
 * Watches for messages of contacts. The reference shows none; services list conversations and their
 * messages.
 *
 * A poll reads the newest conversations, then the messages of those whose contact has written,
 * groups them, and makes an item of each group. If the time is over, or if there are as many contacts
 * as one poll may start executions for, the next poll goes on with the other conversations. If the
 * service fails for one, later polls try it again after all others, at first soon, then ever more
 * rarely, for a week.
 */
export class MessageWatcher implements Watcher {
	private readonly contacts: ContactItems;

	constructor(
		private readonly client: Requester,
		private readonly settings: MessageSettings,
		private readonly host: PollHost,
	) {
		this.contacts = new ContactItems(client, settings);
	}

	async poll(last: unknown) {
		if (!isConversationMemory(last))
			return { items: [], memory: await this.begin(), mustSave: false };
		const rows = await readActiveConversations(this.client, last.since);
		const polled = new PolledConversations(last, rows);
		const { outcomes, isComplete } = await this.readNews(polled);
		const found = collectFound(outcomes);
		const items = await this.makeItems(found);
		const { options } = this.settings.parameters;
		if (options.markAsRead) await markAsRead(items, this.host);
		return {
			items,
			memory: polled.toMemory(getMarks(outcomes), isComplete),
			mustSave: outcomes.some(({ isSkipped }) => isSkipped),
			executionOf: options.executionPerContact ? getContactOfItem : undefined,
		};
	}

	private async readNews(polled: PolledConversations) {
		const { parameters } = this.settings;
		const reader = new NewsReader(polled, this.contacts, parameters, this.host);
		return await reader.readAll();
	}

	/** Finds the last message, or group of messages, of one of the newest conversations. */
	async sample() {
		const { value } = await readConversationList(this.client).next();
		const rows = value?.rows ?? [];
		const getContactRepliedAt = chooseConversationTime(rows);
		const { inCharge } = this.settings.parameters;
		const written = rows.filter((row) => getContactRepliedAt(row) > 0 && isInCharge(row, inCharge));
		for (const conversation of written.slice(0, SAMPLE_CONVERSATIONS)) {
			const item = await this.sampleOf(conversation);
			if (item) return item;
			if (!this.host.hasTime()) break;
		}
		return undefined;
	}

	private async sampleOf(conversation: IDataObject) {
		const { client } = this;
		const { inboxIds, options } = this.settings.parameters;
		const messages = await readIncomingMessages(client, conversation, 0, { pages: 1 });
		const { groups } = groupMessages(messages, options.groupMessages * 1000, Infinity);
		if (groups.length === 0) return undefined;
		const record = await readContactOfConversation(client, conversation);
		const found = addContact(inboxIds, record, conversation, groups);
		const last = found.slice(-1);
		const matching = await this.contacts.match(last);
		const items = await this.makeItems(matching);
		return items.at(0);
	}

	private async begin(): Promise<ConversationMemory> {
		const { rows, end } = await readNewestConversations(this.client);
		return beginMessageMemory(rows, end);
	}

	private async makeItems(found: FoundMessages[]) {
		return await makeMessageItems(found, this.contacts, this.settings, this.host);
	}
}

/** Returns the ID of the contact of an item, which Simplify leaves in every item. */
const getContactOfItem = ({ json }: INodeExecutionData) => String(json.sessionId);
