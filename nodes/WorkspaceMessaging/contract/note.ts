import { z } from 'zod/v4';
import { ofContact } from './contact';
import type { Endpoint } from './endpoint';
import { limits } from './limits';
import { string, stringOrNull, text, timestamps } from './values';

/*
 * Notes about contacts. People of the workspace read them beside the conversation; contacts do not
 * see them.
 */

/** A note about a contact; the reference does not show one (part 2.1). */
export const note = z.object({
	id: string,
	text: string,
	contactId: string,
	/** The ID of the user who wrote it; null if a client of the API did. */
	createdById: stringOrNull,
	...timestamps,
});

/** The calls about notes. */
export const noteApi = {
	addNote: {
		method: 'POST',
		path: '/api/v1/contacts/{identifier}/notes',
		params: ofContact,
		body: z.strictObject({ text: text(limits.note.min, limits.note.max) }),
		response: note,
		verifyHint: 'for the note',
		undocumented: { instead: 'set a custom field' },
	},

	listNotes: {
		method: 'GET',
		path: '/api/v1/contacts/{identifier}/notes',
		params: ofContact,
		response: z.object({ data: z.array(note) }),
		list: 'onePage',
		undocumented: {},
	},
} satisfies Record<string, Endpoint>;
