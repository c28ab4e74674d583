import type { IDataObject } from 'n8n-workflow';
import { getMessageTime } from '../../conversations/messages';
import { isAboutToken, onApiError, type ApiError } from '../../transport/errors/ApiError';
import { unitMs } from '../../values/dates';
import { hashMessageId } from '../changes/fingerprints';
import type { ContactItems } from '../contactItems';
import type { PollHost } from '../types';
import type { PolledConversations } from './conversationMemory';
import type { FoundMessages } from './foundMessages';
import { markAfterReading, type Mark } from './mark';
import { readMessagesOfBoth } from './readConversations';
import { readConversationByContact } from '../../conversations/contact';
import {
	failedOutcome,
	hasFailed,
	hitLimit,
	startsWorkflow,
	throwIfNoneIsRead,
	warnIfBehind,
	warnOfFailures,
	type ReadOutcome,
} from './readOutcomes';
import { ReadyMessages } from './readyMessages';
import type { MessageSettings } from './settings';

/** Conversations that are read side by side. */
const CONVERSATIONS_AT_ONCE = 4;

/**
 * Reads the conversations with news in one poll, a few at a time, and chooses the messages that
 * start the workflow.
 */
export class NewsReader {
	/** What came of the conversations so far. */
	private readonly outcomes: ReadOutcome[] = [];

	private readonly ready: ReadyMessages;

	/** The most contacts whose messages start the workflow with one poll. */
	private readonly mostContacts: number;

	constructor(
		private readonly polled: PolledConversations,
		private readonly contacts: ContactItems,
		private readonly parameters: MessageSettings['parameters'],
		private readonly host: PollHost,
	) {
		this.ready = new ReadyMessages(parameters, contacts.readDefinitions);
		const { executionPerContact, executionsPerPoll } = parameters.options;
		const most = Math.min(executionsPerPoll, host.mostExecutions);
		this.mostContacts = executionPerContact ? most : Infinity;
	}

	/**
	 * Reads the conversations with news, and then those that failed before. `isComplete` says whether
	 * it came to the end of those with news; otherwise the next poll goes on, and n8n's log says so if
	 * it has for long.
	 *
	 * Throws if the service can return none of several conversations.
	 */
	async readAll(): Promise<{ outcomes: ReadOutcome[]; isComplete: boolean }> {
		const { polled, outcomes, host } = this;
		const isComplete = await this.readInTurn(polled.findNews(), false);
		throwIfNoneIsRead(outcomes);
		if (isComplete) await this.readInTurn(polled.findFailedToTry(), true);
		warnOfFailures(outcomes, host);
		const most = this.isFull() ? this.mostContacts : undefined;
		if (!isComplete) warnIfBehind(polled.behindSince, most, host);
		return { outcomes, isComplete };
	}

	/**
	 * Reads conversations until the time is over, or as many contacts start the workflow as one poll
	 * may start executions for. Returns whether it came to the end.
	 *
	 * @param isRetry whether all of them failed before: then one more failure ends this, too
	 */
	private async readInTurn(rows: IDataObject[], isRetry: boolean): Promise<boolean> {
		for (let begun = 0; begun < rows.length; begun += CONVERSATIONS_AT_ONCE) {
			const few = rows.slice(begun, begun + CONVERSATIONS_AT_ONCE);
			if (this.mustEnd(few)) return false;
			const isBrief = isRetry || this.isServiceDown();
			const batch = await this.readSideBySide(few, isBrief);
			const areAllTaken = await this.take(batch);
			const isOver = isRetry ? batch.some(hasFailed) : batch.some(hitLimit);
			if (!areAllTaken || isOver) return false;
		}
		return true;
	}

	/** Whether to leave conversations to the next poll; what is only read again needs no execution. */
	private mustEnd([next]: IDataObject[]): boolean {
		const hasBegun = this.outcomes.length > 0;
		const hasNoPlace = this.isFull() && this.polled.hasUnread(next);
		return hasBegun && (hasNoPlace || !this.host.hasTime());
	}

	/** Whether the service has failed rather than a conversation: none could be read so far. */
	private isServiceDown(): boolean {
		const hasBegun = this.outcomes.length > 0;
		return hasBegun && this.outcomes.every(hasFailed);
	}

