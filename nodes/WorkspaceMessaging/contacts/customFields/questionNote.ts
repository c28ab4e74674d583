import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { contactApi } from '../../contract/contact';
import { QUESTION_FIELD } from '../../contract/customField';
import { readRecord } from '../../service/lists/records';
import type { Requester } from '../../transport/request';
import { unitMs } from '../../values/dates';
import { customFieldsById, writeValues } from './contactValues';
import { unique } from '../../transport/guards';

/*
 * What n8n notes in a custom field of a contact with an open question in the chat, so that the answer
 * starts no other workflow. The note is JSON, with the version of its form.
 */

/** A time is text in the note, and in milliseconds since 1970 elsewhere. */
const notedTime = z.iso.datetime().transform((text) => Date.parse(text));

const ids = z.array(z.string());

const notedPause = z.object({
	/** When n8n asked for it, by n8n's clock. */
	begunAt: notedTime,
	/** When the service ends it, as it says; undefined if unknown. Another end is another pause. */
	resumesAt: notedTime.optional(),
	/** No member has written since then, by the service's clock. */
	since: notedTime,
	/** Whom the conversation was assigned to, in one word; undefined if unknown. */
	assignee: z.string().optional(),
});

/** A pause of the bot that n8n has begun. It belongs to whichever question is open. */
export type NotedPause = z.output<typeof notedPause>;

const noteForm = z.object({
	/** Until when a question is open, by n8n's clock; undefined if none is. */
	until: notedTime.optional(),
	/** The ID of the question that has written the note. */
	question: z.string().optional(),
	/**
	 * When the newest message before the open question was written, by the service's clock: no message
	 * up to then is an answer.
	 */
	askedAfter: notedTime.optional(),
	/** The last pause of the bot for a question. */
	pause: notedPause.optional(),
	/** The IDs of messages since the open question that are no answers to it, oldest first. */
	others: ids,
	/** The IDs of the messages that were answers, by the ID of their question, oldest first. */
	answers: z.record(z.string(), ids),
});

/** What n8n has noted of a contact's questions. */
export type QuestionNote = z.output<typeof noteForm>;

/** The note of a contact who was asked nothing. */
export const NOTHING_NOTED: QuestionNote = { others: [], answers: {} };

/** The version of the form. */
const VERSION = { n8nQuestion: 'v1' };

/** No other value of a custom field begins so. */
const BEGINNING = JSON.stringify(VERSION).slice(0, -1);

/** The most IDs of messages in one list; one look finds hardly more. */
const MOST_IDS = 200;

/** Of so many questions, the newest ones, a note has the answers. */
const MOST_QUESTIONS = 100;

/** The last look for an answer comes a little after the end of the wait. */
const LAST_LOOK_MS = 2 * unitMs.minutes;

/** If the service fails at the end of the wait, n8n notes the answer so much later at most. */
const LATEST_NOTE_MS = 12 * unitMs.minutes;

/** Whether a value of a custom field has the form of a note. */
export const looksLikeNote = (value: unknown): boolean => String(value).startsWith(BEGINNING);

/** Reads the note of a question; a text in another form says nothing. */
export function parseQuestionNote(text: unknown): QuestionNote {
	if (!looksLikeNote(text)) return NOTHING_NOTED;
	try {
		return noteForm.parse(JSON.parse(String(text)));
	} catch {
		return NOTHING_NOTED;
	}
}

/** Writes the note of a question as the contact's custom field holds it. */
export function formatQuestionNote(note: QuestionNote): string {
	const others = newest(note.others);
	const kept = Object.entries(note.answers).slice(-MOST_QUESTIONS);
	const answers = Object.fromEntries(kept.map(([question, ids]) => [question, newest(ids)]));
	// All numbers are times.
	return JSON.stringify({ ...VERSION, ...note, others, answers }, (_, value: unknown) =>
		typeof value === 'number' ? new Date(value).toISOString() : value,
	);
}

/** Returns the newest of some IDs, each once. */
const newest = (all: string[]) => unique(all).slice(-MOST_IDS);

/** Whether a question is open, or its last look may not be over. */
export const isQuestionOpen = ({ until }: QuestionNote): boolean =>
	until !== undefined && Date.now() < until + LAST_LOOK_MS;

/** Whether a question is open, or n8n may still note which messages were the answer. */
export const mayAnswerBeNoted = ({ until }: QuestionNote): boolean =>
	until !== undefined && Date.now() < until + LATEST_NOTE_MS;

/** Whether a message was the answer to a question. */
export const isNotedAnswer = ({ answers }: QuestionNote, { id }: IDataObject): boolean =>
	Object.values(answers).flat().includes(String(id));

/**
 * Returns the pause that can be why the bot is quiet. Without its end, only an open question says that
 * it still goes on.
 */
export const getCurrentPause = ({ until, pause }: QuestionNote): NotedPause | undefined =>
	until === undefined && pause?.resumesAt === undefined ? undefined : pause;

/** Returns the note of a question in the record of a contact. */
export function getQuestionNote(contact: IDataObject, fieldId: string | undefined): QuestionNote {
	if (fieldId === undefined) return NOTHING_NOTED;
	return parseQuestionNote(customFieldsById(contact)?.get(fieldId)?.value);
}

/** Returns an ID for a question; it begins with a letter, so that IDs keep their order as keys. */
export const makeQuestionId = () => `q${randomUUID().slice(0, 8)}`;

/** Where a note is. */
export interface NotePlace {
	contactId: string;
	/** The ID of the custom field; undefined if the service cannot hold a note. */
	fieldId?: string;
}

/** Returns what is noted of a contact's questions now. Throws an `ApiError`. */
export async function readNote(client: Requester, place: NotePlace): Promise<QuestionNote> {
	const params = { identifier: `id:${place.contactId}` };
	const contact = await readRecord(client, contactApi.getContact, { params });
	return getQuestionNote(contact, place.fieldId);
}

/** Writes the note, unless the service cannot hold one. Throws an `ApiError`. */
export async function writeNote(
	client: Requester,
	{ contactId, fieldId: id }: NotePlace,
	note: QuestionNote,
): Promise<void> {
	if (id === undefined) return;
	const field = { id, name: QUESTION_FIELD, type: 'longText' };
	const value = formatQuestionNote(note);
	await writeValues(client, `id:${contactId}`, [{ field, value }]);
}
