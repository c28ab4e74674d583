import type { IDataObject } from 'n8n-workflow';
import { unitMs } from '../../values/dates';
import { customFieldsById } from './contactValues';

/*
 * What n8n notes in a custom field of a contact with an open question in the chat, so that the answer
 * starts no other workflow. The note begins with the question's end, or `-` if no question is open,
 * and ends with the IDs of messages that were answers: `2026-11-24T22:00:00Z 7301 7302`. What else it
 * says stands between them, as `name=value`; an older version of this package reads that as the ID of
 * a message that does not exist.
 */

/** A pause of the bot that n8n has begun; all times are in milliseconds since 1970. */
export interface NotedPause {
	/** When the service ends it, as it says; undefined if unknown. Another end is another pause. */
	resumesAt?: number;
	/** No member has written since then, by the service's clock. */
	since: number;
	/** Whom the conversation was assigned to, in one word; undefined if unknown. */
	assignee?: string;
}

/** What n8n has noted of a contact's questions. */
export interface QuestionNote {
	/** Until when a question is open, in milliseconds since 1970 by n8n's clock. */
	until?: number;
	/** The ID of the question that has written the note. */
	question?: string;
	/**
	 * When the newest message before the open question was written, in milliseconds since 1970 by the
	 * service's clock: no message up to then is an answer.
	 */
	askedAfter?: number;
	/** The pause of the bot that a question has begun. */
	pause?: NotedPause;
	/** The IDs of messages since the open question that are no answers to it, oldest first. */
	others: string[];
	/** The IDs of the last messages that were answers, oldest first. */
	answers: string[];
}

/** The note of a contact who was asked nothing. */
export const NOTHING_NOTED: QuestionNote = { others: [], answers: [] };

/** The most IDs of each kind; one look finds hardly more. */
const MOST_IDS = 200;
const FORM = /^(-|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)((?: \S+)*)$/;

/** The last look for an answer comes a little after the end of the wait. */
const LAST_LOOK_MS = 2 * unitMs.minutes;

/** If the service fails at the end of the wait, n8n notes the answer so much later at most. */
const LATEST_NOTE_MS = 12 * unitMs.minutes;

/** Reads the note of a question; a text in another form says nothing. */
export function parseQuestionNote(text: unknown): QuestionNote {
	const match = FORM.exec(String(text));
	if (!match) return NOTHING_NOTED;
	const [, end, rest] = match;
	const parts = rest.split(' ').filter(Boolean);
	const ids = parts.filter((part) => !part.includes('='));
	const named = new Map<string, string>();
	for (const part of parts) {
		const [name, ...value] = part.split('=');
		named.set(name, value.join('='));
	}
	const until = Date.parse(end);
	const pause = parsePause(named.get('pause'));
	const question = named.get('question');
	const askedAfter = Date.parse(named.get('after') ?? '');
	const others = (named.get('others') ?? '').split(',').filter(Boolean);
	return {
		// Without a time, no question is open.
		...(!Number.isNaN(until) && { until }),
		...(question !== undefined && { question }),
		...(!Number.isNaN(askedAfter) && { askedAfter }),
		...(pause && { pause }),
		others: newest(others),
		answers: newest(ids),
	};
}

/** Writes the note of a question as the contact's custom field holds it. */
export function formatQuestionNote(note: QuestionNote): string {
	const { until, question, askedAfter, pause, others, answers } = note;
	// A note has no milliseconds.
	const end = until === undefined ? '-' : new Date(until).toISOString().replace(/\.\d+/, '');
	const parts = [end];
	if (question !== undefined) parts.push(`question=${question}`);
	if (askedAfter !== undefined) parts.push(`after=${new Date(askedAfter).toISOString()}`);
	if (pause) parts.push(`pause=${formatPause(pause)}`);
	if (others.length > 0) parts.push(`others=${newest(others).join(',')}`);
	return [...parts, ...newest(answers)].join(' ');
}

/** Whether a value of a custom field has the form of a note. */
export const looksLikeNote = (value: unknown): boolean => FORM.test(String(value));

/** Returns the newest of some IDs, each once. */
const newest = (ids: string[]) => [...new Set(ids)].slice(-MOST_IDS);

/** A pause in a note: when it ends, since when no member may have written, and the assignee. */
const formatPause = ({ resumesAt, since, assignee }: NotedPause) =>
	[toText(resumesAt), toText(since), assignee ?? UNKNOWN].join('/');

const UNKNOWN = '?';

const toText = (time: number | undefined) =>
	time === undefined ? UNKNOWN : new Date(time).toISOString();

function parsePause(text: string | undefined): NotedPause | undefined {
	const [end = '', start = '', assignee = UNKNOWN] = text?.split('/') ?? [];
	const since = Date.parse(start);
	if (Number.isNaN(since)) return undefined;
	const resumesAt = Date.parse(end);
	return {
		since,
		...(!Number.isNaN(resumesAt) && { resumesAt }),
		...(assignee !== UNKNOWN && { assignee }),
	};
}

/** Whether a question is open, or its last look may not be over. */
export const isQuestionOpen = ({ until }: QuestionNote): boolean =>
	until !== undefined && Date.now() < until + LAST_LOOK_MS;

/** Whether a question is open, or n8n may still note which messages were the answer. */
export const mayAnswerBeNoted = ({ until }: QuestionNote): boolean =>
	until !== undefined && Date.now() < until + LATEST_NOTE_MS;

/** Returns the note of a question in the record of a contact. */
export function getQuestionNote(contact: IDataObject, fieldId: string | undefined): QuestionNote {
	if (fieldId === undefined) return NOTHING_NOTED;
	return parseQuestionNote(customFieldsById(contact)?.get(fieldId)?.value);
}
