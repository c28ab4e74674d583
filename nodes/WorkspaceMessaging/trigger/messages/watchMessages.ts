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
	isConversationMemory,
	PolledConversations,
	type ConversationMemory,
} from './conversationMemory';
import { markAfterFailure, markAfterReading, type Mark } from './mark';
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
import { ReadyMessages } from './readyMessages';
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

	/** Throws if the service can return none of several conversations. */
	async poll(last: unknown) {
		if (!isConversationMemory(last))
			return { items: [], memory: await this.begin(), mustSave: false };
		const rows = await readActiveConversations(this.client, last.since);
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
		const { inboxIds } = this.settings.parameters;
		const found = addContact(inboxIds, record, conversation, groups);
		const items = await this.makeItems(await this.contacts.match(found.slice(-1)));
		return items.at(0);
	}

	private async begin(): Promise<ConversationMemory> {
		const { rows, end } = await readNewestConversations(this.client);
		return beginMessageMemory(rows, end);
	}

	/**
	 * Reads the conversations with news, and then those that failed before. Of these, it tries some
	 * more only as long as none fails once more.
	 */
	private async readNews(polled: PolledConversations) {
		const news = await this.readInTurn(polled, polled.findNews(), [], false);
		throwIfNoneIsRead(news.outcomes);
		const failed = news.isComplete ? polled.findFailedToTry() : [];
		const { outcomes } = await this.readInTurn(polled, failed, news.outcomes, true);
		warnOfFailures(outcomes, this.host);
		return { outcomes, isComplete: news.isComplete };
	}

	/**
	 * Reads conversations, a few at a time. Returns the outcomes, and whether the poll came to the end
	 * of the conversations.
	 *
	 * @param before the outcomes of conversations that the poll has read already
	 * @param isRetry whether all of them failed before
	 */
	private async readInTurn(
		polled: PolledConversations,
		rows: IDataObject[],
		before: ReadOutcome[],
		isRetry: boolean,
	): Promise<{ outcomes: ReadOutcome[]; isComplete: boolean }> {
		const outcomes = [...before];
		for (let begun = 0; begun < rows.length; begun += CONVERSATIONS_AT_ONCE) {
			const hasBegun = outcomes.length > 0;
			if (hasBegun && (this.isFull(outcomes) || !this.host.hasTime()))
				return { outcomes, isComplete: false };
			// If none can be read, the service has failed rather than a conversation.
			const isBrief = isRetry || (hasBegun && outcomes.every(hasFailed));
			const batch = rows.slice(begun, begun + CONVERSATIONS_AT_ONCE);
			const read = await this.readSideBySide(polled, batch, isBrief);
			const taken = await this.take(read, outcomes);
			outcomes.push(...taken);
			const mustStop = taken.length < read.length || read.some(isRetry ? hasFailed : hitLimit);
			if (mustStop) return { outcomes, isComplete: false };
		}
		return { outcomes, isComplete: true };
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
		const isAboutOne = (error: ApiError) => !isAboutToken(error);
		const readings = rows.map(async (row) => {
			const client = this.host.requesterForOne(isBrief);
			const ifFailed = onApiError(isAboutOne, (error) => failedOutcome(polled, row, error));
			return await this.read(client, polled, row).catch(ifFailed);
		});
		return await Promise.all(readings);
	}

	/** Reads the new messages of a conversation, and chooses those that start the workflow now. */
	private async read(
		client: Requester,
		polled: PolledConversations,
		row: IDataObject,
	): Promise<ReadOutcome> {
		const begunAt = Date.now();
		const mark = polled.getMark(row);
		let conversation = row;
		// One whose messages wait, or that failed before, may no longer be in the list.
		if (row.id === undefined) conversation = await readConversationForEvent(client, row);
		const at = polled.getContactRepliedAt(conversation);
		const { messages, personWrote } = await readMessagesOfBoth(client, conversation, mark.from);
		const fresh = this.leaveOutDone(polled, mark, messages);
		const now = Date.now();
		const known = { mark, now, personWrote };
		const { waiting, ...chosen } = await this.ready.choose(client, conversation, fresh, known);
		const contactId = String(row.contactId);
		const next = markAfterReading(mark, { contactId, at, begunAt, now, messages, waiting });
		return { row, mark: next, ...chosen };
	}

	/** Leaves out messages that are done, and those that are too old. */
	private leaveOutDone(
		polled: PolledConversations,
		mark: Mark,
		messages: IDataObject[],
	): IDataObject[] {
		const fresh = messages.filter((message) => !polled.isDone(message));
		const { failingSince = Infinity } = this.host;
		const waitingSince = Math.min(polled.behindSince, failingSince);
		const { skipOlderThan } = this.settings.parameters.options;
		return leaveOutOld(fresh, skipOlderThan, mark, waitingSince);
	}

	private async makeItems(found: FoundMessages[]) {
		return await makeMessageItems(found, this.contacts, this.settings, this.host);
	}
}

/** Returns what comes of a conversation that could not be read. */
function failedOutcome(
	polled: PolledConversations,
	row: IDataObject,
	error: ApiError,
): ReadOutcome {
	const mark = polled.getMark(row);
	const outcome = { row, mark, found: [], isSkipped: false, error };
	// Nobody knows whether it can be read.
	if (isRateLimited(error)) return outcome;
	const at = polled.getContactRepliedAt(row);
	const failed = markAfterFailure(mark, String(row.contactId), at, Date.now());
	return { ...outcome, mark: failed };
}

/** Returns the ID of the contact of an item, which Simplify leaves in every item. */
const getContactOfItem = ({ json }: INodeExecutionData) => String(json.sessionId);
