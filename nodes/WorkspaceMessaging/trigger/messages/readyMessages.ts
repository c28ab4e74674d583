import type { IDataObject } from 'n8n-workflow';
import type { CustomFieldDefinitions } from '../../contacts/customFields/definitions';
import { readQuestionFieldId } from '../../contacts/customFields/questionField';
import {
	getCurrentPause,
	getQuestionNote,
	NOTHING_NOTED,
	type QuestionNote,
} from '../../contacts/customFields/questionNote';
import { getInCharge } from '../../conversations/conversation';
import { getMessageTime } from '../../conversations/messages';
import { isOwnPause } from '../../conversations/ownPause';
import { toObject } from '../../transport/guards';
import type { Requester } from '../../transport/request';
import { unitMs } from '../../values/dates';
import { addContact, type FoundMessages } from './foundMessages';
import { groupMessages } from './groupMessages';
import { getFirstSeen, type Mark } from './mark';
import { splitByQuestion } from './questions';
import { readMessagesOfBoth } from './readConversations';
import { readContactOfConversation } from '../../conversations/contact';
import type { MessageSettings } from './settings';

/** What is known of a conversation besides its new messages. */
export interface KnownBefore {
	mark: Mark;
	/** n8n's time, in milliseconds since 1970. */
	now: number;
	/** When members wrote to the contact. */
	personWrote: number[];
}

/** What the record of the contact says. */
interface State {
	record: IDataObject;
	/** The conversation with who is in charge by now. */
	conversation: IDataObject;
	/** What n8n has noted of the contact's questions. */
	note: QuestionNote;
	/** Who is in charge, `anyone` if that does not matter; undefined if nobody knows. */
	charge: 'anyone' | 'bot' | 'person' | undefined;
}

/** What becomes of the messages of a conversation. */
interface Chosen {
	/** Those that start the workflow now. */
	found: FoundMessages[];
	/** Those that wait. */
	waiting: IDataObject[];
	/** Whether messages were skipped, because somebody else is in charge, or has just written. */
	isSkipped: boolean;
}

/** Whether the one who must be in charge of a conversation is, by what the conversation shows. */
export const isInCharge = (
	conversation: IDataObject,
	inCharge: MessageSettings['parameters']['inCharge'],
): boolean => inCharge === 'anyone' || inCharge === getInCharge(conversation);

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

	/**
	 * Chooses which of the messages that are not done start the workflow now, and which wait; it
	 * skips all others.
	 *
	 * @param fresh the messages, oldest first
	 */
	async choose(
		client: Requester,
		listed: IDataObject,
		fresh: IDataObject[],
		known: KnownBefore,
	): Promise<Chosen> {
		if (fresh.length === 0) return { found: [], waiting: [], isSkipped: false };
		const state = await this.readState(client, listed, known);
		const { record, conversation, charge } = state;
		const split = this.leaveOutAnswers(fresh, state, known);
		const grouped = this.group(split.free, known);
		const wanted = grouped.groups.filter((group) => this.isWanted(group, charge, known));
		return {
			found: addContact(this.parameters.inboxIds, record, conversation, wanted),
			waiting: [...grouped.waiting, ...split.waiting],
			isSkipped: wanted.length < grouped.groups.length,
		};
	}

	/**
	 * Reads the contact, who knows more than the list of conversations: whose turn it is by now, and
	 * which questions are open.
	 */
	private async readState(
		client: Requester,
		listed: IDataObject,
		known: KnownBefore,
	): Promise<State> {
		const record = await readContactOfConversation(client, listed);
		const conversation = withCurrentCharge(listed, record);
		const note = await this.readNote(client, record);
		const charge = await this.findInCharge(client, conversation, note, known);
		return { record, conversation, note, charge };
	}

	private isWanted(
		group: IDataObject[],
		charge: State['charge'],
		{ personWrote }: KnownBefore,
	): boolean {
		// If nobody knows who is in charge, nothing speaks for a person.
		const isRightCharge = (charge ?? 'bot') === this.parameters.inCharge;
		return isRightCharge && !this.isAfterPerson(group, personWrote);
	}

	/** Finds out who is in charge: while the bot is quiet only because of a question, it still is. */
	private async findInCharge(
		client: Requester,
		conversation: IDataObject,
		note: QuestionNote,
		{ mark, personWrote }: KnownBefore,
	): Promise<State['charge']> {
		if (this.parameters.inCharge === 'anyone') return 'anyone';
		const charge = getInCharge(conversation);
		const pause = getCurrentPause(note);
		if (charge === 'bot' || !pause) return charge;
		const { since } = pause;
		// The poll has read only what came after the mark.
		const before =
			mark.from > since ? await readMessagesOfBoth(client, conversation, since) : { personWrote };
		const isOurs = isOwnPause(conversation, pause, before.personWrote);
		if (isOurs === undefined) return undefined;
		return isOurs ? 'bot' : 'person';
	}

	/**
	 * Leaves out answers to questions, and lets messages wait that may become answers. If nobody knows
	 * who is in charge, all others wait, too, while a question is open.
	 */
	private leaveOutAnswers(
		fresh: IDataObject[],
		{ note, charge }: State,
		{ mark, now }: KnownBefore,
	) {
		if (!this.leavesOutAnswers()) return { free: fresh, waiting: [] };
		const allWait = charge === undefined;
		const getAge = (message: IDataObject) => now - getFirstSeen(mark, message, now);
		return splitByQuestion(fresh, note, allWait, getAge);
	}

	private group(messages: IDataObject[], { mark, now }: KnownBefore) {
		const quietMs = this.parameters.options.groupMessages * 1000;
		const last = messages.at(-1);
		const seenAt = last && getFirstSeen(mark, last, now);
		return groupMessages(messages, quietMs, now, seenAt);
	}

	/** Returns what n8n has noted of a contact's questions. */
	private async readNote(client: Requester, record: IDataObject): Promise<QuestionNote> {
		if (!this.leavesOutAnswers() && this.parameters.inCharge === 'anyone') return NOTHING_NOTED;
		const fieldId = await readQuestionFieldId(client, [record], this.readDefinitions);
		return getQuestionNote(record, fieldId);
	}

	private leavesOutAnswers(): boolean {
		return this.parameters.options.answersToQuestions === 'leaveOut';
	}

	/** Whether a member wrote so shortly before messages, or since then, that they start nothing. */
	private isAfterPerson(messages: IDataObject[], personWrote: number[]): boolean {
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
	const current = { ...conversation, botEnabled };
	// Without an end in the record, that of the list says whose pause it is.
	const isListed = botResumeAt === undefined && botEnabled === conversation.botEnabled;
	return isListed ? current : { ...current, botResumeAt };
}
