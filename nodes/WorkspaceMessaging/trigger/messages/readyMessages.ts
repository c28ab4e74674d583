import type { IDataObject } from 'n8n-workflow';
import type { CustomFieldDefinitions } from '../../contacts/customFields/definitions';
import { readQuestionFieldId } from '../../contacts/customFields/questionField';
import {
	getQuestionNote,
	isQuestionOpen,
	NOTHING_NOTED,
	type QuestionNote,
} from '../../contacts/customFields/questionNote';
import { getInCharge } from '../../conversations/conversation';
import { getMessageTime } from '../../conversations/messages';
import { isOwnPause } from '../../conversations/ownPause';
import { toObject } from '../../transport/guards';
import type { Requester } from '../../transport/request';
import { unitMs } from '../../values/dates';
import { getMarkHeldSince, getMarkSeen, type Mark, type ReadMessages } from './mark';
import { groupMessages } from './groupMessages';
import { splitByQuestion } from './questions';
import { readContactOfConversation, readMessagesOfBoth } from './readConversations';
import type { MessageSettings } from './settings';

/** What is known of a conversation besides its new messages. */
export interface KnownBefore {
	mark: Mark;
	/** When the contact wrote last. */
	at: number;
	/** n8n's time, in milliseconds since 1970. */
	now: number;
	/** When members wrote to the contact. */
	personWrote: number[];
}

/** The messages of a conversation that start the workflow now, and those that wait. */
interface Ready extends Pick<ReadMessages, 'waiting' | 'heldSince' | 'seen'> {
	groups: IDataObject[][];
	/** The contact and the conversation of the groups. */
	contact?: { record: IDataObject; conversation: IDataObject };
	/** Whether messages were skipped, because somebody else is in charge, or has just written. */
	isSkipped: boolean;
}

/** Chooses which messages start the workflow: now, later, or never. */
export class ReadyMessages {
	/**
	 * @param parameters what the user set
	 * @param readDefinitions reads the custom fields of the workspace, once in a poll
	 */
	constructor(
		private readonly parameters: MessageSettings['parameters'],
		private readonly readDefinitions: () => Promise<CustomFieldDefinitions>,
	) {}

	/** Whether the one who must be in charge of a conversation is. */
	isInCharge(conversation: IDataObject): boolean {
		const { inCharge } = this.parameters;
		if (inCharge === 'anyone') return true;
		return inCharge === getInCharge(conversation);
	}

	/**
	 * Chooses which of the messages that have not started the workflow start it now, and which wait;
	 * it skips all others. Only if a group could start the workflow does it read the contact, who
	 * knows more than the list: whose turn it is by now, and which questions are open.
	 *
	 * @param fresh the messages, oldest first
	 */
	async choose(
		client: Requester,
		conversation: IDataObject,
		fresh: IDataObject[],
		known: KnownBefore,
	): Promise<Ready> {
		const ready = this.group(fresh, known);
		if (ready.groups.length === 0) {
			// A possible answer waits no longer because the contact goes on writing.
			const seen = getMarkSeen(known.mark);
			return { ...ready, seen, isSkipped: false };
		}
		if (!this.mayStart(conversation)) return { ...ready, isSkipped: true };
		const record = await readContactOfConversation(client, conversation);
		const current = withCurrentCharge(conversation, record);
		const note = await this.readNote(client, record);
		const isWanted = await this.isWanted(client, current, note, known);
		const { groups, ...waiting } = this.leaveOutAnswers(note, fresh, known, isWanted === undefined);
		// Nothing speaks for a person.
		if (!(isWanted ?? this.parameters.inCharge === 'bot')) {
			const isSkipped = groups.length > 0;
			return { groups, ...waiting, isSkipped };
		}
		const wanted = groups.filter((group) => !this.isAfterPerson(group, known));
		const isSkipped = wanted.length < groups.length;
		const contact = { record, conversation: current };
		return { groups: wanted, ...waiting, contact, isSkipped };
	}

