import { z } from 'zod/v4';
import type { Workspace } from '../../workspace';
import type { StoredContact } from '../reference/contacts';
import { contactOf } from './contactRecord';
import { ofContact, trimmed } from './inputs';
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

/** The notes about a contact, oldest first. */
const notesOf = ({ contactNotes }: StoredContact) => contactNotes as unknown as readonly Note[];

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
	const contactNotes = [...notesOf(contact), note] as unknown as StoredContact['contactNotes'];
	workspace.contacts.change(contact, { contactNotes });
	return note;
}

/** The notes about contacts: newer services only. */
export const noteOperations = {
	listNotes: operation(ofContact, ({ workspace }, { identifier }) => ({
		data: [...notesOf(contactOf(workspace, identifier))].reverse(),
	})),
	addNote: operation(ofContact.extend(noteText.shape), ({ workspace }, { identifier, text }) =>
		storeNote(workspace, contactOf(workspace, identifier), text),
	),
} satisfies Operations;
