import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { writeValues } from '../../../../contacts/customFields/contactValues';
import {
	customFieldDefinitions,
	readCustomFieldDefinitions,
} from '../../../../contacts/customFields/definitions';
import { findQuestionFieldId } from '../../../../contacts/customFields/questionField';
import {
	formatQuestionNote,
	getQuestionNote,
	isQuestionOpen,
	type QuestionNote,
} from '../../../../contacts/customFields/questionNote';
import { contactApi } from '../../../../contract/contact';
import { customFieldApi, QUESTION_FIELD } from '../../../../contract/customField';
import type { AnyItem } from '../../../../run/item';
import {
	ApiError,
	errorBeforeChange,
	isAnswer,
	mayHaveChanged,
	onApiError,
	refusedError,
} from '../../../../transport/errors/ApiError';
import { joinSentences } from '../../../../transport/errors/sentences';
import { readRecord } from '../../../../service/lists/records';
import type { Requester } from '../../../../transport/request';
import { unitMs } from '../../../../values/dates';
import { counted } from '../../../../values/labels';
import { capabilities } from '../../../../service/capabilities';
import { createOrFind } from '../../../shared/createOrFind';

/*
 * What a question does with its note: it opens the note when it is sent, and closes it when it is
 * over. `questionNote.ts` says what a note is for.
 */

/** Where a question is noted. */
export const notedQuestion = z.object({
	contactId: z.string(),
	fieldId: z.string(),
	/** The messages that were answers to earlier questions. */
	answers: z.array(z.string()),
	/** The question's own ID, which tells its note from that of another one. */
	question: z.string().optional(),
});

export type NotedQuestion = z.output<typeof notedQuestion>;

/** Where to note a question, and what its contact's note has said before. */
interface PreparedNote {
	/** Undefined if the service cannot hold the note. */
	noted: NotedQuestion | undefined;
	before: QuestionNote;
}

/**
 * Returns where to note a question; makes the custom field if the workspace has none. Throws an
 * `ApiError` if the contact has an open question, or if the field cannot be made. If an older
 * service does not show whether it has the field, nothing is noted, and a hint says so.
 */
export async function prepareNote(item: AnyItem, contact: IDataObject): Promise<PreparedNote> {
	const contactId = String(contact.id);
	const definitions = await customFieldDefinitions(item).catch(errorBeforeChange('sent'));
	const known = findQuestionFieldId(definitions);
	const before = getQuestionNote(contact, known);
	refuseSecondQuestion(before);
	const { answers } = before;
	const noted = { contactId, answers, question: makeQuestionId() };
	if (known !== undefined) return { noted: { ...noted, fieldId: known }, before };
	if (capabilities(item).list(customFieldApi.listCustomFields).cutAt !== undefined) {
		item.hint(
			`This service shows only some of its custom fields, so n8n cannot use the one named "${QUESTION_FIELD}". The answer can start a workflow with Message Received, too.`,
		);
		return { noted: undefined, before };
	}
	return { noted: { ...noted, fieldId: await makeField(item) }, before };
}

const makeQuestionId = () => randomUUID().slice(0, 8);

function refuseSecondQuestion(note: QuestionNote): void {
	if (!isQuestionOpen(note)) return;
	const left = describeTimeLeft(note.until! - Date.now());
	throw refusedError(
		`This contact has an open question in the chat, for another ${left}.`,
		'Ask again when it is answered. If you have stopped its workflow, use Message → Cancel Question.',
		{ endpoint: contactApi.sendMessage },
	);
}

/** Describes a time as people say it: `1 h 48 min`. */
function describeTimeLeft(ms: number): string {
	const minutes = Math.max(1, Math.ceil(ms / unitMs.minutes));
	const days = Math.floor(minutes / (24 * 60));
	const hours = Math.floor(minutes / 60) % 24;
	const parts = [
		days > 0 && counted(days, 'day'),
		hours > 0 && `${hours} h`,
		minutes % 60 > 0 && `${minutes % 60} min`,
	];
	const [first, second] = parts.filter(Boolean);
	return second ? `${first} ${second}` : String(first);
}

/** Makes the custom field, and returns its ID. */
async function makeField(item: AnyItem): Promise<string> {
	const body = { name: QUESTION_FIELD, type: 'longText' as const };
	const find = async () => await findField(item);
	const create = async () => {
		await item.request(customFieldApi.createCustomField, { body, isLookedFor: true });
		// Two questions may have made one at the same moment: both use the first.
		return await find();
	};
	const fail = onApiError(() => true, failToMakeField);
	const { record: id } = await createOrFind(item, { create, find }).catch(fail);
	if (id !== undefined) return id;
	throw refusedError(`The service does not show the custom field "${QUESTION_FIELD}".`, undefined, {
		endpoint: contactApi.sendMessage,
	});
}

const findField = async (item: AnyItem) =>
	findQuestionFieldId(await readCustomFieldDefinitions(item));

