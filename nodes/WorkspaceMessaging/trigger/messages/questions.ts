import type { IDataObject } from 'n8n-workflow';
import {
	isNotedAnswer,
	mayAnswerBeNoted,
	type QuestionNote,
} from '../../contacts/customFields/questionNote';
import { getMessageTime } from '../../conversations/messages';
import { unitMs } from '../../values/dates';

/*
 * What a contact types as the answer to a question in the chat starts no workflow. While a question
 * is open, a message waits until a look for the answer has seen that it is none.
 */

/** Looks are 15 minutes apart, and can fail or come late. */
const LONGEST_WAIT_MS = 60 * unitMs.minutes;

/** Messages of a contact, in their order. */
interface Split {
	/** Those that can start the workflow now. */
	free: IDataObject[];
	/** Those that wait until the question is over. */
	waiting: IDataObject[];
}

/**
 * Splits the messages of a contact: answers are left out, and while a question is open, messages
 * wait, but for 60 minutes at most.
 *
 * @param allWait whether those wait, too, that are no answer to the question
 * @param getAge returns for how long n8n has known a message, in milliseconds
 */
export function splitByQuestion(
	messages: IDataObject[],
	note: QuestionNote,
	allWait: boolean,
	getAge: (message: IDataObject) => number,
): Split {
	const split: Split = { free: [], waiting: [] };
	const isOpen = mayAnswerBeNoted(note);
	for (const message of messages) {
		if (isNotedAnswer(note, message)) continue;
		const isBefore = getMessageTime(message) <= (note.askedAfter ?? 0);
		const isOther = !allWait && (isBefore || note.others.includes(String(message.id)));
		const waits = isOpen && !isOther && getAge(message) < LONGEST_WAIT_MS;
		const part = waits ? split.waiting : split.free;
		part.push(message);
	}
	return split;
}