	/**
	 * Whether the one who must be in charge of a conversation is; undefined if nobody knows. While the
	 * bot is quiet only because of a question, it is still in charge.
	 */
	private async isWanted(
		client: Requester,
		conversation: IDataObject,
		note: QuestionNote,
		{ mark, personWrote }: KnownBefore,
	): Promise<boolean | undefined> {
		const { inCharge } = this.parameters;
		const isBotOff = getInCharge(conversation) === 'person';
		if (inCharge === 'anyone' || !isBotOff) return this.isInCharge(conversation);
		const isOurs = await this.isPausedByQuestion(client, conversation, note, { mark, personWrote });
		return isOurs === undefined ? undefined : isOurs === (inCharge === 'bot');
	}

	/** Whether a question has paused the bot that is off; undefined if nobody knows. */
	private async isPausedByQuestion(
		client: Requester,
		conversation: IDataObject,
		note: QuestionNote,
		{ mark, personWrote }: Pick<KnownBefore, 'mark' | 'personWrote'>,
	): Promise<boolean | undefined> {
		const { pause, question } = note;
		if (!pause) {
			// Earlier versions of this package do not note the pause, nor the ID of the question.
			const isUnknown = isQuestionOpen(note) && question === undefined;
			return isUnknown ? undefined : false;
		}
		const { since } = pause;
		// The poll has read only what came after the mark.
		const before =
			mark.from > since ? await readMessagesOfBoth(client, conversation, since) : { personWrote };
		return isOwnPause(conversation, pause, before.personWrote);
	}

	private group(messages: IDataObject[], { mark, at, now }: KnownBefore) {
		const quietMs = this.parameters.options.groupMessages * 1000;
		const seenAt = getMarkHeldSince(mark, at);
		const { groups, heldSince } = groupMessages(messages, quietMs, now, seenAt);
		// The last messages are in no group.
		const grouped = groups.flat();
		const waiting = messages.slice(grouped.length);
		return { groups, waiting, heldSince };
	}

	/**
	 * Groups messages without answers to questions, and without those that may become answers.
	 *
	 * @param allWait whether other messages wait, too, while a question is open
	 */
	private leaveOutAnswers(
		note: QuestionNote,
		fresh: IDataObject[],
		known: KnownBefore,
		allWait: boolean,
	) {
		if (!this.leavesOutAnswers()) return this.group(fresh, known);
		const { mark, at, now } = known;
		const seenBefore = getMarkSeen(mark) ?? {};
		const split = splitByQuestion(fresh, note, allWait, seenBefore, now);
		const others = this.group(split.free, known);
		if (split.waiting.length === 0) return others;
		const waiting = [...others.waiting, ...split.waiting];
		const heldSince = others.heldSince ?? getMarkHeldSince(mark, at) ?? now;
		return { ...others, waiting, heldSince, seen: split.seen };
	}

	/** Returns what n8n has noted of a contact's questions. */
	private async readNote(client: Requester, record: IDataObject): Promise<QuestionNote> {
		if (!this.leavesOutAnswers() && this.parameters.inCharge === 'anyone') return NOTHING_NOTED;
		const fieldId = await readQuestionFieldId(client, [record], this.readDefinitions);
		return getQuestionNote(record, fieldId);
	}

	/**
	 * Whether messages of a conversation may start the workflow. If the bot is off, only the contact
	 * says whether a question has paused it.
	 */
	private mayStart(conversation: IDataObject): boolean {
		return this.isInCharge(conversation) || this.parameters.inCharge === 'bot';
	}

	private leavesOutAnswers(): boolean {
		return this.parameters.options.answersToQuestions === 'leaveOut';
	}

	/** Whether a member wrote so shortly before messages, or since then, that they start nothing. */
	private isAfterPerson(messages: IDataObject[], { personWrote }: KnownBefore): boolean {
		const silentMs = this.parameters.options.silentAfterPerson * unitMs.minutes;
		if (silentMs === 0) return false;
		const last = messages[messages.length - 1];
		const silentFrom = getMessageTime(last) - silentMs;
		return personWrote.some((at) => at > silentFrom);
	}
}

/** Returns a conversation with who is in charge by now, if its contact shows that. */
function withCurrentCharge(conversation: IDataObject, record: IDataObject): IDataObject {
	const { botEnabled, botResumeAt } = toObject(record.conversation);
	if (botEnabled === undefined) return conversation;
	if (botResumeAt !== undefined) return { ...conversation, botEnabled, botResumeAt };
	if (botEnabled === conversation.botEnabled) return conversation;
	// The end of the pause is as old as the list.
	return { ...conversation, botEnabled, botResumeAt };
}