function failToMakeField({ what, details }: ApiError): never {
	throw new ApiError(
		`n8n notes open questions in a custom field named "${QUESTION_FIELD}", but could not make it.`,
		{ ...details, cause: joinSentences(what, details.cause), nothingWas: 'sent' },
	);
}

/**
 * Returns what is noted now, or undefined if that is no longer the note of this question. A note that
 * somebody has deleted, or written by hand, is nobody's.
 */
export async function readOwnNote(
	client: Requester,
	{ contactId, fieldId, question, answers }: NotedQuestion,
): Promise<QuestionNote | undefined> {
	const params = { identifier: `id:${contactId}` };
	const contact = await readRecord(client, contactApi.getContact, { params });
	const note = getQuestionNote(contact, fieldId);
	if (note.question === undefined)
		return { ...note, question, answers: [...answers, ...note.answers] };
	return note.question === question ? note : undefined;
}

/** Whether another question has taken the place of one in the note. Throws an `ApiError`. */
export const isNoteTaken = async (client: Requester, noted: NotedQuestion | undefined) =>
	noted !== undefined && (await readOwnNote(client, noted)) === undefined;

/** Notes that a question is open. Throws an `ApiError` if that fails; nothing is noted then. */
export async function openNote(
	item: AnyItem,
	noted: NotedQuestion | undefined,
	state: Pick<QuestionNote, 'until' | 'askedAfter' | 'pause'>,
): Promise<void> {
	if (!noted) return;
	const { question, answers } = noted;
	await writeNote(item, noted, { ...state, question, others: [], answers }).catch(
		onApiError(
			() => true,
			async (error) => {
				if (mayHaveChanged(error)) await takeBackNote(item, noted);
				const { what, details } = error;
				throw new ApiError(what, { ...details, nothingWas: 'sent' });
			},
		),
	);
}

/** Notes that no question is open, because it was not sent. Never throws, but shows a hint. */
export async function takeBackNote(item: AnyItem, noted: NotedQuestion | undefined): Promise<void> {
	if (!noted) return;
	const { question, answers } = noted;
	await writeNote(item, noted, { question, others: [], answers }).catch(() => {
		hintOpenNote(item, noted);
	});
}

/**
 * Notes that the open question of a contact is over. Its looks end then, because they find the ID of
 * another question. Returns the note as it was; undefined if no question is open.
 */
export async function cancelNote(
	item: AnyItem,
	contact: IDataObject,
): Promise<QuestionNote | undefined> {
	const definitions = await customFieldDefinitions(item).catch(errorBeforeChange('changed'));
	const fieldId = findQuestionFieldId(definitions);
	const note = getQuestionNote(contact, fieldId);
	if (fieldId === undefined || !isQuestionOpen(note)) return undefined;
	const { pause, answers } = note;
	const noted = { contactId: String(contact.id), fieldId, answers };
	await writeNote(item, noted, { question: makeQuestionId(), pause, others: [], answers });
	return note;
}

/** What became of the note of a question that is over. */
type ClosedNote =
	/** It says so, or there is none. */
	| 'closed'
	/** It is no longer the note of this question. */
	| 'taken'
	/** The service failed, so n8n can try again. */
	| 'failed';

/**
 * Notes that a question is over, and which messages were the answer. Never throws, but shows a hint
 * if the service refuses it.
 *
 * @param client sends the requests
 */
export async function closeNote(
	item: AnyItem,
	noted: NotedQuestion | undefined,
	answers: string[],
	client: Requester = item,
): Promise<ClosedNote> {
	if (!noted) return 'closed';
	try {
		const note = await readOwnNote(client, noted);
		if (!note) return 'taken';
		const { question, pause } = note;
		const all = [...note.answers, ...answers];
		// The bot is still paused: the end of the pause says that no person did so.
		const rest = pause?.resumesAt === undefined ? {} : { pause };
		await writeNote(client, noted, { question, ...rest, others: [], answers: all });
	} catch (error) {
		if (!isAnswer(error)) return 'failed';
		hintOpenNote(item, noted);
	}
	return 'closed';
}

/** Shows a hint that the note of a question says that it is open, although it is over. */
export function hintOpenNote(item: AnyItem, { contactId }: NotedQuestion) {
	item.hint(
		`n8n could not note that the question to contact ${contactId} is over. Until its end, messages of the contact can start workflows up to 60 minutes late. To end that, use Message → Cancel Question.`,
	);
}

/** Writes what is noted of a question while it is open. Throws an `ApiError`. */
export async function writeNote(
	client: Requester,
	{ contactId, fieldId: id }: NotedQuestion,
	note: QuestionNote,
): Promise<void> {
	const field = { id, name: QUESTION_FIELD, type: 'longText' };
	const value = formatQuestionNote(note);
	await writeValues(client, `id:${contactId}`, [{ field, value }]);
}
