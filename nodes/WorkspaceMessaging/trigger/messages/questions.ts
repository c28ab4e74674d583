import type { IDataObject } from 'n8n-workflow';
import { isQuestionOpen, type QuestionNote } from '../../contacts/customFields/questionField';
import { unitMs } from '../../values/dates';
import { hashMessageId } from '../changes/fingerprints';

/*
 * What a contact types as the answer to a question in the chat starts no workflow. While a question
 * is open, nobody knows which messages are the answer, so all wait.
 */

/** By then, each message has been seen by a look for the answer. */
const LONGEST_WAIT_MS = 16 * unitMs.minutes;

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
 * wait, but for 16 minutes at most.
 *
 * @param seenBefore when n8n first saw messages that waited after the last poll
 * @param now n8n's time, in milliseconds since 1970
 */
export function splitByQuestion(
	messages: IDataObject[],
	note: QuestionNote,
	seenBefore: SeenTimes,
	now: number,
): Split {
	const split: Split = { free: [], waiting: [], seen: {} };
	const isOpen = isQuestionOpen(note);
	for (const message of messages) {
		if (note.answers.includes(String(message.id))) continue;
		const key = hashMessageId(message);
		const seenAt = seenBefore[key] ?? now;
		if (isOpen && now - seenAt < LONGEST_WAIT_MS) {
			split.waiting.push(message);
			split.seen[key] = seenAt;
		} else {
			split.free.push(message);
		}
	}
	return split;
}
