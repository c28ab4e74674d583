import type { IDataObject } from 'n8n-workflow';
import { QUESTION_FIELD } from '../../contract/customField';
import { isAnswer, ignore } from '../../transport/errors/ApiError';
import { objectsIn } from '../../transport/guards';
import type { Requester } from '../../transport/request';
import { memoryPerService } from '../../service/memory';
import { parseTime } from '../../values/dates';
import { customFieldsById } from './contactValues';
import type { CustomFieldDefinitions } from './definitions';
import { looksLikeNote } from './questionNote';
import { byAge } from '../../service/lists/records';

/* The custom field that holds the notes of `questionNote.ts`. */

/** How far apart a service may show the times of one change. */
const ROUNDING_MS = 1000;

/** Returns the ID of the custom field; undefined if the workspace has none. Of several, the first. */
export function findQuestionFieldId({ byId }: CustomFieldDefinitions): string | undefined {
	const fields = [...byId.values()].filter(({ name }) => name === QUESTION_FIELD);
	const [first] = fields.sort(byAge);
	return first?.id;
}

/** What is known of the custom fields of a service. */
interface KnownFields {
	/** The ID of the one for notes. */
	id?: string;
	/** The IDs of all others, whose values can look like a note. */
	others: Set<string>;
}

const knownFields = memoryPerService((): KnownFields => ({ others: new Set() }));

/**
 * Returns the ID of the custom field if contacts may have notes; undefined if they have none, or if
 * the service does not show its custom fields to this token.
 *
 * @param readDefinitions reads the custom fields; called only if a contact has a value in the form of
 * a note in a field that is not known: somebody may have deleted the one that was
 */
export async function readQuestionFieldId(
	client: Pick<Requester, 'service'>,
	contacts: IDataObject[],
	readDefinitions: () => Promise<CustomFieldDefinitions>,
): Promise<string | undefined> {
	const known = knownFields(client);
	const isUnknown = (id: string) => id !== known.id && !known.others.has(id);
	const isRead = !contacts.flatMap(findFieldsLikeNotes).some(isUnknown);
	if (isRead) return known.id;
	const definitions = await readDefinitions().catch(ignore(isAnswer));
	known.id = definitions && findQuestionFieldId(definitions);
	known.others = new Set(definitions?.byId.keys());
	return known.id;
}

/** Returns the IDs of the custom fields whose values in a contact look like a note. */
const findFieldsLikeNotes = ({ contactCustomFields }: IDataObject) =>
	objectsIn(contactCustomFields)
		.filter(({ value }) => looksLikeNote(value))
		.map(({ customFieldId }) => String(customFieldId));

/**
 * Whether a note is the last thing that changed of a contact, by the times that the service shows;
 * false if it shows none.
 */
export function isQuestionUpdate(contact: IDataObject, fieldId: string | undefined): boolean {
	if (fieldId === undefined) return false;
	const notedAt = parseTime(customFieldsById(contact)?.get(fieldId)?.updatedAt);
	return notedAt > 0 && notedAt >= parseTime(contact.updatedAt) - ROUNDING_MS;
}
