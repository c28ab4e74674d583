import { z } from 'zod/v4';
import type { Workspace } from '../../workspace';
import type { StoredContact } from '../reference/contacts';
import { contactOf } from './contactRecord';
import { ofContact, trimmed } from './inputs';
import { notFound } from './problems';
import { operation, type Operations } from './router';

/** A note about a contact, as its list and the contact's record show it. */
export interface Note {
	id: string;
	text: string;
	contactId: string;
	/** The ID of the user who wrote it; null if a client of the API did. */
	createdById: string | null;
	createdAt: string;
	updatedAt: string;
}

/** What a note says. */
export const noteText = z.object({ text: trimmed(1, 1000) });
const ofNote = ofContact.extend({ noteId: z.string() });

/** The notes about a contact, oldest first. */
const notesOf = ({ contactNotes }: StoredContact) => contactNotes as unknown as readonly Note[];

const changeNotes = (
	{ contacts }: Pick<Workspace, 'contacts'>,
	contact: StoredContact,
	notes: Note[],
) => contacts.change(contact, { contactNotes: notes as unknown as StoredContact['contactNotes'] });

/** Stores a note about a contact. */
export function storeNote(
	workspace: Workspace,
	contact: StoredContact,
	text: string,
	createdById: string | null = null,
): Note {
	const createdAt = workspace.messages.nextTime();
	const note = {
		id: workspace.nextId(),
		text,
		contactId: contact.id,
		createdById,
		createdAt,
		updatedAt: createdAt,
	};
	changeNotes(workspace, contact, [...notesOf(contact), note]);
	return note;
}

/** Finds a note of a contact. */
function noteById(contact: StoredContact, noteId: string): Note {
	const found = notesOf(contact).find(({ id }) => id === noteId);
	if (!found) throw notFound('Note');
	return found;
}

/** The notes about contacts: newer services only. */
export const noteOperations = {
	listNotes: operation(ofContact, ({ workspace }, { identifier }) => ({
		data: [...notesOf(contactOf(workspace, identifier))].reverse(),
	})),
	addNote: operation(ofContact.extend(noteText.shape), ({ workspace }, { identifier, text }) =>
		storeNote(workspace, contactOf(workspace, identifier), text),
	),
	updateNote: operation(
		ofNote.extend(noteText.shape),
		({ workspace }, { identifier, noteId, text }) => {
			const contact = contactOf(workspace, identifier);
			const changed = {
				...noteById(contact, noteId),
				text,
				updatedAt: workspace.messages.nextTime(),
			};
			const notes = notesOf(contact).map((note) => (note.id === noteId ? changed : note));
			changeNotes(workspace, contact, notes);
		},
	),
	deleteNote: operation(ofNote, ({ workspace }, { identifier, noteId }) => {
		const contact = contactOf(workspace, identifier);
		noteById(contact, noteId);
		const notes = notesOf(contact).filter(({ id }) => id !== noteId);
		changeNotes(workspace, contact, notes);
	}),
} satisfies Operations;
