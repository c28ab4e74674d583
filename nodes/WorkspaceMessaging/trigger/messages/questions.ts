import type { IDataObject } from 'n8n-workflow';
import { mayAnswerBeNoted, type QuestionNote } from '../../contacts/customFields/questionNote';
import { getMessageTime } from '../../conversations/messages';
import { unitMs } from '../../values/dates';
import { hashMessageId } from '../changes/fingerprints';

/*
 * What a contact types as the answer to a question in the chat starts no workflow. While a question
 * is open, a message waits until a look for the answer has seen that it is none.
 */

/** Looks are 15 minutes apart, and can fail or come late. */
const LONGEST_HOLD_MS = 60 * unitMs.minutes;

/** When n8n first saw messages, in milliseconds since 1970, by the keys of the messages. */
export type SeenTimes = Record<string, number>;

/** Messages of a contact, in their order. */
interface Split {
	/** Those that can start the workflow now. */
	free: IDataObject[];
	/** Those that wait until the question is over. */
	waiting: IDataObject[];
	/** When n8n first saw each one that waits. */
	seen: SeenTimes;
}

/**
 * Splits the messages of a contact: answers are left out, and while a question is open, messages
 * wait, but for 60 minutes at most.
 *
 * @param allWait whether those wait, too, that are no answer to the question
 * @param seenBefore when n8n first saw messages that waited after the last poll
 * @param now n8n's time, in milliseconds since 1970
 */
export function splitByQuestion(
	messages: IDataObject[],
	note: QuestionNote,
	allWait: boolean,
	seenBefore: SeenTimes,
	now: number,
): Split {
	const split: Split = { free: [], waiting: [], seen: {} };
	const isOpen = mayAnswerBeNoted(note);
	for (const message of messages) {
		const id = String(message.id);
		if (note.answers.includes(id)) continue;
		const key = hashMessageId(message);
		const seenAt = seenBefore[key] ?? now;
		const isBefore = getMessageTime(message) <= (note.askedAfter ?? 0);
		const isOther = !allWait && (isBefore || note.others.includes(id));
		if (isOpen && !isOther && now - seenAt < LONGEST_HOLD_MS) {
			split.waiting.push(message);
			split.seen[key] = seenAt;
		} else {
			split.free.push(message);
		}
	}
	return split;
}
