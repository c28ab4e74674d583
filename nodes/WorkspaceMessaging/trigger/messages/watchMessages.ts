import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { chooseConversationTime } from '../../conversations/conversation';
import { readConversationList } from '../../conversations/list';
import {
	isAboutToken,
	isRateLimited,
	onApiError,
	type ApiError,
} from '../../transport/errors/ApiError';
import type { Requester } from '../../transport/request';
import { ContactItems } from '../contactItems';
import type { PollHost, Watcher } from '../types';
import { markAsRead } from './markAsRead';
import {
	beginMessageMemory,
	getConversationMemoryStart,
	PolledConversations,
} from './conversationMemory';
import type { ConversationMemory } from './conversationMemory';
import { nextMark, type Mark } from './mark';
import { addContact, makeMessageItems, type FoundMessages } from './foundMessages';
import { groupMessages } from './groupMessages';
import { leaveOutOld } from './oldMessages';
import {
	readActiveConversations,
	readContactOfConversation,
	readConversationForEvent,
	readIncomingMessages,
	readMessagesOfBoth,
	readNewestConversations,
} from './readConversations';
import {
	collectFound,
	getMarks,
	hasFailed,
	hitLimit,
	startsWorkflow,
	throwIfNoneIsRead,
	warnOfFailures,
	type ReadOutcome,
} from './readOutcomes';
import { ReadyMessages, type KnownBefore } from './readyMessages';
import type { MessageSettings } from './settings';

