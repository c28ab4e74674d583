import type { IDataObject } from 'n8n-workflow';
import type { NotedPause, QuestionNote } from '../../../../contacts/customFields/questionNote';
import { isByMember } from '../../../../conversations/messages';
import { readPauseState } from '../../../../conversations/ownPause';
import { limits } from '../../../../contract/limits';
import { unitMs } from '../../../../values/dates';
import type { ChatQuestion } from './chatQuestion';
import { findReply, type Reply, type ReplyReader } from './replies';

/* What is to be done about a question, by what is known of it; this reads and writes nothing. */

/** What is known about a question; a note, messages or a conversation that is undefined is unknown. */
export interface Known extends ReplyReader {
	/** Whether the node itself looks: while there is no answer, it reads only messages. */
	isHeld: boolean;
	/** The note of the contact. */
	note?: QuestionNote;
	/** All messages since the newest one before the question, oldest first. */
	messages?: IDataObject[];
	conversation?: IDataObject;
	/** The pause of the bot that has just been renewed. */
	renewed?: NotedPause;
	/** Whether the service has failed, so that a look that comes soon can see more. */
	hasFailed?: boolean;
}

export type Todo =
	| 'readMessages'
	| 'readFiles'
	| 'readNote'
	| 'writeNote'
	| 'readConversation'
	| 'renewPause'
	| 'returnBot';

/** What has become of a question, and what is to be done. */
export interface Step extends Reply {
	/** Whether the workflow goes on: with `output`, or else with its input. */
	isOver: boolean;
	/** The note to write; undefined if it is up to date. */
	note?: QuestionNote;
	/** What is to be done, in this order; some of it may need what comes before. */
	todo: Todo[];
	/** When to look again, in milliseconds since 1970. */
	nextLook: number;
}

/** How many minutes after the question n8n looks, and how often from then on. */
const LOOKS_AFTER = [1, 2, 3, 5, 10, 20];
const LAST_EVERY = 15;

/** When n8n renews a pause of the bot; a look can come an hour late. */
const RENEW_AFTER_MS = (limits.botPauseHours - 1.5) * unitMs.hours;

/**
 * Returns what has become of a question, and what is to be done. An answer counts once it is noted,
 * whoever has the note then; at the end of the wait, and without a note, it counts at once. If another
 * question has the note, or this one is cancelled, it counts as unanswered.
 *
 * @param now in milliseconds since 1970
 */
export function step(question: ChatQuestion, known: Known, now: number): Step {
	const { id, fieldId, until } = question;
	const { messages, note } = known;
	const hasNote = fieldId !== undefined;
	const noted = question.answers ?? note?.answers[id];
	const isTimeUp = now >= until;
	// A note that somebody has deleted is nobody's.
	const isTaken = note?.question !== undefined && note.question !== id;
	const isLost = isTaken && !noted;
	let reply: Reply = { answers: noted ?? [], others: [] };
	if (messages && !question.answers && !isLost)
		reply = findReply(question, messages, known, noted, isTimeUp);
	const isFound = reply.answers.length > 0;
	const countsAtOnce = !hasNote && isFound;
	const counts = noted ? messages !== undefined : isLost || countsAtOnce;
	const isOver = isTimeUp || counts;
	const isMine = hasNote && !isTaken;
	const isEnding = isOver || isFound;
	const rest = isMine ? planRest(id, known, reply, isEnding, now) : { todo: [] };
	const todo = reply.unread ? ['readFiles' as const, ...rest.todo] : rest.todo;
	// At the end of the wait, too: the last look was up to a quarter of an hour ago.
	const isSettled = hasNote ? isOver : question.answers;
	if (!isSettled && !messages) todo.unshift('readMessages');
	const nextLook = findNextLook(question, known, now);
	return { ...reply, isOver, note: rest.note, todo, nextLook };
}

/** What is to be done with the note and with the bot. */
interface Rest {
	note?: QuestionNote;
	todo: Todo[];
}

/** Returns what is to be done with the note and with the bot. */
function planRest(id: string, known: Known, reply: Reply, isEnding: boolean, now: number): Rest {
	const { note, messages, isHeld } = known;
	const todo: Todo[] = [];
	if (!note) {
		if (isEnding && !messages) todo.push('readMessages');
		if (isEnding || !isHeld) todo.push('readNote');
		return { todo };
	}
	const pause = known.renewed ?? note.pause;
	const bot = pause && decideBot(known, pause, isEnding, now);
	const left = bot === 'leaveBot' ? undefined : pause;
	const changed = isEnding ? closeNote(id, note, reply) : addToNote(note, reply, left);
	// At the end, the note comes first, so that an answer counts.
	if (changed && isEnding) todo.push('writeNote');
	if (bot && bot !== 'leaveBot') todo.push(bot);
	if (changed && !isEnding) todo.push('writeNote');
	return { note: changed, todo };
}

/**
 * Decides what to do with the bot: at the end of a question it comes back, and before the service
 * ends its pause, that is renewed, unless a person is in charge.
 */
function decideBot(
	{ messages, conversation }: Known,
	pause: NotedPause,
	isEnding: boolean,
	now: number,
): Todo | 'leaveBot' | undefined {
	if (!isEnding && now < pause.begunAt + RENEW_AFTER_MS) return undefined;
	if (!messages) return 'readMessages';
	if (messages.some(isByMember)) return 'leaveBot';
	if (!conversation) return 'readConversation';
	const state = readPauseState(conversation, pause, now);
	if (isEnding) return state === 'paused' ? 'returnBot' : 'leaveBot';
	return state === 'changed' ? 'leaveBot' : 'renewPause';
}

/** Returns the note of a question that is over; undefined if the note says that already. */
function closeNote(id: string, note: QuestionNote, { answers }: Reply): QuestionNote | undefined {
	const { question, until, pause } = note;
	const isNoted = answers.length === 0 || note.answers[id] !== undefined;
	if (isNoted && question === id && until === undefined) return undefined;
	const all = isNoted ? note.answers : { ...note.answers, [id]: answers };
	return { question: id, pause, others: [], answers: all };
}

/** Returns the note with new messages and the pause of the bot; undefined if it has them. */
function addToNote(
	note: QuestionNote,
	{ others }: Reply,
	pause: NotedPause | undefined,
): QuestionNote | undefined {
	const hasAll = others.every((id) => note.others.includes(id));
	if (hasAll && pause === note.pause) return undefined;
	return { ...note, pause, others: [...note.others, ...others] };
}

function findNextLook({ askedAt, until }: ChatQuestion, { hasFailed }: Known, now: number): number {
	const looks = LOOKS_AFTER.map((minutes) => askedAt + minutes * unitMs.minutes);
	const later = looks.find((at) => at > now) ?? now + LAST_EVERY * unitMs.minutes;
	const next = hasFailed ? now + unitMs.minutes : later;
	return now < until ? Math.min(next, until) : next;
}