	private async readSideBySide(rows: IDataObject[], isBrief: boolean): Promise<ReadOutcome[]> {
		const isAboutOne = (error: ApiError) => !isAboutToken(error);
		const readings = rows.map(async (row) => {
			const ifFailed = onApiError(isAboutOne, (error) => failedOutcome(this.polled, row, error));
			return await this.read(row, isBrief).catch(ifFailed);
		});
		return await Promise.all(readings);
	}

	/** Reads the new messages of a conversation, and chooses those that start the workflow now. */
	private async read(row: IDataObject, isBrief: boolean): Promise<ReadOutcome> {
		const client = this.host.requesterForOne(isBrief);
		const begunAt = Date.now();
		const mark = this.polled.getMark(row);
		// One whose messages wait, or that failed before, may no longer be in the list.
		const isListed = row.id !== undefined;
		const conversation = isListed ? row : await readConversationByContact(client, row);
		const { messages, personWrote } = await readMessagesOfBoth(client, conversation, mark.from);
		const fresh = this.leaveOutDone(messages, mark);
		const now = Date.now();
		const known = { mark, now, personWrote };
		const { found, waiting, isSkipped } = await this.ready.choose(
			client,
			conversation,
			fresh,
			known,
		);
		const next = markAfterReading(mark, {
			contactId: String(row.contactId),
			at: this.polled.getContactRepliedAt(conversation),
			begunAt,
			now,
			messages,
			waiting,
		});
		return { row, mark: next, found, isSkipped };
	}

	/** Leaves out messages that are done, and those that are too old. */
	private leaveOutDone(messages: IDataObject[], mark: Mark): IDataObject[] {
		const fresh = messages.filter((message) => !this.polled.isDone(message));
		const { failingSince = Infinity } = this.host;
		const waitingSince = Math.min(this.polled.behindSince, failingSince);
		return leaveOutOld(fresh, this.parameters.options.skipOlderThan, mark, waitingSince);
	}

	/**
	 * Takes the outcomes of a batch, without messages whose contacts do not meet the conditions, and
	 * leaves those for which this poll can start no execution. Returns whether it took all.
	 */
	private async take(batch: ReadOutcome[]): Promise<boolean> {
		const messages = batch.flatMap(({ found }) => found);
		const matching = new Set(await this.contacts.match(messages));
		let areAllTaken = true;
		for (const outcome of batch) {
			const ofMatching = withoutOthers(outcome, matching);
			const needsExecution = startsWorkflow(ofMatching);
			// Without an outcome, the mark of the conversation stays, and the next poll reads it again.
			if (needsExecution && this.isFull()) areAllTaken = false;
			else this.outcomes.push(ofMatching);
		}
		return areAllTaken;
	}

	/** Whether this poll can start no more executions. */
	private isFull(): boolean {
		return this.outcomes.filter(startsWorkflow).length >= this.mostContacts;
	}
}

/** Leaves out the messages of an outcome that are not among these. */
function withoutOthers(outcome: ReadOutcome, matching: Set<FoundMessages>): ReadOutcome {
	const found = outcome.found.filter((each) => matching.has(each));
	const isSkipped = outcome.isSkipped || found.length < outcome.found.length;
	return { ...outcome, found, isSkipped };
}

/**
 * Leaves out messages that were too old when the trigger could first read them. What waits here,
 * because something failed or for its turn, grows no older meanwhile.
 *
 * @param hours how old a message may be; 0 for any age
 * @param mark what the trigger remembers of the conversation
 * @param waitingSince since when messages wait for the trigger, in milliseconds since 1970
 */
function leaveOutOld(
	messages: IDataObject[],
	hours: number,
	{ waiting = {}, failed }: Mark,
	waitingSince: number,
): IDataObject[] {
	if (hours === 0) return messages;
	const readableSince = Math.min(waitingSince, failed?.since ?? Infinity);
	const oldest = readableSince - hours * unitMs.hours;
	return messages.filter((message) => {
		const hasWaited = hashMessageId(message) in waiting;
		return hasWaited || getMessageTime(message) >= oldest;
	});
}