/** Conversations that are read side by side. */
const CONVERSATIONS_AT_ONCE = 4;
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

	private readonly ready: ReadyMessages;

	/** How long a contact is quiet at the end of a group. */
	private readonly quietMs: number;

	/** The most contacts whose messages start the workflow with one poll. */
	private readonly mostContacts: number;

	constructor(
		private readonly client: Requester,
		private readonly settings: MessageSettings,
		private readonly host: PollHost,
	) {
		this.contacts = new ContactItems(client, settings);
		this.ready = new ReadyMessages(settings.parameters, this.contacts.readDefinitions);
		const { groupMessages, executionPerContact } = settings.parameters.options;
		this.quietMs = groupMessages * 1000;
		this.mostContacts = executionPerContact ? host.mostExecutions : Infinity;
	}

	/**
	 * Throws if the service can return no conversation, though a single one that fails may be the
	 * only one with news.
	 */
	async poll(last: ConversationMemory | undefined) {
		if (!last) return { items: [], memory: await this.begin(), mustSave: false };
		const start = getConversationMemoryStart(last);
		const rows = await readActiveConversations(this.client, start);
		const polled = new PolledConversations(last, rows);
		const { outcomes, isComplete } = await this.readNews(polled);
		const items = await this.makeItems(collectFound(outcomes));
		const memory = polled.toMemory(getMarks(outcomes), isComplete);
		const { options } = this.settings.parameters;
		if (options.markAsRead) await markAsRead(items, this.host);
		const mustSave = outcomes.some(({ isSkipped }) => isSkipped);
		const executionOf = options.executionPerContact ? getContactOfItem : undefined;
		return { items, memory, mustSave, executionOf };
	}

	/** Finds the last message, or group of messages, of one of the newest conversations. */
	async sample() {
		const { value } = await readConversationList(this.client).next();
		const rows = value?.rows ?? [];
		const getContactRepliedAt = chooseConversationTime(rows);
		const written = rows.filter(
			(row) => getContactRepliedAt(row) > 0 && this.ready.isInCharge(row),
		);
		for (const conversation of written.slice(0, SAMPLE_CONVERSATIONS)) {
			const item = await this.sampleOf(conversation);
			if (item) return item;
			if (!this.host.hasTime()) break;
		}
		return undefined;
	}

	private async sampleOf(conversation: IDataObject) {
		const { client, quietMs } = this;
		const messages = await readIncomingMessages(client, conversation, 0, { pages: 1 });
		const { groups } = groupMessages(messages, quietMs, Infinity);
		if (groups.length === 0) return undefined;
		const record = await readContactOfConversation(client, conversation);
		const found = this.addContact({ record, conversation }, groups);
		const items = await this.makeItems(await this.contacts.match(found.slice(-1)));
		return items.at(0);
	}

	private async begin(): Promise<ConversationMemory> {
		const { rows, end } = await readNewestConversations(this.client);
		return beginMessageMemory(rows, end);
	}

	/** Reads the conversations with news, and then those that failed before. */
	private async readNews(polled: PolledConversations) {
		const failedBefore = polled.findFailedToTry();
		const waiting = polled.findNews();
		const outcomes: ReadOutcome[] = [];
		let areAllTaken = true;
		while (waiting.length > 0) {
			// If none can be read, the service has failed rather than a conversation.
			const isBrief = outcomes.length > 0 && outcomes.every(hasFailed);
			const batch = waiting.splice(0, CONVERSATIONS_AT_ONCE);
			const read = await this.readSideBySide(polled, batch, isBrief);
			const taken = await this.take(read, outcomes);
			outcomes.push(...taken);
			areAllTaken = taken.length === read.length;
			if (outcomes.some(hitLimit) || this.isFull(outcomes) || !this.host.hasTime()) break;
		}
		throwIfNoneIsRead(outcomes);
		const isComplete = waiting.length === 0 && areAllTaken && !outcomes.some(hitLimit);
		if (isComplete) await this.readFailed(polled, failedBefore, outcomes);
		warnOfFailures(outcomes, this.host);
		return { outcomes, isComplete };
	}

	/**
	 * Tries again to read conversations that failed before, until some of them fail once more, and
	 * adds what came of it to the outcomes of the others.
	 */
	private async readFailed(
		polled: PolledConversations,
		waiting: IDataObject[],
		outcomes: ReadOutcome[],
	) {
		while (waiting.length > 0 && !this.isFull(outcomes) && this.host.hasTime()) {
			const batch = waiting.splice(0, CONVERSATIONS_AT_ONCE);
			const read = await this.readSideBySide(polled, batch, true);
			const taken = await this.take(read, outcomes);
			outcomes.push(...taken);
			if (read.some(hasFailed)) break;
		}
	}

	/**
	 * Leaves out messages whose contacts do not meet the conditions, and then the outcomes of the
	 * contacts for whom this poll can start no execution: they are as if they had not been read.
	 *
	 * @param before the outcomes that the poll has taken
	 */
	private async take(read: ReadOutcome[], before: ReadOutcome[]): Promise<ReadOutcome[]> {
		const messages = read.flatMap(({ found }) => found);
		const matching = new Set(await this.contacts.match(messages));
		const taken: ReadOutcome[] = [];
		for (const outcome of read) {
			const found = outcome.found.filter((each) => matching.has(each));
			const isSkipped = outcome.isSkipped || found.length < outcome.found.length;
			const reduced = { ...outcome, found, isSkipped };
			if (startsWorkflow(reduced) && this.isFull([...before, ...taken])) continue;
			taken.push(reduced);
		}
		return taken;
	}

	/** Whether this poll can start no more executions. */
	private isFull(outcomes: ReadOutcome[]): boolean {
		return outcomes.filter(startsWorkflow).length >= this.mostContacts;
	}

	private async readSideBySide(
		polled: PolledConversations,
		rows: IDataObject[],
		isBrief: boolean,
	): Promise<ReadOutcome[]> {
		const isExpected = (error: ApiError) => !isAboutToken(error);
		const readings = rows.map(async (row) => {
			const reading = this.read(this.host.requesterForOne(isBrief), polled, row);
			return await reading.catch(
				onApiError(isExpected, (error) => this.failedOutcome(polled, row, error)),
			);
		});
		return await Promise.all(readings);
	}

	private failedOutcome(
		polled: PolledConversations,
		row: IDataObject,
		error: ApiError,
	): ReadOutcome {
		const outcome = { row, found: [], isSkipped: false, error };
		if (isRateLimited(error)) return outcome;
		const mark = nextMark(polled.get(row), {
			result: 'failure',
			contactId: String(row.contactId),
			at: polled.getContactRepliedAt(row),
			now: Date.now(),
		});
		return { ...outcome, mark };
	}

	/**
	 * Reads the messages of a conversation that are new, and the contact of those that start the
	 * workflow now.
	 */
	private async read(
		client: Requester,
		polled: PolledConversations,
		row: IDataObject,
	): Promise<ReadOutcome> {
		const begunAt = Date.now();
		const before = polled.get(row);
		let conversation = row;
		// One that failed before may no longer be in the list.
		if (row.id === undefined) conversation = await readConversationForEvent(client, row);
		const at = polled.getContactRepliedAt(conversation);
		const { messages, personWrote } = await readMessagesOfBoth(client, conversation, before.from);
		const fresh = this.leaveOutKnown(polled, before, messages);
		const now = Date.now();
		const known: KnownBefore = { mark: before, at, now, personWrote };
		const ready = await this.ready.choose(client, conversation, fresh, known);
		const { groups, contact, isSkipped, ...waiting } = ready;
		const mark = nextMark(before, { result: 'messages', at, begunAt, now, messages, ...waiting });
		const found = contact ? this.addContact(contact, groups) : [];
		return { row, mark, found, isSkipped };
	}

	/** Leaves out messages that polls before have seen, and those that are too old. */
	private leaveOutKnown(
		polled: PolledConversations,
		before: Mark,
		messages: IDataObject[],
	): IDataObject[] {
		const unknown = messages.filter((message) => !polled.isKnown(message));
		const { skipOlderThan } = this.settings.parameters.options;
		return leaveOutOld(unknown, skipOlderThan, before, this.waitsSince(polled));
	}

	/** Since when messages wait for the trigger: for their turn, or because polls failed. */
	private waitsSince({ behindSince }: PolledConversations): number {
		const { failingSince = Infinity } = this.host;
		return Math.min(behindSince, failingSince);
	}

	private addContact(
		{ record, conversation }: Omit<FoundMessages, 'messages'>,
		groups: IDataObject[][],
	): FoundMessages[] {
		const { inboxIds } = this.settings.parameters;
		return addContact(inboxIds, record, conversation, groups);
	}

	private async makeItems(found: FoundMessages[]) {
		return await makeMessageItems(found, this.contacts, this.settings, this.host);
	}
}

/** Returns the ID of the contact of an item, which Simplify leaves in every item. */
const getContactOfItem = ({ json }: INodeExecutionData) => String(json.sessionId);
