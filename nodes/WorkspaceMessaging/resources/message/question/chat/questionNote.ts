import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { writeValues } from '../../../../contacts/customFields/contactValues';
import {
	customFieldDefinitions,
	readCustomFieldDefinitions,
} from '../../../../contacts/customFields/definitions';
import {
	findQuestionFieldId,
	formatQuestionNote,
	getQuestionNote,
	isQuestionOpen,
	type QuestionNote,
} from '../../../../contacts/customFields/questionField';
import { contactApi } from '../../../../contract/contact';
import { customFieldApi, QUESTION_FIELD } from '../../../../contract/customField';
import type { AnyItem } from '../../../../run/item';
import {
	ApiError,
	errorBeforeChange,
	isAnswer,
	mayExist,
	mayHaveChanged,
	onApiError,
	rejectedError,
} from '../../../../transport/errors/ApiError';
import { joinSentences } from '../../../../transport/errors/sentences';
import { readRecord } from '../../../../transport/lists/records';
import type { Requester } from '../../../../transport/request';

/*
 * The note of an open question, so that its answer starts no other workflow, and nobody asks a
 * second one; see `questionField.ts`.
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

/**
 * Returns where to note a question; makes the custom field if the workspace has none. Throws an
 * `ApiError` if the contact has an open question, or if the field cannot be made. Undefined with a
 * hint if an older service does not show whether it has the field.
 */
export async function prepareNote(
	item: AnyItem,
	contact: IDataObject,
): Promise<NotedQuestion | undefined> {
	const { cutLists } = item.service;
	const contactId = String(contact.id);
	const definitions = await customFieldDefinitions(item).catch(errorBeforeChange('sent'));
	const known = findQuestionFieldId(definitions);
	const note = getQuestionNote(contact, known);
	refuseSecondQuestion(item, note);
	const { answers } = note;
	const question = randomUUID().slice(0, 8);
	const noted = { contactId, answers, question };
	if (known !== undefined) return { ...noted, fieldId: known };
	if (cutLists.has(customFieldApi.listCustomFields.path)) {
		item.hint(
			`This service shows only some of its custom fields, so n8n cannot use the one named "${QUESTION_FIELD}". The answer can start a workflow with Message Received, too.`,
		);
		return undefined;
	}
	return { ...noted, fieldId: await makeField(item) };
}

function refuseSecondQuestion({ run: { context } }: AnyItem, note: QuestionNote): void {
	if (!isQuestionOpen(note)) return;
	const zone = context.getTimezone();
	const end = DateTime.fromMillis(note.until!, { zone });
	const shownEnd = end.toFormat('yyyy-MM-dd HH:mm');
	throw rejectedError(
		`This contact has an open question in the chat, until ${shownEnd}.`,
		`Ask again when it is answered. If you have stopped its workflow, clear the contact's custom field "${QUESTION_FIELD}".`,
		{ endpoint: contactApi.sendMessage },
	);
}

/** Makes the custom field, and returns its ID. */
async function makeField(item: AnyItem): Promise<string> {
	const body = { name: QUESTION_FIELD, type: 'longText' as const };
	const fail = onApiError(() => true, failToMakeField);
	const acceptExisting = onApiError(mayExist, async (error) => {
		const existing = await findField(item);
		if (existing === undefined) throw error;
	});
	await item.request(customFieldApi.createCustomField, { body }).catch(acceptExisting).catch(fail);
	// Two questions may have made one at the same moment: both use the first.
	const id = await findField(item).catch(fail);
	if (id !== undefined) return id;
	throw rejectedError(
		`The service does not show the custom field "${QUESTION_FIELD}".`,
		undefined,
		{
			endpoint: contactApi.sendMessage,
		},
	);
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

/** Notes that a question is open. Throws an `ApiError` if that fails; nothing is noted then. */
export async function openNote(
	item: AnyItem,
	noted: NotedQuestion | undefined,
	{ until, pause }: Pick<QuestionNote, 'until' | 'pause'>,
): Promise<void> {
	if (!noted) return;
	const { question, answers } = noted;
	await writeNote(item, noted, { until, question, pause, others: [], answers }).catch(
		onApiError(
			() => true,
			async (error) => {
				if (mayHaveChanged(error)) await closeNote(item, noted, [], true);
				const { what, details } = error;
				throw new ApiError(what, { ...details, nothingWas: 'sent' });
			},
		),
	);
}

/**
 * Notes that no question is open, and which messages were the answer. Returns false if the service
 * failed and a later look can try again. Never throws, but shows a hint.
 *
 * @param isLast whether no other look comes
 */
export async function closeNote(
	item: AnyItem,
	noted: NotedQuestion | undefined,
	answers: string[],
	isLast: boolean,
): Promise<boolean> {
	if (!noted) return true;
	try {
		const all = [...noted.answers, ...answers];
		await writeNote(item, noted, { others: [], answers: all });
	} catch (error) {
		if (!isLast && !isAnswer(error)) return false;
		item.hint(
			`n8n could not note that the question to contact ${noted.contactId} is over. Until its end, messages of the contact can start workflows up to 16 minutes late. To end that, clear the contact's custom field "${QUESTION_FIELD}".`,
		);
	}
	return true;
}

async function writeNote(
	item: AnyItem,
	{ contactId, fieldId: id }: NotedQuestion,
	note: QuestionNote,
): Promise<void> {
	const field = { id, name: QUESTION_FIELD, type: 'longText' };
	const value = formatQuestionNote(note);
	await writeValues(item, `id:${contactId}`, [{ field, value }]);
}
