import type { IDataObject } from 'n8n-workflow';
import { QUESTION_FIELD } from '../../contract/customField';
import { isAnswer, onApiError } from '../../transport/errors/ApiError';
import { objectsIn } from '../../transport/guards';
import type { Requester } from '../../transport/request';
import { memoryPerService } from '../../transport/service';
import { parseTime, unitMs } from '../../values/dates';
import { customFieldsById } from './contactValues';
import type { CustomFieldDefinitions } from './definitions';

/*
 * The custom field in which n8n notes that a contact has an open question in the chat, so that the
 * answer starts no other workflow: until when, and which messages were answers, such as
 * `2026-11-24T22:00:00Z 7301 7302`; `-` if no question is open.
 */

/** What n8n has noted of a contact's questions. */
export interface QuestionNote {
	/** Until when a question is open, in milliseconds since 1970 by n8n's clock. */
	until?: number;
	/** The IDs of the last messages that were answers, oldest first. */
	answers: string[];
}

const NOTHING_NOTED: QuestionNote = { answers: [] };
const MOST_ANSWERS = 10;
const FORM = /^(-|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)((?: \S+)*)$/;

/** The last look for an answer comes a little after the end of the wait. */
const LAST_LOOK_MS = 2 * unitMs.minutes;

/** How far apart a service may show the times of one change. */
const ROUNDING_MS = 1000;

/** Reads a note; a text in another form says nothing. */
export function parseQuestionNote(text: unknown): QuestionNote {
	const match = FORM.exec(String(text));
	if (!match) return NOTHING_NOTED;
	const [, end, ids] = match;
	const all = ids.split(' ').filter(Boolean);
	const answers = all.slice(-MOST_ANSWERS);
	const until = Date.parse(end);
	// Without a time, no question is open.
	if (Number.isNaN(until)) return { answers };
	return { answers, until };
}

/** Returns a note in the form in which the contact's custom field holds it. */
export function formatQuestionNote({ until, answers }: QuestionNote): string {
	const last = answers.slice(-MOST_ANSWERS);
	let end = '-';
	if (until !== undefined) {
		// A note has no milliseconds.
		const [seconds] = new Date(until).toISOString().split('.');
		end = `${seconds}Z`;
	}
	return [end, ...last].join(' ');
}

/** Whether a question is open, or its last look may not be over. */
export const isQuestionOpen = ({ until }: QuestionNote): boolean =>
	until !== undefined && Date.now() < until + LAST_LOOK_MS;

/** Returns the ID of the custom field; undefined if the workspace has none. Of several, the first. */
export function findQuestionFieldId({ byId }: CustomFieldDefinitions): string | undefined {
	const fields = [...byId.values()].filter(({ name }) => name === QUESTION_FIELD);
	// IDs have up to 20 digits, too many for a number.
	const [first] = fields.sort((a, b) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1));
	return first?.id;
}

const knownFieldId = memoryPerService((): { id?: string } => ({}));

/**
 * Returns the ID of the custom field if contacts may have notes; undefined if they have none, or if
 * the service does not show its custom fields to this token.
 *
 * @param readDefinitions reads the custom fields; called only if a contact has a value in the form of
 * a note, until the service's field is known
 */
export async function readQuestionFieldId(
	client: Pick<Requester, 'service'>,
	contacts: IDataObject[],
	readDefinitions: () => Promise<CustomFieldDefinitions>,
): Promise<string | undefined> {
	const known = knownFieldId(client);
	if (known.id !== undefined || !contacts.some(mayHaveNote)) return known.id;
	const definitions = await readDefinitions().catch(onApiError(isAnswer, () => undefined));
	known.id = definitions && findQuestionFieldId(definitions);
	return known.id;
}

const mayHaveNote = ({ contactCustomFields }: IDataObject) =>
	objectsIn(contactCustomFields).some(({ value }) => FORM.test(String(value)));

/**
 * Whether a note is the last thing that changed of a contact, by the times that the service shows;
 * false if it shows none.
 */
export function isQuestionUpdate(contact: IDataObject, fieldId: string | undefined): boolean {
	if (fieldId === undefined) return false;
	const notedAt = parseTime(customFieldsById(contact)?.get(fieldId)?.updatedAt);
	return notedAt > 0 && notedAt >= parseTime(contact.updatedAt) - ROUNDING_MS;
}

/** Returns what n8n has noted in the record of a contact. */
export function getQuestionNote(contact: IDataObject, fieldId: string | undefined): QuestionNote {
	if (fieldId === undefined) return NOTHING_NOTED;
	return parseQuestionNote(customFieldsById(contact)?.get(fieldId)?.value);
}
